import type { VideoFormat } from '@framelift/contract/formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEVICES, tileOfView } from '../formats/index.ts';
import { requireBuilt } from '../testing/built.ts';
import { withLetters } from '../testing/lettering.ts';
import { squareColumn } from '../testing/near-square.ts';
import { brightIsNear, frameOf, PictureScaler, pictureOf, planarOf } from '../testing/video-frames.ts';
import type { DeviceProfile, Picture, Size, VideoTier } from '../types.ts';
import { createDepthRenderer, createVideoRenderer, type VideoRenderer, type VideoRendererOptions } from './renderer.ts';

const input = { width: 320, height: 180 };
const device = (slug: string) => DEVICES.find((one) => one.slug === slug) as DeviceProfile;
const television = device('3d-tv');
const renderers: VideoRenderer[] = [];

beforeAll(requireBuilt);
afterAll(() => Promise.all(renderers.map((renderer) => renderer.close())));

function knowing(options: Partial<VideoRendererOptions> & { format: VideoFormat }): VideoRenderer {
  const renderer = createDepthRenderer(
    { input, device: television, effect: 100, tier: 'fast', threads: 0, ...options },
    brightIsNear(0.2),
  );
  renderers.push(renderer);
  return renderer;
}

async function looking(options: Partial<VideoRendererOptions> & { format: VideoFormat; tier: VideoTier }) {
  const renderer = await createVideoRenderer({ input, device: television, effect: 100, threads: 0, ...options });
  renderers.push(renderer);
  return renderer;
}

/** Returns the planes that the renderer outputs for a picture. */
async function rendered(renderer: VideoRenderer, picture: Picture, seconds: number): Promise<Uint8Array> {
  const { size, pixels } = renderer.input;
  const planes = planarOf(new PictureScaler(picture).scale(picture, size), pixels);
  return (await renderer.begin(planes, seconds)).rendered;
}

/** Returns the output as RGB bytes. */
async function render(renderer: VideoRenderer, picture: Picture, seconds: number): Promise<Uint8Array> {
  const planes = await rendered(renderer, picture, seconds);
  return pictureOf(planes, renderer.input.pixels, renderer.size).data;
}

/** Returns the position of the square in an area of the output, in pixels from its left edge. */
function seen(renderer: VideoRenderer, data: Uint8Array, area: { x: number; width: number }, channel?: number): number {
  const { width, height } = renderer.size;
  return squareColumn({ data, width, channels: 3 }, { y: 0, height, ...area }, channel);
}

describe('the budget', () => {
  test('[T9] of a quilt is that of a light field, whatever the device', async () => {
    const { width, height } = input;
    const renderer = knowing({
      format: 'quilt',
      device: { ...television, quilt: { columns: 5, rows: 2, width: 1600, height: 360, aspect: 16 / 9 } },
    });
    const data = await render(renderer, frameOf({ width, height }, { square: 130 }), 0);
    expect(renderer.comfort).toMatchObject({ clamped: false });
    expect(renderer.comfort?.largestDisparityPercent).toBeCloseTo(8, 1);
    expect(data.length).toBeGreaterThan(0);
  });
});

