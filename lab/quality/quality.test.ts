import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharp } from '../../engine/src/decode/decoder.ts';
import type { Plane } from '../../engine/src/depth/plane.ts';
import { requireBuilt } from '../../engine/src/testing/built.ts';
import { draw } from '../../engine/src/testing/pictures.ts';
import { intoPage } from '../bench/report.ts';
import { meanOverGroups } from './depth-quality.ts';
import { scoreDepth } from './depth-score.ts';
import { measureFlicker, plainView } from './flicker.ts';
import { MersenneTwister } from './mersenne-twister.ts';
import { depthFigures, type QualityFigures, qualityMarkdown } from './quality-report.ts';
import { preparedScenes, readScene } from './stereo-files.ts';

const SYNTHESISE = join(import.meta.dirname, 'synthesise.ts');
const folder = mkdtempSync(join(tmpdir(), 'framelift-quality-test-'));
beforeAll(requireBuilt);
afterAll(() => rmSync(folder, { recursive: true }));

test("the random pairs are those of numpy's RandomState(1)", () => {
  const random = new MersenneTwister(1);
  // numpy.random.RandomState(1).randint(0, 1000, 8), then randint(0, 171310, 4)
  expect(Array.from({ length: 8 }, () => random.below(1000))).toEqual([37, 235, 908, 72, 767, 905, 715, 645]);
  expect(Array.from({ length: 4 }, () => random.below(171_310))).toEqual([117583, 21440, 151681, 138823]);
});

describe('the score of a depth map', () => {
  const width = 60;
  const plane = (value: (x: number, y: number) => number): Plane => ({
    data: Float32Array.from({ length: width * 40 }, (_, i) => value(i % width, Math.floor(i / width))),
    width,
    height: 40,
  });
  const truth = plane((x, y) => (x < 3 ? 0 : 1000 + 20 * y + 5 * x));

  test('is full for the truth in any unit, and a map upside down has every pair wrong', () => {
    const good = scoreDepth(
      plane((x, y) => 0.3 + (1000 + 20 * y + 5 * x) / 7000),
      truth,
      false,
    );
    expect(good.ordinal).toBeGreaterThan(0.999);
    expect(good.absRel).toBeCloseTo(0, 3);
    expect(good.delta1).toBe(1);
    const bad = scoreDepth(
      plane((x, y) => -20 * y - 5 * x),
      truth,
      false,
    );
    expect(bad.ordinal).toBeLessThan(0.001);
    expect(bad.absRel).toBeGreaterThan(0.1);
  });

  test('of one plane is chance', () => {
    expect(
      scoreDepth(
        plane(() => 0.5),
        truth,
        false,
      ).ordinal,
    ).toBe(0.5);
  });

  test('asks for order alone where the truth is relative', () => {
    expect(
      scoreDepth(
        plane((_, y) => y),
        truth,
        true,
      ),
    ).toMatchObject({ absRel: null, delta1: null });
  });
});

test('groups count alike, kinds within a group by the root of their number', () => {
  const of = (kind: string, ...values: number[]) => values.map((value) => ({ kind, value }));
  const values = [...of('kitti', 1, 1, 1, 1), ...of('field', 0), ...of('apc', 0.5), ...of('lensblur', Number.NaN)];
  expect(meanOverGroups(values)).toBeCloseTo(((2 * 1 + 1 * 0) / 3 + 0.5) / 2, 10);
});

