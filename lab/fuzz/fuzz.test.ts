import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { requireBuilt } from '../../engine/src/testing/built.ts';
import { drawScene, encoder } from '../../engine/src/testing/pictures.ts';
import { fuzz } from './fuzz.ts';
import { KINDS, PICTURE_KINDS } from './kinds.ts';
import { lengthFields } from './length-fields.ts';
import { mutate } from './mutate.ts';
import { Random } from './random.ts';
import { makeSeeds } from './seeds.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-fuzz-test-'));
beforeAll(requireBuilt);
afterAll(() => rmSync(folder, { recursive: true }));

test('damaged pictures end in a result or a typed error, in time, and leave nothing behind', async () => {
  vi.stubEnv('TMPDIR', folder);
  const result = await fuzz({ count: 120, seed: 20_251, kinds: PICTURE_KINDS, converted: 0.12 });
  expect(result.findings).toEqual([]);
  expect(result.unexplained).toEqual([]);
  expect(result.outcomes).toMatchObject({ result: expect.any(Number), pictureDamaged: expect.any(Number) });
  expect(Object.values(result.outcomes).reduce((sum, number) => sum + number, 0)).toBe(120);
  expect(readdirSync(folder)).toEqual([]);
  vi.unstubAllEnvs();
});

test('so do damaged videos', async () => {
  vi.stubEnv('TMPDIR', folder);
  const result = await fuzz({ count: 60, seed: 20_251, kinds: ['mp4', 'mkv', 'avi'], converted: 0.1 });
  expect(result.findings).toEqual([]);
  expect(result.outcomes).toMatchObject({ result: expect.any(Number), filmDamaged: expect.any(Number) });
  expect(readdirSync(folder)).toEqual([]);
  vi.unstubAllEnvs();
});

test('the same seed makes the same files, another seed others', () => {
  const file = Buffer.from(Array.from({ length: 4000 }, (_, i) => i % 251));
  const made = (seed: number) =>
    Array.from({ length: 30 }, (_, i) => mutate('jpeg', file, [file], new Random(seed + i)).bytes.toString('hex'));
  expect(made(1)).toEqual(made(1));
  expect(made(1)).not.toEqual(made(1000));
  expect(new Set(made(1)).size).toBeGreaterThan(25);
});

test('the lengths of all kinds of files are found where they are', async () => {
  for (const kind of KINDS) {
    const [file] = (await makeSeeds(kind)) as [Buffer];
    const fields = lengthFields(kind, file);
    expect([kind, fields.length > 1]).toEqual([kind, true]);
    for (const { at, bytes } of fields) expect(at + bytes).toBeLessThanOrEqual(file.length);
  }
  const png = await encoder(drawScene(8, 8)).png().toBuffer();
  const [header] = lengthFields('png', png);
  expect(png.readUInt32BE(header?.at)).toBe(13);
});

test('damaged PNGs come with right checksums too, so that the damage behind them is reached', async () => {
  const png = await encoder(drawScene(64, 64)).png().toBuffer();
  let right = 0;
  for (let seed = 0; seed < 60; seed++) {
    const { bytes } = mutate('png', png, [png], new Random(seed));
    if (bytes.length < 33 || bytes.equals(png)) continue;
    if (
      bytes.readUInt32BE(29) === crc32(bytes.subarray(12, 29)) &&
      !bytes.subarray(12, 29).equals(png.subarray(12, 29))
    )
      right++;
  }
  expect(right).toBeGreaterThan(0);
});
