import { expect, test } from 'vitest';
import { countsOf } from './reports.mjs';

const vitest = (passed, failed) =>
  JSON.stringify({ numPassedTests: passed, numFailedTests: failed, numPendingTests: 2, numTodoTests: 0 });
const playwright = (expected, unexpected) =>
  JSON.stringify({ stats: { expected, unexpected, flaky: 0, skipped: 1 }, suites: [] });

test('both runners are counted by their reports', () => {
  expect(countsOf('vitest', vitest(40, 0), true)).toEqual({ passed: 40, failed: 0, skipped: 2 });
  expect(countsOf('vitest', vitest(40, 3), false)).toEqual({ passed: 40, failed: 3, skipped: 2 });
  expect(countsOf('playwright', playwright(7, 2), false)).toEqual({ passed: 7, failed: 2, skipped: 1 });
});

test('a runner that failed without a failed test counts as a failure', () => {
  expect(countsOf('vitest', vitest(40, 0), false)).toEqual({ passed: 40, failed: 1, skipped: 2 });
});

test('a runner that left no report, or half of one, counts as a failure even when it ended well', () => {
  expect(countsOf('playwright', '', true).failed).toBe(1);
  expect(countsOf('vitest', vitest(40, 0).slice(0, 20), true).failed).toBe(1);
  expect(countsOf('playwright', '{"errors":[]}', true).failed).toBe(1);
});
