import { DateTime } from 'luxon';

/**
 * The last so many days in a zone, today being one of them: from the first moment of the first one to the first moment
 * of tomorrow, which is no longer in it [A100]. A day with a change of the clock is as long as it is.
 */
export function lastDays(now: Date, days: number, zone: string): { from: Date; to: Date } {
  // Luxon keeps every name that it was ever given, and a name can be spelt in as many ways as it has letters.
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
  const today = DateTime.fromJSDate(now, { zone: timeZone }).startOf('day');
  const start = (later: number) => today.plus({ days: later }).startOf('day').toJSDate();
  return { from: start(1 - days), to: start(1) };
}
