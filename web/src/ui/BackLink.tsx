import { Button } from '@mantine/core';
import IconArrowLeft from '@tabler/icons-react/icons/IconArrowLeft';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './BackLink.module.css';

/** Link to the parent page; its text is aligned with the edge of the page. */
export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Button
      component={Link}
      to={to}
      variant="subtle"
      color="gray"
      leftSection={<IconArrowLeft size="1.25rem" aria-hidden />}
      className={classes.back ?? ''}
    >
      {children}
    </Button>
  );
}
