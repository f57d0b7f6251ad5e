import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './GalleryPage.module.css';

/** One kind of component in all its states. */
export function Exhibit({
  id,
  title,
  note,
  children,
}: {
  id: string;
  title: string;
  note?: string;
  children: ReactNode;
}) {
  return (
    <section className={classes.exhibit} aria-labelledby={id} data-exhibit={id}>
      <Title order={2} id={id} size="h3">
        {title}
      </Title>
      {note && <Text c="dimmed">{note}</Text>}
      {children}
    </section>
  );
}

/** States in a row, each with its label. */
export function Row({ children }: { children: ReactNode }) {
  return (
    <Group gap="lg" align="flex-end">
      {children}
    </Group>
  );
}

export function State({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.state}>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      {children}
    </div>
  );
}
