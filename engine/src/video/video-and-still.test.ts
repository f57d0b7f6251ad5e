import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VideoFormat } from '@framelift/contract/formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEngine } from '../process/engine.ts';
import { requireBuilt } from '../testing/built.ts';
import { decoded, encoder } from '../testing/pictures.ts';
import { frameOf, pictureOf } from '../testing/video-frames.ts';
import { writeVideo } from '../testing/videos.ts';
import type { DeviceProfile, Picture } from '../types.ts';
import { FrameReader, uprightFrames } from './frames.ts';
import { VIDEO_LIMITS } from './limits.ts';
import { examineVideo } from './open-video.ts';
import { wholeFrame } from './plan-video.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-video-and-still-'));
const engine = createEngine({ threads: 2 });
beforeAll(requireBuilt);
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

const size = { width: 640, height: 360 };
const device: DeviceProfile = {
  slug: 'panel',
  name: 'Panel',
  ratio: [16, 9],
  resolution: size,
  format: 'hsbs',
  disparityBudget: 3,
};
const convergence = 0.5;
const MARGIN = 8;

let count = 0;
function folders() {
  const own = join(folder, String(count++));
  for (const dir of ['out', 'work']) mkdirSync(join(own, dir), { recursive: true });
  return { outDir: join(own, 'out'), workDir: join(own, 'work') };
}

async function firstFrame(path: string): Promise<Picture> {
  const video = await examineVideo(path, VIDEO_LIMITS);
  const crop = wholeFrame(video.pictures.shown);
  const { width, height } = crop;
  const pixels = 'yuv420';
  const options = { crop, size: { width, height }, pixels, threads: 1, tempFile: '', maxSeconds: 9 } as const;
  const reader = new FrameReader({ width, height }, pixels);
  for await (const { frame } of uprightFrames(video, options, { packets: 0 })) {
    const picture = pictureOf(Buffer.concat(reader.read(frame)), pixels, { width, height });
    frame.free();
    reader.free();
    return picture;
  }
  throw new Error('no frame');
}

/**
 * Returns the mean absolute difference (0 … 255) of two half side-by-side eyes shifted by `dx` pixels, without the
 * frame's edges.
 */
function difference(a: Picture, eyeOfA: 0 | 1, b: Picture, eyeOfB: 0 | 1, dx = 0): number {
  const { width, height } = a;
  const row = (width / 2 - 2 * MARGIN) * 3;
  const at = (eye: 0 | 1, y: number) => 3 * (y * width + (eye * width) / 2 + MARGIN);
  let sum = 0;
  for (let y = 0; y < height; y++) {
    const [from, to] = [at(eyeOfA, y), at(eyeOfB, y) + 3 * dx];
    for (let i = 0; i < row; i++) sum += Math.abs((a.data[from + i] as number) - (b.data[to + i] as number));
  }
  return sum / (row * height);
}

test('a frame of a video is, pixel by pixel, what the same picture and depth become as a photo', async () => {
  const picture = frameOf(size, { square: 260 });
  const input = join(folder, 'video.mp4');
  await writeVideo(input, { ...size, frames: 2, draw: () => picture.data, options: { qp: 4 } });
  const video = async (format: VideoFormat) => {
    const request = {
      kind: 'video',
      input,
      device,
      effect: 100,
      tier: 'fast',
      format,
      name: 'video',
      convergence,
    } as const;
    return firstFrame((await engine.convert({ ...request, ...folders() })).file.path);
  };
  const [moving, beside] = [await video('hsbs'), await video('rgbd')];

  const depth = join(folder, 'depth.png');
  await encoder(beside)
    .extract({ left: size.width, top: 0, ...size })
    .greyscale()
    .png()
    .toFile(depth);
  const photo = join(folder, 'photo.png');
  await encoder(picture).png().toFile(photo);
  const { files } = await engine.convert({
    kind: 'picture',
    input: photo,
    device,
    effect: 100,
    formats: ['hsbs'],
    name: 'photo',
    convergence,
    depth: { path: depth, source: 'member' },
    outDir: folders().outDir,
  });
  const still = await decoded(files[0]?.path as string);

  expect([moving.width, moving.height]).toEqual([still.width, still.height]);
  for (const eye of [0, 1] as const) {
    const same = difference(moving, eye, still, eye);
    expect(same).toBeLessThan(2);
    // The other eye, and the same eye shifted by a pixel, differ clearly.
    expect(difference(moving, eye, still, eye === 0 ? 1 : 0)).toBeGreaterThan(1.5 * same);
    for (const dx of [-1, 1]) expect(difference(moving, eye, still, eye, dx)).toBeGreaterThan(1.3 * same);
  }
});
