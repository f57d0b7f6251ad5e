import { Button } from '@mantine/core';
import IconX from '@tabler/icons-react/icons/IconX';

/** A filter that a link brought: pressing it shows everything again. */
export function OnlyChip({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <Button
      px="sm"
      radius="xl"
      variant="light"
      aria-pressed
      rightSection={<IconX size="1em" aria-hidden />}
      onClick={onRemove}
    >
      {label}
    </Button>
  );
}
