import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import classes from './Admin.module.css';

interface Props {
  readonly title: string;
  /** Buttons beside it. */
  readonly children?: ReactNode;
}

/** Heading of a page of /admin, which is also the document title. */
export function AdminTitle({ title, children }: Props) {
  const heading = (
    <Title order={1}>
      <DocumentTitle title={title} />
      {title}
    </Title>
  );
  if (!children) return heading;
  return (
    <div className={classes.head}>
      {heading}
      {children}
    </div>
  );
}
