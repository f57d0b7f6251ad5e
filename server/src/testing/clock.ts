import type { Clock } from '../context.ts';

export interface TestClock extends Clock {
  advance(milliseconds: number): void;
  /** Sets the time back, as an administrator or a time server does; durations are not affected. */
  setBack(milliseconds: number): void;
}

/**
 * Creates a clock with the real time plus an adjustable offset: databases use their own clocks, which stay close to it.
 */
export function createTestClock(): TestClock {
  let ahead = 0;
  let passed = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    elapsedMs: () => performance.now() + passed,
    advance(milliseconds) {
      ahead += milliseconds;
      passed += milliseconds;
    },
    setBack(milliseconds) {
      ahead -= milliseconds;
    },
  };
}
