import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { prepareModels } from '../../scripts/prepare-models.ts';
import { distFile } from '../render/dist.ts';
import { draw } from '../testing/pictures.ts';
import { largestDifference } from './fixtures.ts';
import { findSubject } from './matte.ts';
import { MATTE_SIZES, MODEL_FILES } from './model-files.ts';
import type { Plane } from './plane.ts';
import { inputSize, readScene } from './scene-network.ts';
import { loadModel, runModel } from './session.ts';

beforeAll(async () => {
  await prepareModels();
});
const model = (name: string) => loadModel(distFile(join('models', name)), 2);

describe('the matting network', () => {
  /** A dark jar with a lid on a light table: an unambiguous subject. */
  const isJar = (x: number, y: number) =>
    (Math.abs(x - 0.5) < 0.17 && y > 0.34 && y < 0.82) || (Math.abs(x - 0.5) < 0.12 && y > 0.24 && y <= 0.34);
  const jar = (size: number) =>
    draw(size, size, (px, py) => {
      const x = px / size;
      const y = py / size;
      const shade = 0.55 + 0.45 * Math.cos((x - 0.45) * 8);
      if (isJar(x, y)) return y <= 0.34 ? [200 * shade, 150 * shade, 40 * shade] : [30, 70 * shade, 120 * shade];
      return y < 0.6 ? [235, 232, 225] : [225 - 40 * y, 215 - 40 * y, 200 - 40 * y];
    });

  test.each(MATTE_SIZES)('at %i cuts the subject out of a drawn picture', async (size) => {
    const session = await model(MODEL_FILES.matte[size]);
    const matte = await findSubject(session, jar(size));
    await session.release();

    expect(matte).toMatchObject({ width: size, height: size });
    expect(matte.data.every((value) => value >= 0 && value <= 1)).toBe(true);
    let wrong = 0;
    for (const [i, value] of matte.data.entries()) {
      if (value > 0.5 !== isJar((i % size) / size, Math.floor(i / size) / size)) wrong++;
    }
    expect(wrong / matte.data.length).toBeLessThan(0.02);
  });
});

describe('the scene network', () => {
  test.each([
    [4000, 3000, 256, 192],
    [3000, 4000, 192, 256],
    [1600, 900, 288, 160],
    [500, 500, 224, 224],
    [10_000, 10, 640, 96],
    [1, 1, 224, 224],
  ])('a picture of %i x %i goes in as %i x %i', (width, height, inWidth, inHeight) => {
    expect(inputSize({ width, height })).toEqual({ width: inWidth, height: inHeight });
  });

  test('a mirrored picture has the mirrored depth', async () => {
    const scene = draw(320, 240, (x, y) => [x / 2, y, y < 100 ? 220 : 60 + (x % 16)]);
    const mirrored = draw(320, 240, (x, y) => [(319 - x) / 2, y, y < 100 ? 220 : 60 + ((319 - x) % 16)]);
    const session = await model(MODEL_FILES.scene);
    const [straight, back] = [await readScene(session, scene), await readScene(session, mirrored)];
    await session.release();
    const { width } = back;
    const data = back.data.map((_, i) => back.data[i - (i % width) + (width - 1 - (i % width))] as number);
    expect(largestDifference(straight, { ...back, data })).toBeLessThan(1e-4);
  });

  const reference = join(import.meta.dirname, '../../../../shared/models/scene-depth/parity/reference.parity');
  const hasReference = existsSync(`${reference}.json`);
  if (!hasReference) process.emitWarning(`${reference}.json is absent: the parity test is skipped`);

  test.skipIf(!hasReference)('answers what PyTorch answered when it was exported', async () => {
    const cases = JSON.parse(await readFile(`${reference}.json`, 'utf8')) as [number, number, number[]][];
    const bytes = await readFile(`${reference}.bin`);
    let offset = 0;
    const take = (count: number) => {
      const start = bytes.byteOffset + offset;
      offset += 4 * count;
      return new Float32Array(bytes.buffer.slice(start, start + 4 * count));
    };
    const session = await model(MODEL_FILES.scene);
    for (const [height, width, dims] of cases) {
      const [outHeight, outWidth] = dims.slice(-2) as [number, number];
      const input = take(3 * height * width);
      const expected: Plane = { data: take(outHeight * outWidth), width: outWidth, height: outHeight };
      expect(largestDifference(await runModel(session, input, width, height), expected)).toBeLessThan(1e-4);
    }
    await session.release();
  });
});
