// `npm test`: runs all checks from a bare clone and prints a summary.
//
//   npm test -- --only lint,types            only these stages: deps lint types unused imports unit e2e
//   npm test -- --only unit engine/src/pack  the test runners get the arguments after the stages
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { build } from './build.mjs';
import { provideChromium } from './lib/chromium.mjs';
import { bin, npm, pooled, seconds, stopAll } from './lib/processes.mjs';
import { provideReaders } from './lib/readers.mjs';
import { countsOf } from './lib/reports.mjs';
import { ROOT, whenMain } from './lib/root.mjs';
import { unexplainedSkips } from './lib/skips.mjs';
import { setup } from './setup.mjs';
import { typecheck } from './typecheck.mjs';

const STAGES = ['deps', 'lint', 'types', 'unused', 'imports', 'unit', 'e2e'];

/** Results of earlier stages that the tests need. */
const found = { chromium: undefined };

/** Lines of the summary: { name, passed, failed, skipped, ms }. */
const results = [];

function readArguments() {
  const given = process.argv.slice(2);
  if (given[0] !== '--only') return { stages: STAGES, rest: given };
  const stages = (given[1] ?? '').split(',');
  const unknown = stages.filter((stage) => !STAGES.includes(stage));
  if (unknown.length > 0) throw new Error(`--only takes ${STAGES.join(', ')}, separated by commas.`);
  return { stages, rest: given.slice(2) };
}

/** Runs one stage and records its outcome. A stage returns counts of tests, or passes as one check. */
async function stage(name, work) {
  const started = performance.now();
  let counts = { passed: 1, failed: 0, skipped: 0 };
  try {
    counts = (await work()) ?? counts;
  } catch (error) {
    console.error(`\n✗ ${name}\n${error.message}\n`);
    counts = { passed: 0, failed: 1, skipped: 0 };
  }
  const result = { name, ...counts, ms: performance.now() - started };
  results.push(result);
  return result.failed === 0;
}

const mustPass = async (promise) => {
  const { ok, output } = await promise;
  if (!ok) throw new Error(output);
};

const environment = () => ({
  CHROMIUM_PATH: found.chromium,
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  // Nothing is fetched from anywhere, whatever a test starts.
  DEPTH_MODEL: 'basic',
});

const WORKSPACES = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).workspaces;
const checkImports = () => bin('dependency-cruiser/bin/dependency-cruiser.mjs', [...WORKSPACES, 'scripts']);

const reportOf = (runner) => `${ROOT}reports/${runner}.json`;

async function runner(name, script, args) {
  const report = reportOf(name);
  rmSync(report, { force: true });
  const { ok } = await bin(script, args, { show: true, env: environment() });
  const text = existsSync(report) ? readFileSync(report, 'utf8') : '';
  const counts = countsOf(name, text, ok);
  // If tests are selected by name, all others are reported as skipped.
  if (counts.failed > 0 || args.some((arg) => /^(-t|-g|--testNamePattern|--grep)/.test(arg))) return counts;
  const unexplained = unexplainedSkips(name, text);
  if (unexplained.length > 0) console.error(`\n${unexplained.join('\n')}`);
  return { ...counts, failed: unexplained.length };
}

const unit = (rest) =>
  runner('vitest', 'vitest/vitest.mjs', [
    'run',
    '--allowOnly=false',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportOf('vitest')}`,
    ...rest,
  ]);

const e2e = (rest) =>
  runner('playwright', 'playwright/cli.js', ['test', '--forbid-only', '--config=e2e/playwright.config.ts', ...rest]);

async function runStages(stages, rest) {
  if (!(await stage('set-up', setup))) return;
  const wants = (name) => stages.includes(name);
  const tests = wants('unit') || wants('e2e');
  const checks = [
    tests && ['build', () => build()],
    wants('deps') && ['deps', () => mustPass(npm(['ls', '--all', '--loglevel=error']))],
    wants('lint') && [
      'lint',
      () => mustPass(bin('@biomejs/biome/bin/biome', ['ci', '--colors=off', '--error-on-warnings', '.'])),
    ],
    wants('types') && ['types', () => mustPass(typecheck())],
    wants('unused') && ['unused', () => mustPass(bin('knip/bin/knip.js', ['--no-progress']))],
    wants('imports') && ['imports', () => mustPass(checkImports())],
    wants('unit') && ['readers', provideReaders],
    wants('e2e') && [
      'Chromium',
      async () => {
        found.chromium = await provideChromium();
      },
    ],
  ].filter(Boolean);
  await pooled(
    checks.map(
      ([name, work]) =>
        () =>
          stage(name, work),
    ),
    2,
  );
  const failed = (name) => results.some((result) => result.name === name && result.failed > 0);
  if (failed('build')) return;
  if (wants('unit')) await stage('unit', () => unit(rest));
  if (wants('e2e') && !failed('Chromium')) await stage('e2e', () => e2e(rest));
}

function summarize(ms) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const line = ({ passed, failed, skipped }) =>
    `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  console.log(`\nSummary (${seconds(ms)})`);
  for (const result of results) {
    const mark = result.failed > 0 ? '✗' : '✓';
    console.log(`  ${mark} ${result.name.padEnd(11)} ${seconds(result.ms).padStart(8)}  ${line(result)}`);
  }
  console.log(line({ passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }));
  return sum('failed');
}

await whenMain(import.meta.url, async () => {
  const { stages, rest } = readArguments();
  const started = performance.now();
  if (!process.stdout.isTTY) {
    // Logs are read as text; Node warns if both are set.
    process.env.NO_COLOR = '1';
    delete process.env.FORCE_COLOR;
  }
  for (const signal of ['SIGINT', 'SIGTERM']) {
    // May arrive twice: from the terminal and from the parent process.
    process.on(signal, () => {
      stopAll();
      process.exit(1);
    });
  }
  await runStages(stages, rest);
  if (summarize(performance.now() - started) > 0) process.exitCode = 1;
});
