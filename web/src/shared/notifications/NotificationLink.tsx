import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './Notifications.module.css';

interface Props {
  readonly to: string | null;
  /** Takes the place of the page in the history. */
  readonly replace?: boolean;
  readonly onFollow?: () => void;
  readonly children: ReactNode;
}

/** A notification that leads to what it is about, where there is a page of it. */
export function NotificationLink({ to, replace = false, onFollow, children }: Props) {
  if (to === null) {
    return (
      <div className={classes.item} tabIndex={-1}>
        {children}
      </div>
    );
  }
  return (
    <UnstyledButton
      component={Link}
      to={to}
      replace={replace}
      className={classes.item ?? ''}
      onClick={() => onFollow?.()}
    >
      {children}
    </UnstyledButton>
  );
}
