import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareModels } from '../../scripts/prepare-models.ts';
import { openPicture } from '../decode/open.ts';
import { draw } from '../testing/pictures.ts';
import { sharedData } from '../testing/shared-data.ts';
import type { DepthMap, Picture } from '../types.ts';
import { type BasicDepth, createBasicDepth } from './index.ts';

/** Draws a shaded red ball with its shadow on a grey table in front of a wall. */
function drawBall(width: number, height: number): Picture {
  return draw(width, height, (px, py) => {
    const x = (px + 0.5) / width;
    const y = (py + 0.5) / height;
    const dx = (x - BALL.x) / BALL.radiusX;
    const dy = (y - BALL.y) / BALL.radiusY;
    const grain = ((px * 7919 + py * 104729) % 17) - 8;
    if (dx * dx + dy * dy < 1) {
      const light = 0.35 + 0.65 * Math.max(0, 1 - Math.hypot(dx + 0.4, dy + 0.5) / 1.7);
      return [235 * light, 40 * light, 30 * light];
    }
    const shadow = Math.hypot((x - BALL.x - 0.05) / 0.24, (y - 0.79) / 0.05) < 1 ? 0.55 : 1;
    return y < 0.45 ? [196 + grain, 200 + grain, 190 + grain] : [(150 + grain) * shadow, (140 + grain) * shadow, 120];
  });
}
const BALL = { x: 0.5, y: 0.56, radiusX: 0.18, radiusY: 0.24 };

/** Rows above the outline of a gable, a chimney, a pole and the crowns of trees, by column; the ground begins at 300. */
function outline(x: number): number {
  if (x > 150 && x < 170) return 110;
  if (x > 40 && x < 220) return Math.round(140 + 0.9 * Math.abs(x - 130));
  if (x > 300 && x < 307) return 60;
  if (x > 380 && x < 600) {
    const crowns = 200 - 40 * Math.sin(((x - 380) / 220) * Math.PI);
    return Math.round(crowns + 14 * Math.sin(x / 6) + 6 * Math.sin(x / 2.3));
  }
  return 300;
}

/** Draws them in front of a blue sky with two clouds. */
function drawStreet(): Picture {
  return draw(640, 480, (x, y) => {
    const grain = ((x * 7919 + y * 104729) % 23) - 11;
    if (y < outline(x)) {
      const cloud = Math.max(
        0,
        1 - Math.hypot((x - 250) / 120, (y - 45) / 25),
        1 - Math.hypot((x - 520) / 90, (y - 80) / 20),
      );
      const light = Math.min(1, y / 300 + cloud);
      return [130 + 90 * light, 165 + 60 * light, 225 + 15 * light];
    }
    if (y > 300) return [90 + y / 16 + grain, 110 + y / 16 + grain, 50 + grain];
    if (x > 380 && x < 600) return [50 + grain, 80 + grain, 40 + grain];
    return x > 300 && x < 307 ? [70, 65, 60] : [150 + grain, 90 + grain, 70 + grain];
  });
}

const at = (depth: DepthMap, x: number, y: number) =>
  depth.data[Math.floor(y * depth.height) * depth.width + Math.floor(x * depth.width)] as number;
const isSound = (depth: DepthMap) => depth.data.every((value) => value >= 0 && value <= 1);

let estimator: BasicDepth;
/** Uses the faster matte, for tests that do not depend on its quality. */
let quick: BasicDepth;
beforeAll(async () => {
  await prepareModels();
  [estimator, quick] = await Promise.all([createBasicDepth(), createBasicDepth({ matteSize: 512 })]);
});
afterAll(() => Promise.all([estimator.close(), quick.close()]));

