import type { LiveEvent } from '@framelift/contract';
import { Button, Skeleton, Text, Title } from '@mantine/core';
import IconBroadcast from '@tabler/icons-react/icons/IconBroadcast';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useIsClosed } from '../../api/config.ts';
import { liveEventsQuery } from '../../api/live.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import classes from './LiveSection.module.css';
import { formatEventTime } from './month.ts';

const SKELETONS = ['a', 'b', 'c'];
/** Milliseconds between two looks at what is on. */
const REFRESH_MS = 60_000;

/** The events that are on or to come. */
export function LiveSection() {
  const { t } = useTranslation('live');
  const isClosed = useIsClosed('live');
  const query = useInfiniteQuery({ ...liveEventsQuery(currentLanguage()), refetchInterval: REFRESH_MS });
  return (
    <section aria-labelledby="live-game" className={classes.section}>
      <Title order={2} id="live-game">
        {t('live_game')}
      </Title>
      {isClosed && <Text role="status">{t('closed')}</Text>}
      <InfiniteList<LiveEvent, HTMLUListElement>
        query={query}
        loading={
          <div className={classes.row} aria-hidden>
            {SKELETONS.map((key) => (
              <Skeleton key={key} className={classes.room} />
            ))}
          </div>
        }
        failed={t('failed')}
        shown={(count) => t('shown', { count })}
        focus="a"
        empty={
          <div className={classes.empty}>
            <IconBroadcast size="2rem" stroke={1.3} aria-hidden />
            <Text>{t('empty')}</Text>
          </div>
        }
      >
        {(events, place) => (
          <ul ref={place} className={classes.row}>
            {events.map((event) => (
              <EventCard key={event.id} event={event} />
            ))}
          </ul>
        )}
      </InfiniteList>
    </section>
  );
}

function EventCard({ event }: { event: LiveEvent }) {
  const { t } = useTranslation('live');
  const { id, title, timestamp, state, cover, is_free_view, angles } = event;
  const isOn = state === 'live';
  return (
    <li className={classes.card}>
      <div className={classes.cover}>
        {cover ? (
          <img src={cover} alt="" loading="lazy" decoding="async" />
        ) : (
          <IconBroadcast size="2.5rem" stroke={1.3} aria-hidden />
        )}
        {isOn && <span className={classes.on}>{t('live')}</span>}
      </div>
      <Text fw={600} component="h3" className={classes.title ?? ''}>
        {title}
      </Text>
      <Text size="sm" c="dimmed">
        <time dateTime={timestamp}>{formatEventTime(timestamp, currentLanguage())}</time>
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        {t('facts', {
          view: t(is_free_view ? 'freeView' : 'forPlan'),
          cameras: t('angleCount', { count: angles.length }),
        })}
      </Text>
      <Button
        component={Link}
        to={`/live/${id}`}
        variant={isOn ? 'filled' : 'light'}
        className={classes.watch ?? ''}
        aria-label={t('watchOf', { title })}
      >
        {t('watch_live')}
      </Button>
    </li>
  );
}
