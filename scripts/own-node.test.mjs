import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { provideNode } from './lib/own-node.mjs';
import { ROOT } from './lib/root.mjs';

const OLD = '20.20.2';

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'framelift-node-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Runs a script with a copy of the launcher, on this Node or one that claims to be old, and returns what it reports.
 */
function launch(...flags) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...flags, 'scripts/with-node.mjs', 'probe.mjs', 'one', 'two words'],
    { cwd: folder, encoding: 'utf8' },
  );
  return { status, stderr, ...JSON.parse(stdout) };
}

function plantLauncher() {
  cpSync(`${ROOT}scripts`, join(folder, 'scripts'), { recursive: true });
  writeFileSync(
    join(folder, 'probe.mjs'),
    `import { execFileSync } from 'node:child_process';
    const ofPath = execFileSync('node', ['-p', 'process.execPath'], { encoding: 'utf8' }).trim();
    console.log(JSON.stringify({ by: process.execPath, args: process.argv.slice(2), ofPath }));
    process.exitCode = 7;`,
  );
}

test('a Node that is new enough runs the script itself', () => {
  plantLauncher();
  const { status, by, args } = launch();
  expect({ status, by, args }).toEqual({ status: 7, by: process.execPath, args: ['one', 'two words'] });
  expect(existsSync(join(folder, '.node'))).toBe(false);
});

test('an older Node fetches one, says so once, and hands the script and its children over to it', () => {
  plantLauncher();
  const pretend = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '${OLD}' })`;
  const own = join(folder, '.node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

  const first = launch('--import', pretend);
  expect(first).toMatchObject({ status: 7, by: own, ofPath: own, args: ['one', 'two words'] });
  expect(first.stderr).toMatch(/^Node 20\.20\.2 is too old: fetching Node \d+\.\d+\.\d+ into \.node\/ …\n$/);

  const second = launch('--import', pretend);
  expect(second).toMatchObject({ status: 7, by: own, stderr: '' });
  expect(readdirSync(folder).sort()).toEqual(['.node', 'probe.mjs', 'scripts']);
});

test('a package that is not the pinned one is not run', async () => {
  const wanted = { name: 'empty-npm-package', version: '1.0.0', integrity: 'sha512-AAAA' };
  await expect(provideNode({ version: OLD, root: folder, wanted })).rejects.toThrow('is not the one that is pinned');
  expect(readdirSync(folder)).toEqual([]);
});

test('a platform without a package is told what to install', async () => {
  await expect(provideNode({ version: OLD, root: folder, wanted: null })).rejects.toThrow('needs Node 24.3 or newer');
});
