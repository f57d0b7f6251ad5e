import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnimatedType, isAnimation } from '@framelift/contract/animation';
import { afterAll, describe, expect, test } from 'vitest';
import { encodeAnimation } from '../testing/animations.ts';
import { FrameReader, uprightFrames } from './frames.ts';
import { VIDEO_LIMITS } from './limits.ts';
import { examineVideo } from './open-video.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-animations-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SIZE = { width: 128, height: 96 };
const COLOURS = [
  [200, 40, 30],
  [30, 160, 60],
  [40, 60, 210],
  [220, 200, 40],
] as const;
const DELAYS = [100, 200, 300, 400];

/** Draws one frame: its colour in the left half, nothing in the right half. */
function frameOf([r, g, b]: (typeof COLOURS)[number]): Buffer {
  const { width, height } = SIZE;
  const data = Buffer.alloc(width * height * 4);
  for (let i = 0; i < width * height; i++) if (i % width < width / 2) data.set([r, g, b, 255], 4 * i);
  return data;
}

async function written(type: AnimatedType, frames: readonly Buffer[], delays: readonly number[]) {
  const bytes = await encodeAnimation(type, SIZE, frames, delays);
  const path = join(folder, `${type}-${frames.length}-${delays[0]}`);
  writeFileSync(path, bytes);
  return { bytes, path };
}

/** Returns the time in seconds of each frame, and its colours at the left and at the right. */
async function read(path: string, ground?: string) {
  const video = await examineVideo(path, VIDEO_LIMITS, { ground });
  const reader = new FrameReader(SIZE, 'rgb');
  const options = { crop: { x: 0, y: 0, ...SIZE }, size: SIZE, pixels: 'rgb', threads: 1 } as const;
  const more = { tempFile: join(folder, 'a.cube'), maxSeconds: 60 };
  const frames: { time: number; left: number[]; right: number[] }[] = [];
  try {
    for await (const { frame, time } of uprightFrames(video, { ...options, ...more }, { packets: 0 })) {
      const [rgb] = reader.read(frame) as [Uint8Array];
      const at = (x: number) => [...rgb.subarray(3 * (48 * SIZE.width + x), 3 * (48 * SIZE.width + x) + 3)];
      const den = video.pictures.timeBase.den === 100_000 ? 100_000 : 90_000;
      frames.push({ time: time / den, left: at(20), right: at(108) });
      frame.free();
    }
  } finally {
    reader.free();
  }
  return { video, frames };
}

const near = (colour: readonly number[], wanted: readonly number[]) =>
  expect(Math.max(...colour.map((value, i) => Math.abs(value - (wanted[i] as number))))).toBeLessThanOrEqual(3);

describe.each(['gif', 'webp', 'png'] as const)('an animation of type %s', (type) => {
  test('is read like a video: every frame as long as it is shown, on the chosen ground [T11]', async () => {
    const frames = COLOURS.map(frameOf);
    const { path, bytes } = await written(type, frames, [1000, 2000, 1500, 500]);
    expect(isAnimation(bytes, type)).toBe(true);
    const { video, frames: shown } = await read(path, '#204080');
    expect(video.info).toMatchObject({ type, ...SIZE, playable: false, audio: [] });
    expect(shown.map(({ time }) => time)).toEqual([0, 1, 3, 4.5]);
    for (const [i, { left, right }] of shown.entries()) {
      near(left, COLOURS[i] as readonly number[]);
      near(right, [0x20, 0x40, 0x80]);
    }
  });

  test('is repeated whole until it lasts three seconds, on white if no ground is chosen [T11]', async () => {
    const { path } = await written(type, COLOURS.map(frameOf), DELAYS);
    const { video, frames } = await read(path);
    expect(frames).toHaveLength(12);
    expect(video.info).toMatchObject({ frames: 12, seconds: 3 });
    for (const [i, { time, left, right }] of frames.entries()) {
      expect(time).toBeCloseTo(Math.floor(i / 4) + ([0, 0.1, 0.3, 0.6][i % 4] as number), 3);
      near(left, COLOURS[i % 4] as readonly number[]);
      near(right, [255, 255, 255]);
    }
  });

  test('with a single frame is no video, nor is a part of a file [T11]', async () => {
    const frame = frameOf(COLOURS[0]);
    const { path, bytes } = await written(type, [frame], [100]);
    expect(isAnimation(bytes, type)).toBe(false);
    await expect(examineVideo(path, VIDEO_LIMITS)).rejects.toMatchObject({ code: 'notAFilm' });
    const whole = await encodeAnimation(type, SIZE, COLOURS.map(frameOf), DELAYS);
    for (let length = 0; length < 60; length++) isAnimation(whole.subarray(0, length), type);
    expect(isAnimation(whole.subarray(0, 30), type)).toBe(false);
  });
});