describe('parallax: the near square lies further right in the left eye', () => {
  const frame = frameOf(input, { square: 130 });

  test('of half side by side, each eye half as wide as the video', async () => {
    const renderer = knowing({ format: 'hsbs' });
    const data = await render(renderer, frame, 0);
    expect(renderer.size).toEqual(input);
    const left = seen(renderer, data, { x: 0, width: 160 });
    const right = seen(renderer, data, { x: 160, width: 160 });
    expect(left - right).toBeGreaterThan(0.6);
    expect((left + right) / 2).toBeCloseTo(80, 0);
    expect(renderer.comfort).toMatchObject({ clamped: false, windowViolation: 0 });
    expect(renderer.comfort?.largestDisparityPercent).toBeCloseTo(2, 1);
    expect(renderer.depthSource).toBe('basic');
  });

  test('[V44] of full side by side, which is always twice as wide as the video', async () => {
    const renderer = knowing({ format: 'sbs', device: device('leia-2x1') });
    const data = await render(renderer, frame, 0);
    expect(renderer.size).toEqual({ width: 640, height: 180 });
    expect(seen(renderer, data, { x: 0, width: 320 }) - seen(renderer, data, { x: 320, width: 320 })).toBeGreaterThan(
      1,
    );
  });

  test('of an anaglyph: red is the left eye, green the right', async () => {
    const renderer = knowing({ format: 'anaglyph' });
    const data = await render(renderer, frame, 0);
    expect(renderer.size).toEqual(input);
    const whole = { x: 0, width: 320 };
    expect(seen(renderer, data, whole, 0) - seen(renderer, data, whole, 1)).toBeGreaterThan(1);
  });

  test('of a quilt: view 0 lies at the bottom left and is the leftmost camera', async () => {
    const portrait = device('looking-glass-portrait');
    const upright = { width: 135, height: 180 };
    const renderer = knowing({ format: 'quilt', device: portrait, input: upright });
    const data = await render(renderer, frameOf(upright, { square: 37 }), 0);
    expect(renderer.size).toEqual({ width: 8 * 134, height: 6 * 180 });
    const grid = { columns: 8, rows: 6, aspect: 0.75, ...renderer.size };
    const column = (view: number) =>
      squareColumn({ data, width: renderer.size.width, channels: 3 }, tileOfView(grid, view));
    const columns = [0, 12, 24, 36, 47].map(column);
    expect(columns).toEqual(columns.toSorted((a, b) => b - a));
    expect(column(0) - column(47)).toBeGreaterThan(2);
  });

  test('[T15] except of subtitles, which lie in the plane of the screen as soon as they are there', async () => {
    const big = { width: 640, height: 360 };
    const renderer = knowing({ format: 'sbs', device: device('leia-2x1'), input: big, convergence: 0.5 });
    const travels: number[] = [];
    for (let i = 0; i < 12; i++) {
      const ground = frameOf(big, { square: 260 });
      const { picture, left, top, width, height } = withLetters(ground, 'THE MAN IN A HAT');
      const data = await render(renderer, i < 2 ? ground : picture, i / 5);
      if (i < 2) continue;
      const column = (eye: number) =>
        squareColumn(
          { data, width: 1280, channels: 3 },
          { x: eye * 640 + left - 6, y: top, width: width + 12, height },
        );
      travels.push(Math.abs(column(0) - column(1)));
    }
    expect(travels[0]).toBeGreaterThan(1);
    for (const travel of travels.slice(4)) expect(travel).toBeLessThan(0.3);
  });

  test('of a wiggle: the camera sways to the right and to the left in three seconds', async () => {
    const renderer = knowing({ format: 'wiggle' });
    const at = async (seconds: number) => seen(renderer, await render(renderer, frame, seconds), { x: 0, width: 320 });
    const [middle, right, again, left] = [await at(0), await at(0.75), await at(1.5), await at(2.25)];
    expect(left - right).toBeGreaterThan(2);
    expect(again).toBeCloseTo(middle, 0);
    expect(middle).toBeCloseTo((left + right) / 2, 0);
  });

  test('of colour with depth: white beside the square, black beside the ground', async () => {
    const renderer = knowing({ format: 'rgbd' });
    const data = await render(renderer, frame, 0);
    expect(renderer.size).toEqual({ width: 640, height: 180 });
    const grey = (x: number, y: number) => data[3 * (y * 640 + 320 + x)];
    expect(grey(160, 90)).toBe(255);
    expect(grey(20, 20)).toBe(0);
    expect(renderer.comfort).toBeNull();
  });

  test('a plain frame shows the video as it is', async () => {
    const renderer = await createVideoRenderer({
      input,
      format: 'flat',
      device: device('plain-3x4'),
      effect: 0,
      tier: 'best',
      threads: 0,
    });
    expect(Buffer.concat(planarOf(frame, 'yuv420')).equals(await rendered(renderer, frame, 0))).toBe(true);
    expect([renderer.comfort, renderer.depthSource]).toEqual([null, null]);
  });
});

