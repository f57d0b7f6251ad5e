import { addMonths, anchorDayOf } from '@framelift/contract';
import { expect, test } from 'vitest';
import { extended } from './period.ts';

/** A time in Taipei, which is eight hours ahead all year. */
const taipei = (text: string) => new Date(`${text}+08:00`);

test('a month ends on the day on which it began, or on the last one of a shorter month, which the next does not keep', () => {
  const start = taipei('2026-01-31T09:30:00');
  let [anchorDay, paidUntil] = [anchorDayOf(start), start];
  const ends: Date[] = [];
  for (let month = 1; month <= 4; month++) {
    ({ anchorDay, paidUntil } = extended({ anchorDay, paidUntil }, 1, paidUntil));
    ends.push(paidUntil);
  }
  expect(ends).toEqual(
    ['2026-02-28T09:30:00', '2026-03-31T09:30:00', '2026-04-30T09:30:00', '2026-05-31T09:30:00'].map(taipei),
  );
  expect(addMonths(taipei('2028-01-31T09:30:00'), 1, 31)).toEqual(taipei('2028-02-29T09:30:00'));
  expect(addMonths(taipei('2026-10-31T09:30:00'), 4, 31)).toEqual(taipei('2027-02-28T09:30:00'));
  // Back again, as a refund takes it.
  expect(addMonths(taipei('2027-02-28T09:30:00'), -4, 31)).toEqual(taipei('2026-10-31T09:30:00'));
});

test('the day is that of Taipei, not that of the server', () => {
  // The last evening of February elsewhere.
  const morning = taipei('2026-03-01T01:00:00');
  expect(anchorDayOf(morning)).toBe(1);
  expect(addMonths(morning, 1, 1)).toEqual(taipei('2026-04-01T01:00:00'));
});

test('months bought early follow those that are paid, a late payment keeps the day, and one after a gap begins anew', () => {
  const before = { anchorDay: 31, paidUntil: taipei('2026-02-28T12:00:00') };
  expect(extended(before, 3, taipei('2026-02-01T08:00:00')).paidUntil).toEqual(taipei('2026-05-31T12:00:00'));
  expect(extended(before, 1, taipei('2026-03-04T08:00:00'))).toEqual({
    anchorDay: 31,
    paidUntil: taipei('2026-03-31T12:00:00'),
  });
  expect(extended(before, 1, taipei('2026-06-10T08:00:00'))).toEqual({
    anchorDay: 10,
    paidUntil: taipei('2026-07-10T08:00:00'),
  });
});
