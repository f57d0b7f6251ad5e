import type { Clock } from '../context.ts';

export interface TestClock extends Clock {
  advance(milliseconds: number): void;
}

/**
 * Creates a clock with the real time plus an adjustable offset: databases use their own clocks, which stay close to it.
 */
export function createTestClock(): TestClock {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    advance(milliseconds) {
      ahead += milliseconds;
    },
  };
}
