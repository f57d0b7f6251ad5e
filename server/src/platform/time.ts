export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * Returns the normalized name of a time zone. Luxon caches every name that it is given, and spellings differ in case.
 * @param zone accepted by the contract's `timeZone`
 */
export function zoneName(zone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
}
