import { DateTime } from 'luxon';
import { zoneName } from '../../platform/time.ts';

/**
 * Returns the last `days` days in a time zone, including today, as a half-open interval: from the start of the first
 * day to the start of tomorrow [A100]. Days with a clock change have their actual length.
 */
export function lastDays(now: Date, days: number, zone: string): { from: Date; to: Date } {
  const today = DateTime.fromJSDate(now, { zone: zoneName(zone) }).startOf('day');
  const start = (later: number) => today.plus({ days: later }).startOf('day').toJSDate();
  return { from: start(1 - days), to: start(1) };
}
