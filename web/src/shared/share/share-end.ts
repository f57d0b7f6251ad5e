const DAYS = { day: 1, week: 7, month: 30 } as const;

/** `date` is the end of a day that the member chooses. */
export const SHARE_ENDS = ['never', ...(Object.keys(DAYS) as (keyof typeof DAYS)[]), 'date'] as const;
export type ShareEnd = (typeof SHARE_ENDS)[number];

/** Returns the end of a public link as the server expects it. */
export function endAfter(end: Exclude<ShareEnd, 'date'>, now: number): string | null {
  if (end === 'never') return null;
  return new Date(now + DAYS[end] * 86_400_000).toISOString();
}

/** Returns the last moment of a day `yyyy-mm-dd` in the zone of this browser; null if it is not one. */
export function endOfDay(day: string): string | null {
  const end = new Date(`${day}T23:59:59.999`);
  return Number.isNaN(end.getTime()) ? null : end.toISOString();
}

/** Returns the day of a time in the zone of this browser, as date fields write it. */
export function dayOf(time: string | number): string {
  const date = new Date(time);
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${date.getFullYear()}-${month}-${day}`;
}
