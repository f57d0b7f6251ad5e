import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './Admin.module.css';

/** Titled section of a page. */
export function Panel({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <Title order={2} size="h4" id={id}>
        {title}
      </Title>
      {children}
    </section>
  );
}
