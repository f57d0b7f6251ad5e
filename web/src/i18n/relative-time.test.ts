import { expect, it } from 'vitest';
import { relativeTime } from './relative-time.ts';

const NOW = Date.parse('2026-05-01T12:00:00Z');
const ago = (minutes: number, language: 'en' | 'zh' | 'ja' = 'en') =>
  relativeTime(new Date(NOW - minutes * 60_000).toISOString(), NOW, language);

it('[R-2.notifications.2] says how long ago something was in days, hours or minutes', () => {
  expect([1, 59.9, 60, 119, 120, 1439, 1440, 2879, 60 * 24 * 400].map((minutes) => ago(minutes))).toEqual([
    ...['1 minute ago', '59 minutes ago', '1 hour ago', '1 hour ago', '2 hours ago', '23 hours ago'],
    ...['1 day ago', '1 day ago', '400 days ago'],
  ]);
  expect([ago(5, 'zh'), ago(180, 'ja')]).toEqual(['5 分鐘前', '3時間前']);
});

it('has no number for less than a minute, nor for a clock that is behind', () => {
  expect([ago(0), ago(0.99), ago(-5)]).toEqual([null, null, null]);
});
