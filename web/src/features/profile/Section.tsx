import { Stack, Title } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import classes from './Profile.module.css';

interface SectionProps {
  readonly id: string;
  readonly title: string;
  /** Ref of the heading, for moving the focus to it. */
  readonly heading?: Ref<HTMLHeadingElement>;
  readonly children: ReactNode;
}

/** Titled section of the profile. */
export function Section({ id, title, heading, children }: SectionProps) {
  return (
    <section className={classes.card} aria-labelledby={id}>
      <Stack gap="xs">
        <Title order={2} size="h4" id={id} {...(heading && { ref: heading, tabIndex: -1 })}>
          {title}
        </Title>
        {children}
      </Stack>
    </section>
  );
}
