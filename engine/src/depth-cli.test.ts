import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requireBuilt } from './testing/built.ts';
import { drawScene, encoder } from './testing/pictures.ts';

const run = (...args: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'depth-cli.ts'), ...args], { encoding: 'utf8' });

let folder: string;
let pictures: string;
beforeAll(async () => {
  requireBuilt();
  folder = await mkdtemp(join(tmpdir(), 'framelift-depth-'));
  pictures = join(folder, 'in');
  await mkdir(pictures);
  await encoder(drawScene(400, 300)).jpeg().toFile(join(pictures, 'landscape.jpg'));
  await encoder(drawScene(300, 900)).png().toFile(join(pictures, 'portrait.PNG'));
  await writeFile(join(pictures, 'notes.txt'), 'no picture');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('every picture of a folder becomes a 16-bit grey PNG of its name; a damaged one fails alone', async () => {
  await writeFile(join(pictures, 'damaged.jpg'), 'no picture either');
  const out = join(folder, 'out');
  const { status, stderr } = run('--batch', pictures, out, '--matte', '512');
  expect(status).toBe(1);
  expect(stderr).toContain('damaged.jpg');
  expect((await readdir(out)).sort()).toEqual(['landscape.png', 'portrait.png']);
  const format = { format: 'png', depth: 'ushort', channels: 1 };
  expect(await sharp(join(out, 'landscape.png')).metadata()).toMatchObject({ ...format, width: 400, height: 300 });
  expect(await sharp(join(out, 'portrait.png')).metadata()).toMatchObject({ ...format, width: 213, height: 640 });

  await rm(join(pictures, 'damaged.jpg'));
  expect(run('--batch', pictures, out).status).toBe(0);
});

test.each([
  ['no folders', [], 'Name two folders'],
  ['a folder that is not there', ['--batch', '/nowhere', '/tmp/out'], 'There is no folder /nowhere'],
  ['an unknown option', ['--batch', '/tmp', '/tmp/out', '--fast'], '--help lists the options'],
  ['an unknown size', ['--batch', '/tmp', '/tmp/out', '--matte', '1024'], '--matte takes 512 or 640'],
])('%s: refused with a sentence and exit code 2', (_, args, sentence) => {
  const { status, stderr } = run(...args);
  expect(stderr).toContain(sentence);
  expect(status).toBe(2);
});

test('two pictures that would become the same file are refused before anything is written', async () => {
  const twins = join(folder, 'twins');
  await mkdir(twins);
  for (const name of ['a.jpg', 'a.png']) await writeFile(join(twins, name), '');
  const { status, stderr } = run('--batch', twins, join(folder, 'never'));
  expect(stderr).toContain('would both become');
  expect(status).toBe(2);
  expect(await readdir(folder)).not.toContain('never');
});
