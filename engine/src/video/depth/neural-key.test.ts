import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NEURAL_MODELS, type NeuralModel } from '../../depth/neural/catalogue.ts';
import { loadNeuralDepth, type NeuralDepth, UnusableDepthError } from '../../depth/neural/neural-depth.ts';
import { correlation } from '../../depth/statistics.ts';
import { DEVICES } from '../../formats/index.ts';
import { createEngine } from '../../process/engine.ts';
import { requireBuilt } from '../../testing/built.ts';
import { testModel } from '../../testing/test-models.ts';
import { type FrameOptions, frameOf, PictureScaler } from '../../testing/video-frames.ts';
import { writeVideo } from '../../testing/videos.ts';
import type { DeviceProfile, VideoTier } from '../../types.ts';
import { neuralKeyEstimator } from './neural-key.ts';
import { VideoDepth } from './video-depth.ts';

const model = NEURAL_MODELS[0] as NeuralModel;
const folder = mkdtempSync(join(tmpdir(), 'framelift-neural-video-'));
const size = { width: 320, height: 180 };
let neural: NeuralDepth;

beforeAll(async () => {
  requireBuilt();
  const file = join(folder, model.files.fp32.file);
  writeFileSync(file, testModel('brightness'));
  neural = await loadNeuralDepth({ model, files: { fp32: file } }, 1);
});
afterAll(async () => {
  await neural.close();
  rmSync(folder, { recursive: true });
});

async function depthsOf(count: number, fps: number, frame: (n: number) => FrameOptions) {
  const video = new VideoDepth(size, neuralKeyEstimator(neural), 2);
  const scaler = new PictureScaler(size);
  const depths: Float32Array[] = [];
  const cuts: number[] = [];
  const estimated: number[] = [];
  for (let n = 0; n < count; n++) {
    const picture = frameOf(size, frame(n));
    await video.next((to) => scaler.scale(picture, to), n / fps);
    depths.push(Float32Array.from(video.depth));
    if (video.cut) cuts.push(n);
    if (video.estimated) estimated.push(n);
  }
  return { depths, cuts, estimated };
}

/** 6.8 pixels of 640. */
const PAN = 3.4;
/** Mean change of depth along the motion of the picture, which moves left; the grid is as large as the picture. */
function changeAlong(now: Float32Array, before: Float32Array, motion: number): number {
  let [sum, count] = [0, 0];
  for (let y = 0; y < size.height; y++)
    for (let x = 0; x + motion < size.width - 1; x++, count++) {
      const at = y * size.width + x + Math.floor(motion);
      const share = motion % 1;
      const there = (before[at] as number) * (1 - share) + (before[at + 1] as number) * share;
      sum += Math.abs((now[y * size.width + x] as number) - there);
    }
  return sum / count;
}

const changeOf = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, v, i) => sum + Math.abs(v - (b[i] as number)), 0) / a.length;

test('a video of the tier best gets its depth from the neural model in use, one of the tier fast does not', async () => {
  const input = join(folder, 'video.mp4');
  await writeVideo(input, { ...size, frames: 20, draw: (n) => frameOf(size, { square: 40 + 2 * n }).data });
  const engine = createEngine({ threads: 1, neuralDir: folder });
  const device = DEVICES.find(({ format }) => format === 'hsbs') as DeviceProfile;
  const convert = (tier: VideoTier) => {
    const [outDir, workDir] = ['out', 'work'].map((name) => join(folder, `${name}-${tier}`)) as [string, string];
    for (const dir of [outDir, workDir]) mkdirSync(dir);
    return engine.convert({
      kind: 'video',
      input,
      device,
      effect: 100,
      tier,
      format: 'sbs',
      name: 'it',
      outDir,
      workDir,
    });
  };
  try {
    expect((await convert('best')).depthSource).toBe(`model:${model.id}`);
    expect((await convert('fast')).depthSource).toBe('basic');
  } finally {
    await engine.close();
  }
});

test('[T8] in a fast pan nothing pops with the neural model, and a cut begins anew', async () => {
  const { depths, cuts, estimated } = await depthsOf(60, 25, (n) => ({ pan: PAN * n, place: n < 40 ? 0 : 1 }));
  expect(cuts).toEqual([0, 40]);
  expect(estimated.length).toBeGreaterThan(4);
  for (let n = 1; n < depths.length; n++) {
    if (n === 40) continue;
    const moved = changeAlong(depths[n] as Float32Array, depths[n - 1] as Float32Array, PAN);
    expect(255 * moved, `frame ${n}`).toBeLessThan(2);
  }
});

test('a frame that the model cannot read keeps the depth before it', async () => {
  const still = { square: 120 };
  const failing = {
    ...neural,
    estimate: async () => Promise.reject(new UnusableDepthError('nothing to see')),
  } satisfies NeuralDepth;
  let works = true;
  const switching = {
    ...neural,
    estimate: (...given: Parameters<NeuralDepth['estimate']>) => (works ? neural : failing).estimate(...given),
  };
  const video = new VideoDepth(size, neuralKeyEstimator(switching), 2);
  const scaler = new PictureScaler(size);
  const next = (n: number) => video.next((to) => scaler.scale(frameOf(size, still), to), n / 5);
  for (let n = 0; n < 6; n++) await next(n);
  const before = Float32Array.from(video.depth);
  works = false;
  for (let n = 6; n < 20; n++) await next(n);
  expect(correlation(before, video.depth)).toBeGreaterThan(0.99);
  expect(255 * changeOf(before, video.depth)).toBeLessThan(1);
});

test('a model that does not run ends the video, which would be flat without its depth', async () => {
  const broken = {
    ...neural,
    estimate: async () => Promise.reject(new Error('the device is out of memory')),
  } satisfies NeuralDepth;
  const video = new VideoDepth(size, neuralKeyEstimator(broken), 2);
  const scaler = new PictureScaler(size);
  const picture = frameOf(size, { square: 120 });
  await expect(video.next((to) => scaler.scale(picture, to), 0)).rejects.toThrow('out of memory');
});
