import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnimatedType, isAnimation } from '@framelift/contract/animation';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { encodeAnimation } from '../testing/animations.ts';
import { beside, standingScene } from '../testing/depth-photos.ts';
import { encoder } from '../testing/pictures.ts';
import { findEyes } from './find-eyes.ts';
import { FrameReader, uprightFrames } from './frames.ts';
import { VIDEO_LIMITS } from './limits.ts';
import { examineVideo } from './open-video.ts';
import { videoTypeOf } from './sniff.ts';
import { writeStill } from './still.ts';

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

const animated = (bytes: Buffer, type: AnimatedType) =>
  isAnimation(async (from, length) => bytes.subarray(from, from + length), type);

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
    expect(await animated(bytes, type)).toBe(true);
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

  test('shows a frame that asks for 10 ms or less for 100 ms, as browsers do [T11]', async () => {
    const colours = Array.from({ length: 20 }, (_, i) => frameOf(COLOURS[i % 4] as (typeof COLOURS)[number]));
    const { path } = await written(type, colours, [10, ...Array<number>(18).fill(0), 10]);
    const { video, frames } = await read(path);
    expect(video.rounds).toEqual({ count: 2, seconds: 2 });
    expect(video.info).toMatchObject({ frames: 40, seconds: 4, fps: 10 });
    for (const [i, { time }] of frames.entries()) expect(time).toBeCloseTo(i / 10, 3);
  });

  test('with a single frame is no video, nor is a part of a file [T11]', async () => {
    const frame = frameOf(COLOURS[0]);
    const { path, bytes } = await written(type, [frame], [100]);
    expect(await animated(bytes, type)).toBe(false);
    await expect(examineVideo(path, VIDEO_LIMITS)).rejects.toMatchObject({ code: 'notAFilm' });
    const whole = await encodeAnimation(type, SIZE, COLOURS.map(frameOf), DELAYS);
    for (let length = 0; length < 60; length++) await animated(whole.subarray(0, length), type);
    expect(await animated(whole.subarray(0, 30), type)).toBe(false);
  });
});

/** Returns a GIF of so many frames, the first of which have a control block with a delay in milliseconds. */
async function gifOf(count: number, controlled: number, delay: number): Promise<string> {
  const frames = Array.from({ length: count }, (_, i) => frameOf(COLOURS[i % 4] as (typeof COLOURS)[number]));
  const bytes = await encodeAnimation('gif', SIZE, frames, Array<number>(count).fill(delay));
  const [head, ...blocks] = bytes.toString('latin1').split('\x21\xf9\x04') as [string, ...string[]];
  expect(blocks).toHaveLength(count);
  // A block has four bytes of content and ends with a zero.
  const images = blocks.map((block, i) => (i < controlled ? `\x21\xf9\x04${block}` : block.slice(5)));
  const path = join(folder, `controlled-${count}-${controlled}-${delay}.gif`);
  writeFileSync(path, head + images.join(''), 'latin1');
  return path;
}

describe('a GIF of which not every frame has a control block', () => {
  test('shows each frame without one for 100 ms [T11]', async () => {
    const { video, frames } = await read(await gifOf(20, 10, 500));
    expect(video.info).toMatchObject({ frames: 20, seconds: 6 });
    expect(frames.map(({ time }) => time)).toEqual(frames.map((_, i) => (i < 10 ? i / 2 : 5 + (i - 10) / 10)));
  });

  test('is as long as all its frames, and has their rate [T11]', async () => {
    const limits = { ...VIDEO_LIMITS, maxSeconds: 12 };
    await expect(examineVideo(await gifOf(40, 1, 10_000), limits)).rejects.toMatchObject({ code: 'filmTooLong' });
    expect((await examineVideo(await gifOf(40, 1, 10), limits)).info).toMatchObject({ seconds: 4, fps: 10 });
  });
});

