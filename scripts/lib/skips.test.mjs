import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROOT } from './root.mjs';
import { ALLOWED, unexplainedSkips } from './skips.mjs';

const vitest = JSON.stringify({
  testResults: [
    {
      name: `${ROOT}engine/src/a.test.ts`,
      assertionResults: [
        { fullName: 'one', status: 'passed' },
        { fullName: 'two', status: 'skipped' },
        { fullName: 'three', status: 'todo' },
      ],
    },
  ],
});
const playwright = JSON.stringify({
  suites: [
    {
      specs: [{ file: 'a.spec.ts', title: 'one', tests: [{ status: 'expected' }] }],
      suites: [{ specs: [{ file: 'a.spec.ts', title: 'two', tests: [{ status: 'skipped' }] }] }],
    },
  ],
});
const allowed = (when) => [{ reason: 'for the test', when, files: ['engine/src/a.test.ts', 'e2e/a.spec.ts'] }];

test('a skip without a reason is told with its file and its name [X13]', () => {
  expect(unexplainedSkips('vitest', vitest, [])).toEqual([
    expect.stringMatching(/^engine\/src\/a\.test\.ts: "two" was skipped/),
    expect.stringMatching(/"three"/),
  ]);
  expect(unexplainedSkips('playwright', playwright, [])).toEqual([expect.stringMatching(/^e2e\/a\.spec\.ts: "two"/)]);
});

test('a reason counts only where it holds', () => {
  expect(unexplainedSkips('vitest', vitest, allowed(true))).toEqual([]);
  expect(unexplainedSkips('playwright', playwright, allowed(true))).toEqual([]);
  expect(unexplainedSkips('vitest', vitest, allowed(false))).toHaveLength(2);
});

test('every file with a reason is there', () => {
  expect(ALLOWED.flatMap(({ files }) => files).filter((file) => !existsSync(`${ROOT}${file}`))).toEqual([]);
});
