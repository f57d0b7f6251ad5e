import { readFileSync } from 'node:fs';
import { ROOT } from './root.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** @type {Record<string, (report: any) => Counts>} */
const READERS = {
  vitest: (report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  }),
  playwright: ({ stats }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
  }),
};

/** Where a test runner writes its JSON report, relative to the checkout. */
export const reportPath = (runner) => `reports/${runner}.json`;

/**
 * What a test runner counted. A runner that failed without a failed test (a file that did not load, a crash, no report)
 * counts as one failure.
 *
 * @param {'vitest' | 'playwright'} runner
 * @param {boolean} ok whether it ended with exit code 0
 * @returns {Counts}
 */
export function countsOf(runner, ok) {
  let counts = { passed: 0, failed: 0, skipped: 0 };
  try {
    counts = READERS[runner](JSON.parse(readFileSync(`${ROOT}${reportPath(runner)}`, 'utf8')));
  } catch {
    // No report, or half of one: the exit code decides.
    ok = false;
  }
  return ok || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}
