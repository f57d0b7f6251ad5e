// Tests the project's own lint rules with a planted violation of each.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from './lib/root.mjs';

let folder;
let broken;

function plant(path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Returns the rules that each file violates, from one run of the linter with the project's settings. */
function lint() {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [`${ROOT}node_modules/@biomejs/biome/bin/biome`, 'lint', '--reporter=json', '--max-diagnostics=none', '.'],
    { cwd: folder, encoding: 'utf8' },
  );
  if (!stdout.startsWith('{')) throw new Error(`The linter said nothing usable:\n${stdout}${stderr}`);
  const rules = new Map();
  for (const { category, location } of JSON.parse(stdout).diagnostics) {
    const path = location.path.replaceAll('\\', '/');
    rules.set(path, [...(rules.get(path) ?? []), category]);
  }
  return rules;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'framelift-lint-'));
  for (const part of ['biome.json', '.gitignore', 'scripts/lint'])
    cpSync(`${ROOT}${part}`, join(folder, part), { recursive: true });
  plant('server/src/domain/order/env.ts', 'export const port = process.env.PORT;\n');
  plant('server/src/domain/order/clock.ts', 'export const now = Date.now();\n');
  plant('server/src/domain/order/day.ts', 'export const day = (at: Date): Date => new Date(at.getTime());\n');
  plant('server/src/oddName.ts', 'export const one = 1;\n');
  plant('web/src/ui/oddName.tsx', 'export const one = 1;\n');
  plant('web/src/ui/GoodName.tsx', 'export const one = 1;\n');
  plant('server/src/unnamed.ts', 'export default 1;\n');
  broken = lint();
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('files are named in one way, and exports have names', () => {
  expect(broken.get('server/src/oddName.ts')).toContain('lint/style/useFilenamingConvention');
  expect(broken.get('web/src/ui/oddName.tsx')).toContain('lint/style/useFilenamingConvention');
  expect(broken.get('web/src/ui/GoodName.tsx')).toBeUndefined();
  expect(broken.get('server/src/unnamed.ts')).toContain('lint/style/noDefaultExport');
});

test('the domain reads neither the environment nor the clock of the machine', () => {
  expect(broken.get('server/src/domain/order/env.ts')).toContain('lint/style/noProcessEnv');
  expect(broken.get('server/src/domain/order/clock.ts')).toBeDefined();
  expect(broken.get('server/src/domain/order/day.ts')).toBeUndefined();
});
