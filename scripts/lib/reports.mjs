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

/**
 * Returns the counts of a test runner. A runner that failed without a failed test (a file that did not load, a crash, a
 * missing or truncated report) counts as one failure.
 *
 * @param {'vitest' | 'playwright'} runner
 * @param {string} text its JSON report, empty if there is none
 * @param {boolean} ok whether it ended with exit code 0
 * @returns {Counts}
 */
export function countsOf(runner, text, ok) {
  let counts = { passed: 0, failed: 0, skipped: 0 };
  let told = ok;
  try {
    counts = READERS[runner](JSON.parse(text));
  } catch {
    told = false;
  }
  return told || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}