describe('the built-in estimator', () => {
  test('all models load', () => {
    expect([...estimator.warnings, ...quick.warnings]).toEqual([]);
  });

  test('a thing on a table stands out from what is beside it, sharply, and the table comes nearer downwards', async () => {
    const depth = await estimator.estimate(drawBall(1280, 960));
    expect(depth).toMatchObject({ width: 640, height: 480, source: 'basic' });
    expect(isSound(depth)).toBe(true);
    for (const x of [BALL.x - 0.8 * BALL.radiusX, BALL.x + 0.8 * BALL.radiusX]) {
      const outside = x < BALL.x ? x - 0.07 : x + 0.07;
      expect(at(depth, x, BALL.y)).toBeGreaterThan(at(depth, outside, BALL.y) + 0.1);
    }
    const edge = BALL.x + BALL.radiusX;
    const step = at(depth, edge - 0.012, BALL.y) - at(depth, edge + 0.012, BALL.y);
    expect(step).toBeGreaterThan(0.1);
    expect(at(depth, 0.1, 0.95)).toBeGreaterThan(at(depth, 0.1, 0.6));
    expect(at(depth, 0.1, 0.6)).toBeGreaterThan(at(depth, 0.1, 0.1));
  });

  test('[T18] roofs, poles and crowns keep their outline against a sky with clouds within two pixels', async () => {
    const { data, width } = await estimator.estimate(drawStreet());
    const value = (x: number, y: number) => data[y * width + x] as number;
    const errors: number[] = [];
    for (let x = 0; x < width; x++) {
      const edge = outline(x);
      if (edge === 300) continue;
      const halfway = (value(x, edge - 12) + value(x, edge + 8)) / 2;
      let y = 0;
      while (value(x, y) < halfway) y++;
      errors.push(Math.abs(y - edge));
    }
    errors.sort((a, b) => a - b);
    expect(errors.length).toBeGreaterThan(350);
    expect(errors[Math.floor(0.95 * errors.length)]).toBeLessThanOrEqual(2);
  });

  const wood = sharedData('photos/silver_fir.jpg');
  test.skipIf(wood === null)('[T17] the trunks of a wood stand at the depth of their foot', async () => {
    const open = await openPicture(wood as string);
    const depth = await estimator.estimate(await open.cut({ x: 0, y: 0, ...open.size }));
    // One pixel of 420 between the first and the last view of a Portrait quilt.
    const pixel = 1 / (420 * 0.08 * (4 / 3));
    for (const [x, top, foot] of [
      [0.079, 0.1, 0.78],
      [0.3, 0.25, 0.88],
      [0.455, 0.35, 0.58],
    ] as const) {
      expect(Math.abs(at(depth, x, top) - at(depth, x, foot)), `trunk at ${x}`).toBeLessThan(pixel);
    }
  });

  test.each([
    ['portrait', 300, 900, 213, 640],
    ['tiny', 1, 1, 1, 1],
    ['thin', 900, 2, 640, 1],
  ])('a %s picture is estimated too', async (_, width, height, depthWidth, depthHeight) => {
    const depth = await quick.estimate(drawBall(width, height));
    expect(depth).toMatchObject({ width: depthWidth, height: depthHeight });
    expect(depth.data).toHaveLength(depthWidth * depthHeight);
    expect(isSound(depth)).toBe(true);
  });

  test('a picture that is all grey still has finite depth', async () => {
    const depth = await quick.estimate(draw(320, 240, () => [128, 128, 128]));
    expect(isSound(depth)).toBe(true);
  });

  test('progress rises to 1', async () => {
    const fractions: number[] = [];
    await quick.estimate(drawBall(64, 64), { onProgress: (fraction) => fractions.push(fraction) });
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    expect(fractions.at(0)).toBe(0);
    expect(fractions.at(-1)).toBe(1);
  });

  test('cancelling before or within ends with conversionCancelled', async () => {
    await expect(quick.estimate(drawBall(64, 64), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'conversionCancelled',
    });
    const cancel = new AbortController();
    const running = quick.estimate(drawBall(64, 64), { signal: cancel.signal, onProgress: () => cancel.abort() });
    await expect(running).rejects.toMatchObject({ code: 'conversionCancelled' });
  });

  test('it estimates two pictures at once as one after the other', async () => {
    const [a, b] = [drawBall(200, 150), draw(200, 150, (_x, y) => [y, y, 200])];
    const together = await Promise.all([quick.estimate(a), quick.estimate(b)]);
    expect(together).toEqual([await quick.estimate(a), await quick.estimate(b)]);
  });

  const falcon = sharedData('photos/prairie_falcon.jpg');
  test.skipIf(falcon === null)('a bird on a photograph stands out from the sky behind it', async () => {
    const open = await openPicture(falcon as string);
    const depth = await estimator.estimate(await open.cut({ x: 0, y: 0, ...open.size }));
    expect(isSound(depth)).toBe(true);
    expect(at(depth, 0.5, 0.5)).toBeGreaterThan(at(depth, 0.5, 0.1));
  });
});

describe('without models', () => {
  let empty: string;
  beforeAll(async () => {
    empty = await mkdtemp(join(tmpdir(), 'framelift-no-models-'));
  });
  afterAll(() => rm(empty, { recursive: true }));

  test('the layout alone still gives depth, and the operator is told what is missing', async () => {
    const bare = await createBasicDepth({ modelsDir: empty, matteSize: 512 });
    expect(bare.warnings).toHaveLength(2);
    expect(bare.warnings.join(' ')).toMatch(/isnet-512\.onnx.*scene-depth\.onnx/);
    const depth = await bare.estimate(drawBall(320, 240));
    expect(isSound(depth)).toBe(true);
    expect(at(depth, 0.5, 0.95)).toBeGreaterThan(at(depth, 0.5, 0.2) + 0.5);
    await bare.close();
  });
});
