import { Title } from '@mantine/core';
import { useEffect } from 'react';

/** Heading of a page of /admin, which also names the tab. */
export function AdminTitle({ title }: { title: string }) {
  useEffect(() => {
    document.title = `${title} – Framelift`;
  }, [title]);
  return (
    <Title order={1} size="h2">
      {title}
    </Title>
  );
}
