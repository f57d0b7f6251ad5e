import { DateTime } from 'luxon';

/**
 * The last so many days in a zone, today being one of them: from the first moment of the first one to the first moment
 * of tomorrow, which is no longer in it [A100]. A day with a change of the clock is as long as it is.
 */
export function lastDays(now: Date, days: number, zone: string): { from: Date; to: Date } {
  const today = DateTime.fromJSDate(now, { zone }).startOf('day');
  const start = (later: number) => today.plus({ days: later }).startOf('day').toJSDate();
  return { from: start(1 - days), to: start(1) };
}
