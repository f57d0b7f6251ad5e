import { DateTime } from 'luxon';

/**
 * Returns the last `days` days in a time zone, including today, as a half-open interval: from the start of the first
 * day to the start of tomorrow [A100]. Days with a clock change have their actual length.
 */
export function lastDays(now: Date, days: number, zone: string): { from: Date; to: Date } {
  // Luxon caches every zone name that it is given, and spellings differ in case, so the name is normalized first.
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
  const today = DateTime.fromJSDate(now, { zone: timeZone }).startOf('day');
  const start = (later: number) => today.plus({ days: later }).startOf('day').toJSDate();
  return { from: start(1 - days), to: start(1) };
}
