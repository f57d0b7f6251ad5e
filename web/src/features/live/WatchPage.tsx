import type { LiveEvent } from '@framelift/contract';
import { Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { isCallError } from '../../api/client.ts';
import { liveEventQuery } from '../../api/live.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { BackLink } from '../../ui/BackLink.tsx';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { QueryState } from '../../ui/QueryState.tsx';
import { formatEventTime } from './month.ts';
import { Watching } from './Watching.tsx';
import classes from './WatchPage.module.css';

/** Milliseconds between two looks whether an event has begun: at least, as clocks differ, and as long as a timer can wait. */
const SHORTEST_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** /live/:id: the broadcast of one event, or when it begins. */
export function WatchPage() {
  const { t } = useTranslation('live');
  const { id = '' } = useParams();
  const query = useQuery(liveEventQuery(currentLanguage(), id));
  const isGone = isCallError(query.error) && query.error.status === 404;
  return (
    <div className={classes.page}>
      <BackLink to="/player">{t('page.back')}</BackLink>
      {isGone ? (
        <div className={classes.panel} role="alert">
          <Text fw={600}>{query.error?.message}</Text>
        </div>
      ) : (
        <QueryState query={query} failed={t('page.failed')} loading={<Room />}>
          {(event) => <Event event={event} knownAt={query.dataUpdatedAt} onDue={query.refetch} />}
        </QueryState>
      )}
    </div>
  );
}

/** The room of the title and the picture. */
const Room = () => (
  <>
    <Skeleton className={classes.titleRoom} />
    <Skeleton className={classes.stageRoom} />
  </>
);

interface EventProps {
  readonly event: LiveEvent;
  /** When the event was loaded. */
  readonly knownAt: number;
  /** The event should have begun by now. */
  readonly onDue: () => unknown;
}

function Event({ event, knownAt, onDue }: EventProps) {
  const { t } = useTranslation('live');
  const language = currentLanguage();
  const { id, title, timestamp, state, cover } = event;
  useEffect(() => {
    if (state !== 'upcoming') return;
    const wait = Math.max(SHORTEST_WAIT_MS, Date.parse(timestamp) - knownAt);
    const timer = setTimeout(onDue, Math.min(wait, LONGEST_WAIT_MS));
    return () => clearTimeout(timer);
  }, [state, timestamp, knownAt, onDue]);
  return (
    <>
      <DocumentTitle title={title} />
      <header>
        <Title order={1} className={classes.title ?? ''}>
          {title}
        </Title>
        <Text c="dimmed">
          <time dateTime={timestamp}>{formatEventTime(timestamp, language)}</time>
        </Text>
      </header>
      {state === 'live' ? (
        <Watching key={id} event={event} />
      ) : (
        <div className={classes.panel}>
          {cover && <img src={cover} alt="" className={classes.cover} />}
          <Text>{t(state === 'upcoming' ? 'page.upcoming' : 'page.past')}</Text>
        </div>
      )}
    </>
  );
}
