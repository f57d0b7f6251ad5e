import { LIMITS } from '@framelift/contract';
import { DateTime } from 'luxon';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * Returns when something that began at `since` is tried again: after as much time as has passed already, within limits, so
 * that each wait is about twice the one before.
 */
export function retryAt(
  now: Date,
  since: Date,
  { least, most }: { readonly least: number; readonly most: number },
): Date {
  const age = now.getTime() - since.getTime();
  return new Date(now.getTime() + Math.min(Math.max(age, least), most));
}

/**
 * Returns the normalized name of a time zone. Luxon caches every name that it is given, and spellings differ in case.
 * @param zone accepted by the contract's `timeZone`
 */
export function zoneName(zone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
}

const taipei = (now: Date) => DateTime.fromJSDate(now, { zone: LIMITS.timeZone });

/** Returns the date in Asia/Taipei, `2026-11-29`. */
export function dayInTaipei(now: Date): string {
  return taipei(now).toFormat('yyyy-MM-dd');
}

/** Returns the next midnight in Asia/Taipei. */
export function nextDayInTaipei(now: Date): Date {
  return taipei(now).plus({ days: 1 }).startOf('day').toJSDate();
}