describe('flicker', () => {
  // A near bar in front of noise: the filled area next to it must not be noise.
  const noise = (x: number, y: number) => ((x * 7919 + y * 104_729) % 251) - 125;
  const isNear = (x: number) => x >= 60 && x < 110;
  const left = draw(200, 40, (x, y) => (isNear(x) ? [230, 60, 40] : [128 + noise(x, y) / 2, 120, 110]));
  const disparity = Float32Array.from({ length: 200 * 40 }, (_, i) => (isNear(i % 200) ? 24 : 4));

  test('in what was filled in is less than in what merely moves [V50]', () => {
    const { filled, visible } = measureFlicker(left, disparity, 12);
    expect(filled).toBeGreaterThan(0);
    expect(filled).toBeLessThan(0.5 * visible);
  });

  test('is measured where the plain warp has holes, and nowhere else', () => {
    const { holes, view } = plainView(left, disparity, 1);
    // The bar moves 24 px to the left, the ground 4: 20 px are disoccluded at its right side.
    expect([...holes.subarray(0, 196)].flatMap((hole, x) => (hole ? [x] : []))).toEqual(
      Array.from({ length: 20 }, (_, i) => 86 + i),
    );
    expect(view.data[3 * 90]).toBe(left.data[3 * 110]);
  });
});

test('right views are made of a folder of scenes by the command line', async () => {
  const scene = mkdtempSync(join(folder, 'scene-'));
  const width = 120;
  const left = draw(width, 20, (x) => (x >= 50 && x < 70 ? [250, 40, 40] : [40, 40, 200]));
  await sharp(left.data, { raw: { width, height: 20, channels: 3 } })
    .png()
    .toFile(join(scene, 'bar.left.png'));
  const steps = Uint16Array.from({ length: width * 20 }, (_, i) =>
    i % width >= 50 && i % width < 70 ? 64 * 10 : 64 * 2,
  );
  await sharp(steps, { raw: { width, height: 20, channels: 1 } })
    .toColourspace('grey16')
    .png()
    .toFile(join(scene, 'bar.disparity.png'));
  expect(preparedScenes(scene)).toEqual(['bar']);
  expect((await readScene(scene, 'bar')).disparity[60]).toBe(10);
  execFileSync(process.execPath, [SYNTHESISE, '--batch', scene]);
  const { data } = await sharp(join(scene, 'bar.png')).raw().toBuffer({ resolveWithObject: true });
  const row = data.subarray(3 * width * 10, 3 * width * 11);
  // The near bar is 10 px further left for the right eye.
  expect(row[3 * 42]).toBeGreaterThan(200);
  expect(row[3 * 58]).toBeGreaterThan(200);
  expect(row[3 * 64]).toBeLessThan(80);
  writeFileSync(join(folder, 'nothing'), '');
  expect(spawnSync(process.execPath, [SYNTHESISE, '--batch', folder]).status).toBe(1);
  expect(spawnSync(process.execPath, [SYNTHESISE]).status).toBe(2);
});

test('the figures have the promised keys, and go into their own part of the page', () => {
  const score = { ordinal: 0.77, absRel: 0.24, delta1: 0.71 };
  const part = { ours: 29.2, plain: 27.7, identity: 15.6 };
  const figures: QualityFigures = {
    date: '2025-01-31',
    node: '20.0.0',
    stereo: { all: part, edges: part, disoccluded: part },
    belowPlain: [],
    scenes: 11,
    flicker: { filled: 2, visible: 5, plain: 4 },
    depth: depthFigures({ builtin: score, verticalRamp: { ...score, ordinal: 0.73 } }, 83),
  };
  expect(figures.depth.ordinal).toEqual({ builtin: 0.77, verticalRamp: 0.73 });
  const withNeural = depthFigures({ builtin: score, verticalRamp: score, neural: score }, 83, 'A Network');
  expect(withNeural.delta1.neural).toBe(0.71);
  const text = qualityMarkdown({ ...figures, depth: withNeural });
  expect(text).toContain('| **Framelift** | 29.20 | 29.20 | 29.20 |');
  expect(text).toContain('| A Network | 0.770 | 0.240 | 0.710 |');
  expect(qualityMarkdown(figures)).not.toContain('undefined');
  const section = { command: 'npm run bench:quality', title: 'Quality' };
  const page = intoPage(intoPage('# Benchmarks\n', 'speed\n'), text, section);
  expect(page).toMatch(/speed[\s\S]*## Quality/);
  expect(intoPage(page, 'newer\n', section)).toContain('speed');
  expect(intoPage(page, 'newer\n', section)).not.toContain('29.20');
});
