/** Months are counted in the time of Taipei, as the server does. */
const TAIPEI_MS = 8 * 3_600_000;

/** Returns when months that begin now are over: on the same day, or on the last one of a shorter month. */
export function endOfMonths(now: Date, months: number): Date {
  const local = new Date(now.getTime() + TAIPEI_MS);
  const day = local.getUTCDate();
  local.setUTCDate(1);
  local.setUTCMonth(local.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 0)).getUTCDate();
  local.setUTCDate(Math.min(day, lastDay));
  return new Date(local.getTime() - TAIPEI_MS);
}