describe('sizes', () => {
  const sizeFor = (format: VideoFormat, slug: string, video: Size) =>
    knowing({ format, device: device(slug), input: video }).size;

  test('keep to the pixels of the video, stay within those of the panel and are even', () => {
    expect(sizeFor('hsbs', '3d-tv', { width: 1280, height: 720 })).toEqual({ width: 1280, height: 720 });
    expect(sizeFor('hsbs', '3d-tv', { width: 4096, height: 2304 })).toEqual({ width: 3840, height: 2160 });
    expect(sizeFor('hsbs', '3d-tv', { width: 405, height: 721 })).toEqual({ width: 1280, height: 720 });
    expect(sizeFor('sbs', 'leia-2x1', { width: 427, height: 241 })).toEqual({ width: 852, height: 240 });
    const { width, height } = sizeFor('quilt', 'looking-glass-32-landscape', { width: 1920, height: 1080 });
    expect(Math.max(width, height)).toBeLessThanOrEqual(4096);
    expect([width % 2, height % 2, width / 7]).toEqual([0, 0, 584]);
  });

  test('a video of another shape is framed in black, each eye by itself', async () => {
    const upright = { width: 90, height: 160 };
    const renderer = knowing({ format: 'hsbs', input: upright });
    const data = await render(renderer, frameOf(upright), 0);
    const { width, height } = renderer.size;
    const dark = Array.from({ length: width }, (_, x) => data[3 * ((height >> 1) * width + x) + 1] === 0);
    const shown = [dark.slice(0, width / 2), dark.slice(width / 2)].map((eye) => [
      eye.indexOf(false),
      eye.lastIndexOf(false),
    ]);
    expect(shown[0]).toEqual(shown[1]);
    const [first, last] = shown[0] as [number, number];
    expect(last - first + 1).toBe(44);
    // Centred, up to the rounding to even positions.
    expect(Math.abs(first - (width / 2 - 1 - last))).toBeLessThanOrEqual(2);
    expect(first % 2).toBe(0);
  });
});

test('a chosen convergence puts that depth into the plane of the frame', async () => {
  const frame = frameOf(input, { square: 130 });
  const [front, behind] = await Promise.all(
    [1, 0].map(async (convergence) => {
      const renderer = knowing({ format: 'sbs', convergence });
      const data = await render(renderer, frame, 0);
      return seen(renderer, data, { x: 0, width: 320 }) - seen(renderer, data, { x: 320, width: 320 });
    }),
  );
  expect(front).toBeCloseTo(0, 0);
  expect(behind).toBeGreaterThan(4);
});

describe.each(['fast', 'best'] as const)('[V63] tier %s', (tier) => {
  const frames = Array.from({ length: tier === 'fast' ? 14 : 3 }, (_, n) =>
    frameOf(input, { square: 60 + 4 * n, sky: true, noise: 6, seed: n + 1, place: n < 9 ? 0 : 1 }),
  );
  const seconds = (n: number) => (tier === 'fast' ? n / 25 : n / 6);

  test('goes on after a crash with the same bytes, and makes the same bytes twice', async () => {
    const whole = await looking({ format: 'hsbs', tier });
    const expected: Buffer[] = [];
    let state: Uint8Array = new Uint8Array();
    const middle = frames.length >> 1;
    for (const [n, frame] of frames.entries()) {
      expected.push(Buffer.from(await rendered(whole, frame, seconds(n))));
      if (n === middle - 1) state = Uint8Array.from(whole.save());
    }
    const rest = await looking({ format: 'hsbs', tier, state });
    for (let n = middle; n < frames.length; n++) {
      expect(expected[n]?.equals(await rendered(rest, frames[n] as Picture, seconds(n))), `frame ${n}`).toBe(true);
    }
    expect(rest.comfort).toEqual(whole.comfort);
    const again = await looking({ format: 'hsbs', tier });
    expect(expected[0]?.equals(await rendered(again, frames[0] as Picture, 0))).toBe(true);
  });
});

test('threads make the same bytes as none', async () => {
  const one = knowing({ format: 'hsbs', threads: 0 });
  const two = knowing({ format: 'hsbs', threads: 2 });
  for (let n = 0; n < 4; n++) {
    const frame = frameOf(input, { square: 100 + 5 * n });
    const expected = Buffer.from(await rendered(one, frame, n / 25));
    expect(expected.equals(await rendered(two, frame, n / 25)), `frame ${n}`).toBe(true);
  }
});

test('[V33] what is kept does not grow with the video', async () => {
  const renderer = knowing({ format: 'hsbs' });
  const sizes: number[] = [];
  for (let n = 0; n < 60; n++) {
    await rendered(renderer, frameOf(input, { square: 10 + 2 * n, place: Math.floor(n / 20) % 2 }), n / 10);
    if (n % 20 === 19) sizes.push(renderer.save().length);
  }
  expect(new Set(sizes).size).toBe(1);
});

test('a state of another video is refused', async () => {
  const renderer = knowing({ format: 'hsbs' });
  await render(renderer, frameOf(input), 0);
  const state = renderer.save();
  expect(() => knowing({ format: 'hsbs', input: { width: 200, height: 200 }, state })).toThrow('another size');
});
