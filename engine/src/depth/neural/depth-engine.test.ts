import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { prepareModels } from '../../../scripts/prepare-models.ts';
import { draw } from '../../testing/pictures.ts';
import { type TestModel, testModel } from '../../testing/test-models.ts';
import type { DepthMap, Picture } from '../../types.ts';
import { NEURAL_MODELS, type NeuralModel, type Precision } from './catalogue.ts';
import { createDepthEngine, type DepthEngine, type DepthEngineOptions } from './depth-engine.ts';
import { disagreement } from './device.ts';
import { networkSize } from './network.ts';

const model = NEURAL_MODELS[0] as NeuralModel;
const folder = mkdtempSync(join(tmpdir(), 'framelift-neural-'));
beforeAll(() => prepareModels());
afterAll(() => rmSync(folder, { recursive: true }));

const open: DepthEngine[] = [];
afterEach(() => Promise.all(open.splice(0).map((engine) => engine.close())));

/** Creates an engine with these installed model files; `bytes` is written as is. */
async function engineWith(
  files: Partial<Record<Precision, TestModel | { bytes: string }>>,
  options: Partial<DepthEngineOptions> = {},
) {
  const neuralDir = mkdtempSync(join(folder, 'models-'));
  for (const [precision, content] of Object.entries(files)) {
    const bytes = typeof content === 'string' ? testModel(content) : content.bytes;
    writeFileSync(join(neuralDir, model.files[precision as Precision].file), bytes);
  }
  const warnings: string[] = [];
  const engine = await createDepthEngine({ ...options, neuralDir, warn: (sentence) => warnings.push(sentence) });
  open.push(engine);
  return { engine, warnings };
}

/** A bright square in front of a grey ground, with a black spot of the given side in a corner. */
function square(width: number, height: number, spot = 0): Picture {
  return draw(width, height, (x, y) => {
    if (x < spot && y < spot) return [0, 0, 0];
    const inside = Math.abs(x / width - 0.5) < 0.2 && Math.abs(y / height - 0.5) < 0.2;
    return inside ? [220, 180, 140] : [90, 70, 60];
  });
}

const at = ({ data, width, height }: DepthMap, u: number, v: number) =>
  data[Math.floor(v * height) * width + Math.floor(u * width)] as number;
const isSound = ({ data }: DepthMap) => data.every((value) => value >= 0 && value <= 1);

describe('the size that goes into the network', () => {
  test.each([
    [4000, 3000, 686, 518],
    [3000, 4000, 518, 686],
    [518, 518, 518, 518],
    [1920, 1080, 826, 462],
    [100, 5000, 112, 2072],
  ])('of %i x %i is %i x %i', (width, height, expectedWidth, expectedHeight) => {
    expect(networkSize({ width, height }, 14, 518)).toEqual({ width: expectedWidth, height: expectedHeight });
  });

  test('is a multiple of 14 and no larger than for an ordinary photo, however large or long a panorama is [V27]', async () => {
    for (const [width, height] of [
      [16_384, 4096],
      [12_000, 6000],
      [32_768, 2048],
      [20_000, 5000],
    ] as const) {
      const size = networkSize({ width, height }, 14, 518);
      expect((size.width % 14) + (size.height % 14)).toBe(0);
      expect(size.width * size.height).toBeLessThan(450_000);
    }
    const { engine } = await engineWith({ fp32: 'brightness' });
    const depth = await engine.estimate(square(8400, 1400));
    expect(depth.source).toBe('model:depth-anything-v2-small');
    expect(depth.width / depth.height).toBeCloseTo(6, 1);
    expect(at(depth, 0.5, 0.5)).toBeGreaterThan(at(depth, 0.1, 0.5) + 0.5);
  });
});

describe('an installed model', () => {
  test('estimates, and names itself and its licence after its self-test [V64]', async () => {
    const { engine, warnings } = await engineWith({ fp32: 'brightness' });
    const depth = await engine.estimate(square(400, 300));
    expect(isSound(depth)).toBe(true);
    expect(depth).toMatchObject({ width: 400, height: 300, source: 'model:depth-anything-v2-small' });
    expect(at(depth, 0.5, 0.5)).toBeGreaterThan(0.9);
    expect(at(depth, 0.1, 0.9)).toBeLessThan(0.1);
    const status = await engine.status();
    expect(status.depth).toMatchObject({
      source: 'model:depth-anything-v2-small',
      name: 'Depth Anything V2 Small',
      licence: 'Apache-2.0',
      selfTest: 'ok',
    });
    expect(status.versions.onnxRuntime).toMatch(/^\d+\.\d+/);
    expect(warnings).toEqual([]);
  });

  test('that takes one size only gets that size, and the map has the ratio of the picture', async () => {
    const { engine } = await engineWith({ fp32: 'fixedSize' });
    const depth = await engine.estimate(square(300, 600));
    expect(depth.source).toBe('model:depth-anything-v2-small');
    expect(depth.width * 2).toBe(depth.height);
    expect(at(depth, 0.5, 0.5)).toBeGreaterThan(at(depth, 0.1, 0.1));
  });

  test.each([
    ['is no model at all', { fp32: { bytes: 'not a model' } }, /cannot be loaded/, 'damaged'],
    ['answers no picture', { fp32: 'scalar' }, /self-test.*not one plane/, 'selfTestFailed'],
    ['sees everything in one plane', { fp32: 'flat' }, /self-test/, 'selfTestFailed'],
  ] as const)('that %s gives way to basic depth, and the operator is told [V64]', async (_, files, reason, problem) => {
    const { engine, warnings } = await engineWith(files);
    expect(warnings.join()).toMatch(reason);
    const status = await engine.status();
    expect(status.depth).toMatchObject({ source: 'basic', name: 'Basic depth', selfTest: 'ok' });
    expect(status.warnings).toEqual(warnings);
    expect(status.unusable).toEqual([{ id: model.id, problem, detail: expect.any(String) }]);
  });
});

