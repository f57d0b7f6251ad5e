import { Text } from '@mantine/core';

/** Says above a form why the server refused it. The toast has announced it to screen readers already. */
export function FormProblem({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return <Text c="var(--mantine-color-error)">{text}</Text>;
}
