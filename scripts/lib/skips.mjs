import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { ROOT } from './root.mjs';

/** Files whose tests may be skipped if `when` holds. Any other skip fails `npm test`. */
export const ALLOWED = [
  {
    reason: 'reads photos and models of ../shared, which is not beside this checkout',
    when: !existsSync(`${ROOT}../shared`),
    files: [
      'e2e/main-job.spec.ts',
      'engine/src/depth/estimate.test.ts',
      'engine/src/depth/models.test.ts',
      'engine/src/decode/embedded/embedded.test.ts',
      'engine/src/decode/open.test.ts',
      'engine/src/process/convert.test.ts',
      'engine/src/decode/stereo/match.test.ts',
      'engine/src/render/synthesise.test.ts',
      'server/src/domain/media/convert/bad-input.test.ts',
    ],
  },
  {
    reason: 'starts PostgreSQL as root does, and this is not root',
    when: process.getuid?.() !== 0,
    files: ['server/src/platform/db/embedded/embedded.test.ts'],
  },
  {
    reason: 'watches processes by what only Linux or POSIX tells',
    when: process.platform !== 'linux',
    files: ['engine/src/process/converter.test.ts', 'engine/src/video/video-process.test.ts'],
  },
  {
    reason: 'mounts a small file system, which this machine lets no program do',
    when: spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'true']).status !== 0,
    files: ['server/src/main.test.ts', 'server/src/full-disk.test.ts'],
  },
  {
    reason: 'writes to /dev/full, the full disk of Linux',
    when: process.platform !== 'linux',
    files: ['engine/src/process/disk-full.test.ts', 'server/src/platform/server-full.test.ts'],
  },
];

/** @typedef {{ file: string, title: string }} Skip */

/** @type {Record<string, (report: any) => Skip[]>} */
const READERS = {
  vitest: ({ testResults }) =>
    testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status !== 'passed' && status !== 'failed')
        .map(({ fullName }) => ({ file: relative(ROOT, name).replaceAll('\\', '/'), title: fullName })),
    ),
  playwright: ({ suites }) => suites.flatMap(skippedSpecs),
};

function skippedSpecs({ suites = [], specs = [] }) {
  const skipped = specs.filter(({ tests }) => tests.some(({ status }) => status === 'skipped'));
  return [...skipped.map(({ file, title }) => ({ file: `e2e/${file}`, title })), ...suites.flatMap(skippedSpecs)];
}

/**
 * Returns one sentence for each skipped test that is not allowed.
 *
 * @param {'vitest' | 'playwright'} runner
 * @param {string} text its JSON report
 * @returns {string[]}
 */
export function unexplainedSkips(runner, text, allowed = ALLOWED) {
  const explained = new Set(allowed.filter(({ when }) => when).flatMap(({ files }) => files));
  return READERS[runner](JSON.parse(text))
    .filter(({ file }) => !explained.has(file))
    .map(({ file, title }) => `${file}: "${title}" was skipped, and scripts/lib/skips.mjs gives no reason.`);
}
