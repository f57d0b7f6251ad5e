import { Skeleton, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { configQuery } from '../../api/config.ts';
import { liveEventsQuery } from '../../api/live.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { CalendarSection } from './CalendarSection.tsx';
import { LiveSection } from './LiveSection.tsx';
import classes from './PlayerPage.module.css';

interface Props {
  /** The member's own media, with the feed of the store. */
  readonly content: ReactNode;
  /** The member's frames. */
  readonly frames: ReactNode;
}

/** /player, the start page of members: what is on, what they have, their frames, and the calendar. */
export function PlayerPage({ content, frames }: Props) {
  const { t } = useTranslation('live');
  // What is on stands first: nothing below it is drawn before its height is known, unless that takes long.
  const { isPending, failureCount } = useInfiniteQuery(liveEventsQuery(currentLanguage()));
  const { data: config } = useQuery(configQuery);
  return (
    <div className={classes.page}>
      <Title order={1} className={classes.heading ?? ''}>
        {t('home')}
      </Title>
      <LiveSection />
      {isPending && failureCount === 0 ? (
        <Skeleton className={classes.room} />
      ) : (
        <div className={classes.parts}>
          <div className={classes.content}>
            <Suspense fallback={<Skeleton className={classes.room} />}>{content}</Suspense>
          </div>
          <div className={classes.aside}>
            <CalendarSection />
            <Suspense fallback={null}>{config?.features.frameSetting === 'on' && frames}</Suspense>
          </div>
        </div>
      )}
    </div>
  );
}
