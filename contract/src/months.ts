/** Months are those of Asia/Taipei, which has had no summer time since 1979. */
const TAIPEI_MS = 8 * 3_600_000;

/** Returns the day of the month in Asia/Taipei, 1 … 31. */
export function anchorDayOf(time: Date): number {
  return new Date(time.getTime() + TAIPEI_MS).getUTCDate();
}

/**
 * Returns the same time of day so many months later, on the anchor day or the last day of a shorter month: 31 January →
 * 28 February → 31 March.
 * @param months negative ones go back
 */
export function addMonths(time: Date, months: number, anchorDay: number): Date {
  const local = new Date(time.getTime() + TAIPEI_MS);
  local.setUTCDate(1);
  local.setUTCMonth(local.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 0)).getUTCDate();
  local.setUTCDate(Math.min(anchorDay, lastDay));
  return new Date(local.getTime() - TAIPEI_MS);
}
