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

/** Even seconds, as ZIP files keep them. */
const DATE = new Date(2026, 10, 28, 19, 42, 2).getTime();

test('the same files make the same bytes, whenever they were written, with the date of the conversion [U9]', async () => {
  const path = file('a.jpg', Buffer.from('same'));
  const first = await writeArchive([path], dir, 'one', DATE);
  utimesSync(path, new Date(1), new Date(1));
  const second = await writeArchive([path], dir, 'two', DATE);
  const bytes = readFileSync(first.path);
  expect(readFileSync(second.path).equals(bytes)).toBe(true);
  // The local header of the first file: time, then date (ZIP specification 4.4.6).
  const [time, day] = [bytes.readUInt16LE(10), bytes.readUInt16LE(12)];
  expect([1980 + (day >> 9), (day >> 5) & 15, day & 31]).toEqual([2026, 11, 28]);
  expect([time >> 11, (time >> 5) & 63, (time & 31) * 2]).toEqual([19, 42, 2]);
});

test('a file that is gone leaves no archive, and nothing half written', async () => {
  const empty = join(dir, 'empty');
  mkdirSync(empty);
  await expect(writeArchive([join(dir, 'absent.jpg')], empty, 'x')).rejects.toThrow(/ENOENT/);
  expect(readdirSync(empty)).toEqual([]);
});
