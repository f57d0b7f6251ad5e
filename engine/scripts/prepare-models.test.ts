import { mkdtemp, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InferenceSession } from 'onnxruntime-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MATTE_SIZES, MODEL_FILES } from '../src/depth/model-files.ts';
import { prepareModels } from './prepare-models.ts';

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
