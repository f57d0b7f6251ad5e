import { LIMITS } from '@framelift/contract';
import { DateTime } from 'luxon';

const local = (time: Date) => DateTime.fromJSDate(time, { zone: LIMITS.timeZone });

/** Returns the day of the month in Asia/Taipei, 1 … 31. */
export function anchorDayOf(time: Date): number {
  return local(time).day;
}

/** Returns the first moment of the month in Asia/Taipei. */
export function startOfMonth(time: Date): Date {
  return local(time).startOf('month').toJSDate();
}

/**
 * Returns the same time of day so many months later, on the anchor day or the last day of a shorter month: 31 January →
 * 28 February → 31 March.
 */
export function addMonths(time: Date, months: number, anchorDay: number): Date {
  const from = local(time);
  const month = from.set({ day: 1 }).plus({ months });
  return month.set({ day: Math.min(anchorDay, month.daysInMonth ?? 28) }).toJSDate();
}

export interface Period {
  readonly anchorDay: number;
  readonly paidUntil: Date;
}

/**
 * Returns what `months` more paid ones make of a period. They follow the paid ones, also if the payment is late. Where that
 * would lie in the past altogether, they begin with the payment, which then sets the anchor day.
 */
export function extended(
  before: { readonly anchorDay: number; readonly paidUntil: Date | null } | null,
  months: number,
  paidAt: Date,
): Period {
  if (before?.paidUntil) {
    const paidUntil = addMonths(before.paidUntil, months, before.anchorDay);
    if (paidUntil > paidAt) return { anchorDay: before.anchorDay, paidUntil };
  }
  const anchorDay = anchorDayOf(paidAt);
  return { anchorDay, paidUntil: addMonths(paidAt, months, anchorDay) };
}
