import { expect, it } from 'vitest';
import { clockText, isAsleep } from './zone-time.ts';

const at = (iso: string) => new Date(iso);
const NIGHT = { from: '22:30', to: '07:00' };

it('sleeps over midnight in the zone of the frame, whatever the clock of the device says [A95]', () => {
  const asleepAt = (iso: string) => isAsleep(NIGHT, 'Asia/Taipei', at(iso));
  // Taipei is eight hours ahead.
  expect(asleepAt('2026-01-10T14:29:59Z')).toBe(false);
  expect(asleepAt('2026-01-10T14:30:00Z')).toBe(true);
  expect(asleepAt('2026-01-10T16:00:00Z')).toBe(true);
  expect(asleepAt('2026-01-10T22:59:59Z')).toBe(true);
  expect(asleepAt('2026-01-10T23:00:00Z')).toBe(false);
});

it('sleeps within a day, never without hours, and not at all between equal ones', () => {
  const noon = at('2026-06-01T12:00:00Z');
  expect(isAsleep({ from: '11:00', to: '13:00' }, 'UTC', noon)).toBe(true);
  expect(isAsleep({ from: '12:01', to: '13:00' }, 'UTC', noon)).toBe(false);
  expect(isAsleep({ from: '12:00', to: '12:00' }, 'UTC', noon)).toBe(false);
  expect(isAsleep(null, 'UTC', noon)).toBe(false);
});

it('wakes by the clock on the wall in the nights in which clocks change', () => {
  const asleepAt = (iso: string) => isAsleep(NIGHT, 'Europe/Berlin', at(iso));
  // Clocks go forward on 29 March 2026: 7:00 is 5:00 in UTC, the day before it was 6:00.
  expect([asleepAt('2026-03-28T05:59:00Z'), asleepAt('2026-03-28T06:00:00Z')]).toEqual([true, false]);
  expect([asleepAt('2026-03-29T04:59:00Z'), asleepAt('2026-03-29T05:00:00Z')]).toEqual([true, false]);
  // They go back on 25 October.
  expect([asleepAt('2026-10-24T05:00:00Z'), asleepAt('2026-10-25T05:30:00Z')]).toEqual([false, true]);
  expect(asleepAt('2026-10-25T06:00:00Z')).toBe(false);
});

it('tells the time of the frame’s zone as its language writes it, and survives a zone that the browser lacks', () => {
  const now = at('2026-01-10T11:05:00Z');
  expect(clockText('Asia/Taipei', 'zh-Hant-TW', now)).toBe('下午7:05');
  expect(clockText('Asia/Tokyo', 'ja', now)).toBe('20:05');
  expect(clockText('Mars/Olympus', 'en', now)).toMatch(/\d:\d\d/);
  expect(isAsleep(NIGHT, 'Mars/Olympus', now)).toEqual(expect.any(Boolean));
});
