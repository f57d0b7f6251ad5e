import { mkdtemp, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InferenceSession } from 'onnxruntime-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MATTE_SIZES, MODEL_FILES } from '../src/depth/model-files.ts';
import { prepareModels, widenWeights } from './prepare-models.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'framelift-models-'));
  expect(await prepareModels(dir)).toBe(true);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

test.each(MATTE_SIZES)('the matting network is prepared for an input side of %i', async (size) => {
  const session = await InferenceSession.create(join(dir, MODEL_FILES.matte[size]));
  expect(session.inputMetadata).toMatchObject([{ name: 'input', type: 'float32', shape: [1, 3, size, size] }]);
  expect(session.outputMetadata).toMatchObject([{ name: 'output', type: 'float32', shape: [1, 1, size, size] }]);
  await session.release();
});

test('files that are there already are left alone, and made again when one was damaged', async () => {
  const weights = join(dir, MODEL_FILES.matteWeights);
  const before = await stat(weights);
  expect(await prepareModels(dir)).toBe(false);
  expect((await stat(weights)).mtimeMs).toBe(before.mtimeMs);

  await truncate(weights, 1000);
  expect(await prepareModels(dir)).toBe(true);
  expect((await stat(weights)).size).toBe(before.size);
});

test('the scene network is the file of the repository', async () => {
  const committed = await readFile(join(import.meta.dirname, '../models', MODEL_FILES.scene));
  expect(committed.equals(await readFile(join(dir, MODEL_FILES.scene)))).toBe(true);
});

test.each([
  ['one', 0x3c00, 1],
  ['minus two', 0xc000, -2],
  ['a third', 0x3555, 0.333251953125],
  ['the largest', 0x7bff, 65504],
  ['the smallest normal', 0x0400, 2 ** -14],
  ['the smallest subnormal', 0x0001, 2 ** -24],
  ['zero', 0x0000, 0],
  ['infinity', 0x7c00, Number.POSITIVE_INFINITY],
  ['not a number', 0x7e00, Number.NaN],
])('half precision: %s', (_, bits, value) => {
  const misaligned = Uint8Array.of(0, bits & 0xff, bits >> 8);
  const weights = widenWeights(misaligned, { bytes: 12, pieces: [[1, 2, 8]] });
  expect([...new Float32Array(weights.buffer)]).toEqual([0, 0, value]);
});
