import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTempDirs } from './temp-dirs.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'framelift-work-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

test('a folder is there while it is used and gone afterwards, with all in it, whatever happened', async () => {
  const folders = await openTempDirs(root);
  const used = await folders.use(async (folder) => {
    await writeFile(join(folder, 'file'), 'x');
    return (await stat(folder)).isDirectory();
  });
  expect(used).toBe(true);
  const failing = folders.use(async (folder) => {
    await mkdir(join(folder, 'deep'));
    throw new Error('broken');
  });
  await expect(failing).rejects.toThrow('broken');
  expect(await readdir(root)).toEqual([]);
});

test('what killed processes left goes at the next start and by the job, what is worked in stays [A3][S9]', async () => {
  const other = spawn(process.execPath, ['-e', '']);
  await once(other, 'exit');
  const alive = `${hostname()}~${process.ppid}~aaaaaa`;
  const dead = `${hostname()}~${other.pid}~aaaaaa`;
  const ours = `${hostname()}~${process.pid}~aaaaaa`;
  const elsewhere = 'another-machine~1~aaaaaa';
  const forgotten = 'another-machine~1~bbbbbb';
  for (const name of [alive, dead, ours, elsewhere, forgotten]) await mkdir(join(root, name));
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
  for (const name of [alive, forgotten]) await utimes(join(root, name), twoDaysAgo, twoDaysAgo);
  const folders = await openTempDirs(root);
  expect((await readdir(root)).sort()).toEqual([alive, elsewhere].sort());
  for (const name of [dead, forgotten]) await mkdir(join(root, name));
  await utimes(join(root, forgotten), twoDaysAgo, twoDaysAgo);
  await folders.use(async (own) => {
    await folders.removeLeft();
    expect((await readdir(root)).sort()).toEqual([alive, elsewhere, basename(own)].sort());
  });
});
