import type { Clock } from '../context.ts';

export interface TestClock extends Clock {
  advance(milliseconds: number): void;
}

/** The real time, moved on at will: the databases have clocks of their own, which stay near it. */
export function createTestClock(): TestClock {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    advance(milliseconds) {
      ahead += milliseconds;
    },
  };
}
