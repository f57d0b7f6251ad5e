import { Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { InfiniteList, type PagedQuery } from '../../ui/InfiniteList.tsx';
import classes from './Notifications.module.css';

const SKELETONS = ['a', 'b', 'c'];

interface Props<T> {
  readonly query: PagedQuery<T>;
  /** Shown where there are none, in place of what a member reads then. */
  readonly empty?: ReactNode;
  /** Tells screen readers how many there are. */
  readonly isCounted?: boolean;
  /** Selector of what takes the focus in a row. */
  readonly focus?: string;
  readonly children: (rows: readonly T[], place: RefObject<HTMLUListElement | null>) => ReactNode;
}

/** A paged list of notifications in all its states. */
export function NotificationList<T>({ query, empty, isCounted = true, focus = 'a, [tabindex]', children }: Props<T>) {
  const { t } = useTranslation('notifications');
  return (
    <InfiniteList<T, HTMLUListElement>
      query={query}
      loading={<NotificationSkeletons />}
      failed={t('failed')}
      className={classes.note ?? ''}
      empty={
        <ul className={classes.list}>
          <li className={classes.note}>
            {empty ?? (
              <>
                <Text fw={600}>{t('none')}</Text>
                <Text c="dimmed">{t('noneHint')}</Text>
              </>
            )}
          </li>
        </ul>
      }
      {...(isCounted && { shown: (count) => t('shown', { count }) })}
      focus={focus}
    >
      {children}
    </InfiniteList>
  );
}

export function NotificationSkeletons() {
  const { t } = useTranslation('notifications');
  return (
    <Stack role="status" aria-label={t('loading')}>
      {SKELETONS.map((key) => (
        <Skeleton key={key} className={classes.skeleton ?? ''} />
      ))}
    </Stack>
  );
}
