import { ActionIcon, Title, VisuallyHidden } from '@mantine/core';
import IconChevronLeft from '@tabler/icons-react/icons/IconChevronLeft';
import IconChevronRight from '@tabler/icons-react/icons/IconChevronRight';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../i18n/index.ts';
import classes from './EventCalendar.module.css';
import {
  addDays,
  addMonths,
  type Day,
  formatMonthOfYear,
  formatWholeDay,
  monthOf,
  sameDayIn,
  weekdayNames,
  weekdayOf,
  weeksOf,
} from './month.ts';

/** More than this many dots in a day would not be counted. */
const MOST_DOTS = 3;

interface Props {
  /** The chosen day; its month is shown. */
  readonly day: Day;
  readonly today: Day;
  /** The number of events on a day. */
  readonly countOn: (day: Day) => number;
  /** What the arrows do: change the month, tell that they are not ready, or nothing. */
  readonly arrows: 'on' | 'off' | (() => void);
  readonly isLoading: boolean;
  readonly onChoose: (day: Day) => void;
  /** The events of the chosen day. */
  readonly children: ReactNode;
}

/** Returns the day to which a key leads, or null. The keys are those of the ARIA pattern for grids of dates. */
function dayByKey({ key, shiftKey }: KeyboardEvent, day: Day): Day | null {
  const month = (count: number) => sameDayIn(addMonths(monthOf(day), count), day);
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1);
    case 'ArrowRight':
      return addDays(day, 1);
    case 'ArrowUp':
      return addDays(day, -7);
    case 'ArrowDown':
      return addDays(day, 7);
    case 'Home':
      return addDays(day, -weekdayOf(day));
    case 'End':
      return addDays(day, 6 - weekdayOf(day));
    case 'PageUp':
      return month(shiftKey ? -12 : -1);
    case 'PageDown':
      return month(shiftKey ? 12 : 1);
    default:
      return null;
  }
}

/** A month as a grid of days. Days with events are marked; those of the chosen one follow the grid. */
export function EventCalendar({ day: chosen, today, countOn, arrows, isLoading, onChoose, children }: Props) {
  const { t } = useTranslation('live');
  const language = currentLanguage();
  const id = useId();
  const month = monthOf(chosen);
  const grid = useRef<HTMLTableElement>(null);
  /** The day chosen by a key; it takes the focus once it is drawn. */
  const byKey = useRef(false);
  useEffect(() => {
    if (!byKey.current) return;
    byKey.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-day="${chosen}"]`)?.focus();
  }, [chosen]);

  const go = (count: number) => {
    if (arrows === 'off') return;
    if (arrows !== 'on') return arrows();
    const next = addMonths(month, count);
    onChoose(next === monthOf(today) ? today : `${next}-01`);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = dayByKey(event, chosen);
    if (next === null) return;
    event.preventDefault();
    if (arrows !== 'on' && monthOf(next) !== month) return;
    byKey.current = true;
    onChoose(next);
  };
  const arrow = (count: number, label: string, icon: ReactNode) => (
    <ActionIcon
      aria-label={label}
      aria-disabled={arrows === 'off' || undefined}
      className={classes.arrow ?? ''}
      onClick={() => go(count)}
    >
      {icon}
    </ActionIcon>
  );
  return (
    <div className={classes.calendar}>
      <div className={classes.head}>
        <Title order={3} id={id} aria-live="polite" className={classes.month ?? ''}>
          {formatMonthOfYear(month, language)}
        </Title>
        {arrow(-1, t('calendar.back'), <IconChevronLeft aria-hidden />)}
        {arrow(1, t('calendar.forward'), <IconChevronRight aria-hidden />)}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table is what the ARIA pattern makes a grid. */}
      <table ref={grid} className={classes.grid} role="grid" aria-labelledby={id} aria-busy={isLoading}>
        <thead>
          <tr>
            {weekdayNames(language).map(({ short, long }) => (
              <th key={long} scope="col" abbr={long}>
                {short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={onKeyDown}>
          {weeksOf(month).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                // biome-ignore lint/a11y/useAriaPropsSupportedByRole: the cell of a grid has the role of one.
                <td key={day} aria-selected={day === chosen}>
                  <DayButton
                    day={day}
                    month={month}
                    isToday={day === today}
                    isChosen={day === chosen}
                    count={countOn(day)}
                    onChoose={onChoose}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <section className={classes.chosen} aria-live="polite" aria-label={formatWholeDay(chosen, language)}>
        {children}
      </section>
    </div>
  );
}

interface DayProps {
  readonly day: Day;
  readonly month: string;
  readonly isToday: boolean;
  readonly isChosen: boolean;
  readonly count: number;
  readonly onChoose: (day: Day) => void;
}

function DayButton({ day, month, isToday, isChosen, count, onChoose }: DayProps) {
  const { t } = useTranslation('live');
  // Days of the neighbouring months only fill the grid.
  if (monthOf(day) !== month) return <span className={classes.other} aria-hidden />;
  return (
    <button
      type="button"
      className={classes.day}
      data-day={day}
      data-chosen={isChosen || undefined}
      tabIndex={isChosen ? 0 : -1}
      aria-current={isToday ? 'date' : undefined}
      onClick={() => onChoose(day)}
    >
      <span aria-hidden>{Number(day.slice(8))}</span>
      <VisuallyHidden>
        {formatWholeDay(day, currentLanguage())}
        {count > 0 && t('calendar.marked', { count })}
      </VisuallyHidden>
      <span className={classes.dots} aria-hidden>
        {'•'.repeat(Math.min(count, MOST_DOTS))}
      </span>
    </button>
  );
}
