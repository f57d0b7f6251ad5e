import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { unzipped } from '../testing/tools.ts';
import { writeArchive } from './archive.ts';

const dir = mkdtempSync(join(tmpdir(), 'framelift-archive-'));
afterAll(() => rmSync(dir, { recursive: true }));

function file(name: string, bytes: Buffer): string {
  const path = join(dir, name);
  writeFileSync(path, bytes);
  return path;
}

test('an archive holds every file under its own name, in any script, byte by byte', async () => {
  const paths = [file('店の写真.jpg', Buffer.alloc(70_000, 7)), file('é.png', Buffer.from('x'))];
  const archive = await writeArchive(paths, dir, '店/の写真');
  expect(archive).toMatchObject({ name: '店の写真.zip', path: join(dir, '店の写真.zip'), type: 'application/zip' });
  expect(readFileSync(archive.path)).toHaveLength(archive.bytes);
  const files = await unzipped(archive.path);
  expect([...files.keys()]).toEqual(['店の写真.jpg', 'é.png']);
  for (const path of paths) expect(files.get(path.slice(dir.length + 1))?.equals(readFileSync(path))).toBe(true);
  // Already compressed formats are stored without deflating.
  expect(archive.bytes).toBeGreaterThan(70_000);
});

test('the same files make the same bytes, whenever they were written', async () => {
  const path = file('a.jpg', Buffer.from('same'));
  const first = await writeArchive([path], dir, 'one');
  utimesSync(path, new Date(1), new Date(1));
  const second = await writeArchive([path], dir, 'two');
  expect(readFileSync(second.path).equals(readFileSync(first.path))).toBe(true);
});

test('a file that is gone leaves no archive, and nothing half written', async () => {
  const empty = join(dir, 'empty');
  mkdirSync(empty);
  await expect(writeArchive([join(dir, 'absent.jpg')], empty, 'x')).rejects.toThrow(/ENOENT/);
  expect(readdirSync(empty)).toEqual([]);
});
