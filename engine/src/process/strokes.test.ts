import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEVICES } from '../formats/index.ts';
import { requireBuilt } from '../testing/built.ts';
import { drawScene, encoder } from '../testing/pictures.ts';
import type { PictureRequest, Stroke } from '../types.ts';
import { readDepth, writeDepth } from './depth-file.ts';
import { createEngine } from './engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-painted-'));
const portrait = DEVICES.find(({ slug }) => slug === 'looking-glass-portrait') as (typeof DEVICES)[number];
const engine = createEngine({ threads: 1 });
const input = join(folder, 'scene.jpg');
const stored = { path: join(folder, 'stored.png'), source: 'basic' } as const;

beforeAll(async () => {
  requireBuilt();
  await encoder(drawScene(360, 480)).jpeg().toFile(input);
  // A ramp: far at the top, near at the bottom.
  const data = Float32Array.from({ length: 90 * 120 }, (_, i) => Math.floor(i / 90) / 119);
  await writeDepth({ data, width: 90, height: 120, source: 'basic' }, stored.path);
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

function convert(change: Partial<PictureRequest>) {
  const outDir = mkdtempSync(join(folder, 'out-'));
  const request = { input, device: portrait, effect: 100, outDir, name: 'shop', depth: stored, ...change };
  return engine.convert({ ...request, kind: 'picture', formats: change.formats ?? ['depth'], preview: true });
}

const near: Stroke = { kind: 'near', radius: 0.5, amount: 0.4, points: [[0.5, 0.1]] };

/** Returns the grey level of the preview's depth at the centre of its upper part. */
async function previewDepth(path: string): Promise<number> {
  const { data, info } = await sharp(path).greyscale().raw().toBuffer({ resolveWithObject: true });
  return data[Math.round(0.1 * info.height) * info.width + (info.width >> 1)] as number;
}

test('strokes change what is made, and the stored depth stays as it was, so that they can be taken back', async () => {
  const plain = await convert({});
  const painted = await convert({ strokes: [near] });
  const [before, after] = [plain, painted].map(({ preview }) => preview?.depth as string) as [string, string];
  expect((await previewDepth(after)) - (await previewDepth(before))).toBeGreaterThan(70);
  const file = (path: string | null) => readFileSync(path as string);
  expect(file(painted.depthFile).equals(file(plain.depthFile))).toBe(true);
  expect(painted.depthSource).toBe('basic');

  const again = await convert({ depth: { ...stored, path: painted.depthFile as string }, strokes: [near] });
  expect(file(again.files[0]?.path as string).equals(file(painted.files[0]?.path as string))).toBe(true);
  const without = await convert({ depth: { ...stored, path: painted.depthFile as string } });
  expect(file(without.files[0]?.path as string).equals(file(plain.files[0]?.path as string))).toBe(true);
});

test('what is painted far stays as far as it was painted: the range is not stretched over it again', async () => {
  // Pushes back everything near: the nearest remaining depth was the middle of the picture's range.
  const line = (amount: number): Stroke => ({
    kind: 'far',
    radius: 0.4,
    amount,
    points: [0.65, 0.8, 0.95].flatMap((y) => [[0.02, y] as const, [0.98, y] as const]),
  });
  const made = await convert({ strokes: [line(0.5)] });
  const { data, width, height } = await readDepth(made.files[0]?.path as string, 'basic');
  const bottom = data[Math.round(0.95 * height) * width + (width >> 1)] as number;
  expect(bottom).toBeGreaterThan(0.4);
  expect(bottom).toBeLessThan(0.5);
});

test('a chosen convergence lies in the plane of the frame instead of the subject', async () => {
  /** Returns the column of the picture in the left eye relative to the right one, in the upper rows, which are far. */
  const drift = async (convergence: number) => {
    const made = await convert({ formats: ['sbs'], convergence });
    const { data, info } = await sharp(made.files[0]?.path).greyscale().raw().toBuffer({ resolveWithObject: true });
    const width = info.width / 2;
    let best = { shift: 0, sum: Number.POSITIVE_INFINITY };
    for (let shift = -15; shift <= 15; shift++) {
      let sum = 0;
      for (let y = 2; y < 0.12 * info.height; y++) {
        for (let x = 60; x < width - 60; x++) {
          const left = data[y * info.width + x] as number;
          sum += Math.abs(left - (data[y * info.width + width + x + shift] as number));
        }
      }
      if (sum < best.sum) best = { shift, sum };
    }
    return best.shift;
  };
  // At convergence 0 far areas do not move; at 1 they are further right in the right eye.
  expect(Math.abs(await drift(0))).toBeLessThanOrEqual(1);
  expect(await drift(1)).toBeGreaterThanOrEqual(5);
});