describe('the device', () => {
  /** This machine has no provider of that name, whatever its hardware. */
  const missing = process.platform === 'darwin' ? 'directml' : 'coreml';

  test('that was asked for and is not there is missed with a sentence, and the processor does its work', async () => {
    const { engine, warnings } = await engineWith({ fp32: 'brightness' }, { device: missing });
    expect(warnings).toEqual([expect.stringMatching(`cannot run on ${missing}; the processor does it`)]);
    expect((await engine.status()).depth).toMatchObject({ source: 'model:depth-anything-v2-small', device: 'cpu' });
    expect((await engine.estimate(square(64, 64))).source).toBe('model:depth-anything-v2-small');
  });

  test('is the processor without a word where nothing was asked for and nothing else is there', async () => {
    const { engine, warnings } = await engineWith({ fp32: 'brightness' }, { device: 'cpu' });
    expect((await engine.status()).depth.device).toBe('cpu');
    expect(warnings).toEqual([]);
  });

  test('agrees with the processor, or its depth is not used', async () => {
    const picture = square(400, 300);
    const right = await (await engineWith({ fp32: 'brightness' })).engine.estimate(picture);
    expect(disagreement(right, right)).toBeNull();
    const rounded = { ...right, data: right.data.map((value) => Math.round(value * 255) / 255) };
    expect(disagreement(rounded, right)).toBeNull();
    expect(disagreement({ ...right, data: right.data.map((value) => 1 - value) }, right)).toMatch(/differs by \d/);
    expect(disagreement({ ...right, width: right.height, height: right.width }, right)).toMatch(/another size/);
  });
});

describe('values that are no numbers', () => {
  test('are replaced by their neighbours when they are few [V54]', async () => {
    const { engine, warnings } = await engineWith({ fp32: 'darkIsBroken' });
    const depth = await engine.estimate(square(400, 300, 30));
    expect(depth.source).toBe('model:depth-anything-v2-small');
    expect(isSound(depth)).toBe(true);
    expect(warnings).toEqual([]);
  });

  test('make the built-in estimator take over when they are many, with a warning [V54]', async () => {
    const { engine, warnings } = await engineWith({ fp32: 'darkIsBroken' });
    const depth = await engine.estimate(square(400, 300, 150));
    expect(depth.source).toBe('basic');
    expect(isSound(depth)).toBe(true);
    expect(warnings.join()).toMatch(/Basic depth was used for a picture.*\d+ % of its values are no numbers/);
    // The next picture is estimated by the model again.
    expect((await engine.estimate(square(400, 300))).source).toBe('model:depth-anything-v2-small');
  });

  test('of half precision make full precision try, where it is installed [V54]', async () => {
    const { engine, warnings } = await engineWith({ fp16: 'darkIsBroken', fp32: 'brightness' });
    const depth = await engine.estimate(square(400, 300, 150));
    expect(depth.source).toBe('model:depth-anything-v2-small');
    expect(isSound(depth)).toBe(true);
    expect(at(depth, 0.1, 0.1)).toBeCloseTo(0, 5);
    expect(warnings).toEqual([]);
  });
});

describe('sky', () => {
  const outdoors = draw(400, 300, (_x, y) => (y < 120 ? [150, 190, 240] : [70 + (y % 7) * 9, 80, 40]));
  const ceiling = draw(400, 300, (_x, y) => (y < 120 ? [222, 220, 218] : [90 + (y % 7) * 9, 80, 60]));

  test('is the farthest thing even where the network sees it near [V57]', async () => {
    const { engine } = await engineWith({ fp32: 'brightness' });
    const depth = await engine.estimate(outdoors);
    expect(at(depth, 0.5, 0.1)).toBeLessThan(0.03);
    expect(at(depth, 0.5, 0.9)).toBeGreaterThan(at(depth, 0.5, 0.1));
  });

  test('is not seen in a white ceiling that the network knows to be near', async () => {
    const { engine } = await engineWith({ fp32: 'brightness' });
    expect(at(await engine.estimate(ceiling), 0.5, 0.1)).toBeGreaterThan(0.9);
  });
});

test('cancelling ends with conversionCancelled, progress rises to 1', async () => {
  const { engine } = await engineWith({ fp32: 'brightness' });
  const told: number[] = [];
  await engine.estimate(square(64, 64), { onProgress: (fraction) => told.push(fraction) });
  expect(told).toEqual(told.toSorted((a, b) => a - b));
  expect(told.at(-1)).toBe(1);
  await expect(engine.estimate(square(64, 64), { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'conversionCancelled',
  });
});
