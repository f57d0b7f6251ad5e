import { Progress } from '@mantine/core';

/** Progress bar for 0 … 100 %, hidden at both ends: there is nothing to show before the start and after the end. */
export function ProgressBar({ value, label }: { value: number; label: string }) {
  if (value <= 0 || value >= 100) return null;
  return (
    <Progress.Root size="sm" radius="xl">
      <Progress.Section value={value} aria-label={label} />
    </Progress.Root>
  );
}
