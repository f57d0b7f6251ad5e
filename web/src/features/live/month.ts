import { htmlLangOf, type Language } from '@framelift/contract';

/** Events take place in Taiwan: their days and times are those of its clocks, wherever the browser is. */
const ZONE = 'Asia/Taipei';
const A_DAY_MS = 86_400_000;
const WEEK = 7;

/** A day as `YYYY-MM-DD`. Days of this form sort by time. */
export type Day = string;
/** A month as `YYYY-MM`. */
export type Month = string;

const toDay = (utc: Date): Day => utc.toISOString().slice(0, 10);
const toUtc = (day: Day): Date => new Date(`${day}T00:00:00Z`);

const clock = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, year: 'numeric', month: '2-digit', day: '2-digit' });

/** Returns the day of a time in Taipei. */
export function dayOf(time: string | number | Date): Day {
  const parts = new Map(clock.formatToParts(new Date(time)).map(({ type, value }) => [type, value]));
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
}

/** Returns the days that a broadcast covers: one that ends at midnight does not cover the day that begins then. */
export function daysOf({ day, ends_at }: { readonly day: Day; readonly ends_at: string }): Day[] {
  const last = dayOf(Date.parse(ends_at) - 1);
  const days = [day];
  for (let next = addDays(day, 1); next <= last; next = addDays(next, 1)) days.push(next);
  return days;
}

export const monthOf = (day: Day): Month => day.slice(0, 7);

/** Returns the weekday of a day, 0 (Sunday) … 6. */
export const weekdayOf = (day: Day): number => toUtc(day).getUTCDay();

export const addDays = (day: Day, count: number): Day => toDay(new Date(toUtc(day).getTime() + count * A_DAY_MS));

export function addMonths(month: Month, count: number): Month {
  const first = toUtc(`${month}-01`);
  return monthOf(toDay(new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + count, 1))));
}

/** Returns the same day of another month, or its last day where it is shorter. */
export function sameDayIn(month: Month, day: Day): Day {
  const last = addDays(`${addMonths(month, 1)}-01`, -1);
  const same = `${month}-${day.slice(8)}`;
  return same < last ? same : last;
}

/** Returns the weeks of a month, from Sunday to Saturday. The first and the last may contain days of its neighbours. */
export function weeksOf(month: Month): Day[][] {
  const first = `${month}-01`;
  const weeks: Day[][] = [];
  for (let start = addDays(first, -weekdayOf(first)); monthOf(start) <= month; start = addDays(start, WEEK)) {
    weeks.push(Array.from({ length: WEEK }, (_, n) => addDays(start, n)));
  }
  return weeks;
}

const formatDay = (day: Day, language: Language, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(htmlLangOf(language), { timeZone: 'UTC', ...options }).format(toUtc(day));

/** Returns the names of the days of a week from Sunday on, in short and in full. */
export function weekdayNames(language: Language): { readonly short: string; readonly long: string }[] {
  const sunday = '2026-11-29';
  return Array.from({ length: WEEK }, (_, n) => {
    const day = addDays(sunday, n);
    const name = (weekday: 'short' | 'long') => formatDay(day, language, { weekday });
    return { short: name('short'), long: name('long') };
  });
}

export const formatWholeDay = (day: Day, language: Language): string => formatDay(day, language, { dateStyle: 'full' });

export const formatMonthOfYear = (month: Month, language: Language): string =>
  formatDay(`${month}-01`, language, { year: 'numeric', month: 'long' });

/** Formats date and time of an event in Taipei. */
export function formatEventTime(time: string, language: Language): string {
  return new Intl.DateTimeFormat(htmlLangOf(language), {
    timeZone: ZONE,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(time));
}

/** Formats the time of an event in Taipei, without its day. */
export function formatEventClock(time: string, language: Language): string {
  return new Intl.DateTimeFormat(htmlLangOf(language), { timeZone: ZONE, timeStyle: 'short' }).format(new Date(time));
}
