import { addMonths, anchorDayOf, LIMITS } from '@framelift/contract';
import { DateTime } from 'luxon';

/** Returns the first moment of the month in Asia/Taipei. */
export function startOfMonth(time: Date): Date {
  return DateTime.fromJSDate(time, { zone: LIMITS.timeZone }).startOf('month').toJSDate();
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
