import { Badge, UnstyledButton, VisuallyHidden } from '@mantine/core';
import IconChevronRight from '@tabler/icons-react/icons/IconChevronRight';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import classes from './MenuPage.module.css';

export interface EntryProps {
  readonly icon: ComponentType<{ 'aria-hidden': true }>;
  readonly label: ReactNode;
  readonly to?: string;
  readonly onSelect?: () => void;
  /** Number of things that wait for the member, and its text for screen readers. */
  readonly news?: { readonly count: number; readonly label: string };
  /** What there is of it, in a few words. */
  readonly amount?: string;
  /** State of the feature switch: `in_development` is disabled, `off` is hidden, `unknown` while it is loading. */
  readonly state?: 'on' | 'in_development' | 'off' | 'unknown' | undefined;
}

/** One menu entry: a link or an action. */
export function Entry({ icon: Icon, label, to, onSelect, news, amount, state = 'on' }: EntryProps) {
  const { t } = useTranslation('menu');
  if (state === 'off') return null;
  const face = (
    <>
      <Icon aria-hidden />
      <span>{label}</span>
      {amount !== undefined && <small className="tabular">{amount}</small>}
      {news && (
        <Badge className={classes.badge ?? ''}>
          <span aria-hidden>{news.count}</span>
          <VisuallyHidden>{news.label}</VisuallyHidden>
        </Badge>
      )}
    </>
  );
  if (state !== 'on') {
    return (
      <li>
        <UnstyledButton className={classes.entry} disabled>
          {face}
          {state === 'in_development' && (
            <Badge variant="default" className={classes.badge ?? ''}>
              {t('inDevelopment')}
            </Badge>
          )}
        </UnstyledButton>
      </li>
    );
  }
  return (
    <li>
      {to === undefined ? (
        <UnstyledButton className={classes.entry} onClick={onSelect}>
          {face}
        </UnstyledButton>
      ) : (
        <UnstyledButton component={Link} to={to} className={classes.entry}>
          {face}
          <IconChevronRight aria-hidden />
        </UnstyledButton>
      )}
    </li>
  );
}
