// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Stage } from './stage.ts';
import { reloadRarely, watchStage } from './watchdog.ts';

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

const HOUR_MS = 3_600_000;

it('reloads at most three times within an hour, and never where that cannot be counted', () => {
  let reloads = 0;
  const at = (now: number) =>
    reloadRarely(
      () => localStorage,
      now,
      () => reloads++,
    );
  expect([at(1), at(2), at(3), at(4)]).toEqual([true, true, true, false]);
  expect([at(HOUR_MS), at(HOUR_MS + 2), reloads]).toEqual([false, true, 4]);
  const blocked = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  expect(reloadRarely(blocked, 0, () => reloads++)).toBe(false);
  expect(reloads).toBe(4);
});

it('notices that nothing is drawn although something is due, and not that nothing is', () => {
  let health = { drawnAt: 0, isDue: false };
  let stuck = 0;
  const end = watchStage({ health: () => health } as Stage, () => stuck++);
  vi.advanceTimersByTime(10 * 60_000);
  expect(stuck).toBe(0);
  health = { drawnAt: performance.now(), isDue: true };
  vi.advanceTimersByTime(60_000);
  expect(stuck).toBe(0);
  vi.advanceTimersByTime(30_000);
  expect(stuck).toBe(1);
  end();
  vi.advanceTimersByTime(10 * 60_000);
  expect(stuck).toBe(1);
});