test('a file of any size is asked whether it is animated: no more of it is read than tells so [T11]', async () => {
  for (const [count, type] of [
    [1, null],
    [2, 'gif'],
  ] as const) {
    const path = await gifOf(count, count, 100);
    truncateSync(path, 3 * 2 ** 30);
    expect(await videoTypeOf(path)).toBe(type);
    rmSync(path);
  }
});

test('the rounds of a short animation count towards the longest video [T11]', async () => {
  const { path } = await written('gif', COLOURS.map(frameOf), DELAYS);
  const video = await examineVideo(path, VIDEO_LIMITS);
  const options = { crop: { x: 0, y: 0, ...SIZE }, size: SIZE, pixels: 'rgb', threads: 1 } as const;
  const more = { tempFile: join(folder, 'b.cube'), maxSeconds: 2.3 };
  const readAll = async () => {
    for await (const { frame } of uprightFrames(video, { ...options, ...more }, { packets: 0 })) frame.free();
  };
  await expect(readAll()).rejects.toMatchObject({ code: 'filmTooLong' });
});

test('a place of an animation is read on to by time, also if a key frame would do [T11]', async () => {
  const { path } = await written('gif', COLOURS.map(frameOf), [1000, 2000, 1500, 500]);
  const video = await examineVideo(path, VIDEO_LIMITS);
  const options = { crop: { x: 0, y: 0, ...SIZE }, size: SIZE, pixels: 'rgb', threads: 1 } as const;
  const more = { tempFile: join(folder, 'c.cube'), maxSeconds: 60, from: 2.5, atKeyFrame: true };
  const times: number[] = [];
  for await (const { frame, time } of uprightFrames(video, { ...options, ...more }, { packets: 0 })) {
    times.push(time / 90_000);
    frame.free();
  }
  expect(times).toEqual([3, 4.5]);
});

test.each([
  [320, 'wide'],
  [160, 'of the shape of a screen'],
])('a GIF that opens with two like halves is no pair for that: eyes %i pixels wide, %s [T1]', async (width) => {
  const { left, right } = standingScene(width, 180);
  const size = { width: 2 * width, height: 180 };
  const other = { ...left, data: Buffer.from(left.data).reverse() };
  const rgba = (second: typeof left) => encoder(beside(left, second)).ensureAlpha().raw().toBuffer();
  const [alike, unlike] = [await rgba(right), await rgba(other)];
  // Equal frames would be written as one.
  const marked = (frame: Buffer, i: number) => Buffer.from(frame).fill(i % 2 ? 'ffffffff' : '000000ff', 0, 400, 'hex');
  const pairOf = async (frames: readonly Buffer[]) => {
    const path = join(folder, 'halves.gif');
    const delays = Array<number>(frames.length).fill(500);
    writeFileSync(path, await encodeAnimation('gif', size, frames.map(marked), delays));
    const { info } = await findEyes(path, VIDEO_LIMITS);
    expect(info.frames).toBe(6);
    return info.pair;
  };
  expect(await pairOf([alike, unlike, unlike, unlike, unlike, unlike])).toBeNull();
  expect(await pairOf(Array<Buffer>(6).fill(alike))).not.toBeNull();
});

test('the still of an animation shows a frame with something on it, wherever that is [T11]', async () => {
  const { width, height } = SIZE;
  const blank = Buffer.alloc(width * height * 4, 255);
  const { path } = await written('gif', [blank, frameOf(COLOURS[2]), blank], [2000, 2001, 2000]);
  const still = join(folder, 'still.jpg');
  const video = await examineVideo(path, VIDEO_LIMITS);
  await writeStill(video, still, { crop: { x: 0, y: 0, ...SIZE }, seconds: 5, width });
  const rgb = await sharp(still).raw().toBuffer();
  near([...rgb.subarray(3 * (48 * width + 20), 3 * (48 * width + 20) + 3)], [40, 60, 210]);
});
