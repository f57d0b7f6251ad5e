import type { LiveEvent } from '@framelift/contract';
import { Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { configQuery } from '../../api/config.ts';
import { monthEventsQuery } from '../../api/live.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { showFeatureAlert } from '../../shared/feature-alert.ts';
import { TryAgain } from '../../ui/QueryState.tsx';
import classes from './CalendarSection.module.css';
import { EventCalendar } from './EventCalendar.tsx';
import { type Day, dayOf, daysOf, formatEventClock, formatEventTime, formatWholeDay, monthOf } from './month.ts';

/** The calendar of events, and those of the chosen day. */
export function CalendarSection() {
  const { t } = useTranslation('live');
  const language = currentLanguage();
  const { data: config } = useQuery(configQuery);
  const today = dayOf(Date.now());
  const [day, setDay] = useState<Day>(today);
  const query = useQuery({ ...monthEventsQuery(language, monthOf(day)), placeholderData: keepPreviousData });
  const byDay = useMemo(() => {
    const days = new Map<Day, LiveEvent[]>();
    for (const event of query.data ?? [])
      for (const one of daysOf(event)) days.set(one, [...(days.get(one) ?? []), event]);
    return days;
  }, [query.data]);
  const arrows = config?.features.calendarArrows ?? 'on';
  const chosen = byDay.get(day) ?? [];
  const isKnown = query.isSuccess && !query.isPlaceholderData;
  return (
    <section aria-labelledby="event-calendar" className={classes.section}>
      <Title order={2} id="event-calendar">
        {t('calendar.title')}
      </Title>
      <EventCalendar
        day={day}
        today={today}
        countOn={(one) => byDay.get(one)?.length ?? 0}
        arrows={arrows === 'in_development' ? showFeatureAlert : arrows}
        isLoading={query.isFetching}
        onChoose={setDay}
      >
        <Text size="sm" fw={600}>
          {formatWholeDay(day, language)}
        </Text>
        {query.isError && !isKnown && <TryAgain query={query} text={t('calendar.failed')} />}
        {isKnown && chosen.length === 0 && (
          <Text size="sm" c="dimmed">
            {t(query.data.length > 0 ? 'calendar.none' : 'calendar.noneInMonth')}
          </Text>
        )}
        {isKnown && chosen.length > 0 && (
          <ul className={classes.events}>
            {chosen.map(({ id, title, timestamp, state, day: first }) => (
              <li key={id}>
                <Link to={`/live/${id}`} className={classes.event}>
                  <time dateTime={timestamp}>
                    {first === day ? formatEventClock(timestamp, language) : formatEventTime(timestamp, language)}
                  </time>
                  <span>{title}</span>
                  {state === 'live' && <span className={classes.on}>{t('live')}</span>}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </EventCalendar>
      <Text size="xs" c="dimmed">
        {t('calendar.zone')}
      </Text>
    </section>
  );
}
