import { Text } from '@mantine/core';
import { useEffect, useRef } from 'react';

/**
 * Says above a form why the server refused it, and comes into view: the button of a long form is a screen below. The
 * toast has announced it to screen readers already.
 */
export function FormProblem({ text }: { text: string | undefined }) {
  const shown = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (text !== undefined) shown.current?.scrollIntoView({ block: 'nearest' });
  }, [text]);
  if (text === undefined) return null;
  return (
    <Text ref={shown} c="var(--mantine-color-error)">
      {text}
    </Text>
  );
}
