import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Filter } from 'node-av/lib';
import { afterAll, expect, test } from 'vitest';
import { nclxToSrgb } from '../decode/nclx.ts';
import { pictureOf } from '../testing/video-frames.ts';
import { type TestVideo, writeVideo } from '../testing/videos.ts';
import type { Rect, Size } from '../types.ts';
import { dolbyVisionOf, iptToPq } from './dolby-vision.ts';
import { FrameReader, filtersFor, uprightFrames } from './frames.ts';
import { VIDEO_LIMITS } from './limits.ts';
import { examineVideo } from './open-video.ts';
import { wholeFrame } from './plan-video.ts';
import type { Pixels } from './planes.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-frames-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Decoded extends Size {
  readonly frames: { readonly rgb: Uint8Array; readonly time: number }[];
}

let count = 0;
/** Decodes to the default pixel layout of videos and converts to RGB. */
async function decode(
  video: TestVideo,
  ending = 'mkv',
  chosen?: Rect,
  size?: Size,
  pixels: Pixels = 'yuv420',
): Promise<Decoded> {
  const path = join(folder, `${count++}.${ending}`);
  await writeVideo(path, video);
  const opened = await examineVideo(path, VIDEO_LIMITS);
  const crop = chosen ?? wholeFrame(opened.pictures.shown);
  const { width, height } = size ?? crop;
  const tempFile = join(folder, 'c.cube');
  const options = { crop, size: { width, height }, pixels, threads: 2, tempFile, maxSeconds: 100 };
  const frames: Decoded['frames'] = [];
  const reader = new FrameReader({ width, height }, pixels);
  for await (const { frame, time } of uprightFrames(opened, options, { packets: 0 })) {
    const bytes = Buffer.concat(reader.read(frame));
    frames.push({ rgb: pixels === 'rgb' ? bytes : pictureOf(bytes, pixels, { width, height }).data, time });
    frame.free();
  }
  reader.free();
  return { frames, width, height };
}

function pixel({ frames, width }: Decoded, x: number, y: number, frame = 0): number[] {
  const at = (y * width + x) * 3;
  return [...(frames[frame] as Decoded['frames'][number]).rgb.subarray(at, at + 3)];
}

const LOSSLESS = { qp: 0 };
const PATCHES = [
  [255, 255, 255],
  [0, 0, 0],
  [200, 40, 40],
  [40, 180, 60],
  [50, 60, 210],
  [128, 128, 128],
] as const;

/** A grey ramp at the top, colour patches at the bottom. */
function rampAndPatches(_: number, { width, height }: Size): Uint8Array {
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const grey = Math.round((255 * x) / (width - 1));
      const patch = PATCHES[Math.floor((x * PATCHES.length) / width)] as readonly number[];
      rgb.set(y < height / 2 ? [grey, grey, grey] : patch, (y * width + x) * 3);
    }
  return rgb;
}

test('[V2] greys and colours come back whatever matrix and range a video is tagged with, or not tagged at all', async () => {
  const cases: (TestVideo & { readonly height: number })[] = [
    { height: 480 },
    { height: 720 },
    { height: 480, tags: { matrix: 1, range: 1 } },
    { height: 1080, tags: { matrix: 1, range: 1 } },
    { height: 720, tags: { matrix: 6, range: 1 } },
    { height: 720, tags: { matrix: 1, range: 2 } },
    { height: 480, codec: 'mjpeg', pixelFormat: 'yuvj422p', tags: { matrix: 6, range: 2 } },
    { height: 480, pixelFormat: 'yuv422p' },
  ];
  for (const video of cases) {
    for (const pixels of ['yuv420', 'gbr'] as const) {
      const source = { ...video, width: 96, frames: 2, draw: rampAndPatches, options: LOSSLESS };
      const decoded = await decode(source, 'mkv', undefined, undefined, pixels);
      const which = `${JSON.stringify(video)} as ${pixels}`;
      for (let x = 0; x < 96; x += 5) {
        const values = pixel(decoded, x, 10);
        for (const value of values)
          expect(Math.abs(value - Math.round((255 * x) / 95)), `grey at ${x} of ${which}`).toBeLessThanOrEqual(2);
        expect(Math.max(...values) - Math.min(...values), `tint at ${x} of ${which}`).toBeLessThanOrEqual(1);
      }
      for (const [i, patch] of PATCHES.entries())
        for (const [channel, value] of pixel(decoded, i * 16 + 8, video.height - 20).entries())
          expect(Math.abs(value - (patch[channel] as number)), `patch ${i} of ${which}`).toBeLessThan(5);
    }
  }
});

test('greys stay what they are when a video is made smaller', async () => {
  const video = { width: 192, height: 720, frames: 2, draw: rampAndPatches, options: LOSSLESS };
  const decoded = await decode(video, 'mkv', undefined, { width: 96, height: 500 });
  for (let x = 4; x < 92; x += 4)
    for (const value of pixel(decoded, x, 10))
      expect(Math.abs(value - (255 * (2 * x + 0.5)) / 191), `grey at ${x}`).toBeLessThanOrEqual(2);
});

/**
 * Encodes bands of colours, given as full-range codes of the video's own transfer curve, as limited-range 10-bit
 * samples with the BT.2020 matrix.
 */
function hdrSamples(colours: readonly (readonly number[])[], { width, height }: Size): Buffer {
  const chroma = (width / 2) * (height / 2);
  const samples = new Uint16Array(width * height + 2 * chroma);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const colour = colours[Math.floor((x * colours.length) / width)] as readonly number[];
      const [red, green, blue] = colour.map((code) => code / 1023) as [number, number, number];
      const luma = 0.2627 * red + 0.678 * green + 0.0593 * blue;
      samples[y * width + x] = Math.round(64 + 876 * luma);
      const at = width * height + (y >> 1) * (width / 2) + (x >> 1);
      samples[at] = Math.round(512 + (896 * (blue - luma)) / 1.8814);
      samples[at + chroma] = Math.round(512 + (896 * (red - luma)) / 1.4746);
    }
  return Buffer.from(samples.buffer);
}

const HDR_COLOURS = [
  [594, 594, 594],
  [300, 300, 300],
  [560, 500, 470],
  [420, 480, 450],
  [760, 760, 760],
] as const;

test('[V1] HDR videos get the colours that HDR photos get', async () => {
  const size = { width: 160, height: 64 };
  for (const transfer of [16, 18]) {
    const decoded = await decode({
      ...size,
      codec: 'ffv1',
      pixelFormat: 'yuv420p10le',
      frames: 2,
      tags: { matrix: 9, primaries: 9, transfer, range: 1 },
      samples: () => hdrSamples(HDR_COLOURS, size),
    });
    for (const [band, colour] of HDR_COLOURS.entries()) {
      const samples = { data: Uint16Array.from(colour), width: 1, height: 1, max: 1023 };
      const wanted = nclxToSrgb(samples, { primaries: 9, transfer });
      for (const [i, value] of pixel(decoded, band * 32 + 16, 30).entries())
        expect(Math.abs(value - (wanted[i] as number)), `${transfer} ${colour}`).toBeLessThanOrEqual(4);
    }
  }
});

test('[V5] tone mapping uses only filters that every build of FFmpeg has', () => {
  const pictures = {
    track: 0,
    timeBase: { num: 1, den: 1000 },
    late: 0,
    coded: { width: 64, height: 64 },
    clean: null,
    eye: null,
    doubt: null,
    stereo: false,
    statedAspect: 1,
    shown: { width: 64, height: 64 },
    pixelAspect: 1,
    turn: { rotation: 90, mirrored: false, sideways: true, filters: ['transpose=clock'] } as const,
    colour: { matrix: 9, fullRange: false, primaries: 9, transfer: 16 },
    interlaced: true,
    ipt: false,
    coloursUncertain: false,
  };
  const crop = { x: 0, y: 0, width: 32, height: 32 };
  const options = { crop, size: crop, pixels: 'yuv420', tempFile: '/tmp/a.cube', ground: '#ffffff' } as const;
  const chain = filtersFor(pictures, { width: 64, height: 64 }, options);
  const names = chain.map((text) => text.split('=')[0] as string);
  expect(names).toEqual(['bwdif', 'transpose', 'crop', 'scale', 'format', 'lut3d', 'scale', 'format']);
  for (const name of names) expect(Filter.getByName(name)).not.toBeNull();
});

/** Four quarters of different greys: top left, top right, bottom left, bottom right. */
const QUARTERS = [30, 90, 160, 230] as const;
function quarters(_: number, { width, height }: Size): Uint8Array {
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      rgb.fill(
        QUARTERS[(y * 2 >= height ? 2 : 0) + (x * 2 >= width ? 1 : 0)] as number,
        (y * width + x) * 3,
        (y * width + x) * 3 + 3,
      );
  return rgb;
}

test('[V13] [V15] a video is turned and mirrored as its matrix says, once, into frames of the upright size', async () => {
  const turns = [
    [1, 0, 0, 1],
    [0, 1, -1, 0],
    [-1, 0, 0, -1],
    [0, -1, 1, 0],
    [-1, 0, 0, 1],
    [1, 0, 0, -1],
    [0, 1, 1, 0],
    [0, -1, -1, 0],
  ] as const;
  for (const matrix of turns) {
    const [a, b, c, d] = matrix;
    const decoded = await decode(
      { width: 160, height: 96, frames: 2, matrix, draw: quarters, options: LOSSLESS },
      'mov',
    );
    const sideways = a === 0;
    expect([decoded.width, decoded.height]).toEqual(sideways ? [96, 160] : [160, 96]);
    for (const [i, grey] of QUARTERS.entries()) {
      const [x, y] = [i % 2 ? 1 : -1, i > 1 ? 1 : -1];
      const [toX, toY] = [a * x + c * y, b * x + d * y];
      const at = [Math.round(decoded.width * (0.5 + toX / 4)), Math.round(decoded.height * (0.5 + toY / 4))] as const;
      expect(Math.abs((pixel(decoded, ...at)[0] as number) - grey), `${matrix}`).toBeLessThanOrEqual(3);
    }
  }
});

test('a crop shows its own part, of a turned and of an anamorphic video alike', async () => {
  const right = { x: 60, y: 0, width: 36, height: 96 };
  const turned = await decode(
    { width: 192, height: 96, frames: 2, matrix: [0, 1, -1, 0], draw: quarters, options: LOSSLESS },
    'mov',
    { ...right, height: 90 },
  );
  // Upright, the stored top-left quarter is at the top right.
  expect(pixel(turned, 20, 40)[0]).toBeCloseTo(QUARTERS[0], -1);
  const wide = await decode(
    { width: 96, height: 96, frames: 2, pixelAspect: [2, 1], draw: quarters, options: LOSSLESS },
    'mkv',
    { x: 100, y: 0, width: 92, height: 40 },
  );
  expect(pixel(wide, 50, 20)[0]).toBeCloseTo(QUARTERS[1], -1);
});

test('fields become frames without combs, as many as there were', async () => {
  // A bar that jumps between fields: even and odd lines show it at different positions.
  const draw = (frame: number, { width, height }: Size) => {
    const rgb = new Uint8Array(width * height * 3).fill(60);
    for (let y = 0; y < height; y++) {
      const left = (frame * 2 + (y % 2)) * 6;
      rgb.fill(220, (y * width + left) * 3, (y * width + left + 20) * 3);
    }
    return rgb;
  };
  const options = { 'b:v': 4_000_000, qmin: 1, qmax: 2 };
  const decoded = await decode({
    codec: 'mpeg2video',
    interlaced: true,
    frames: 8,
    draw,
    width: 160,
    height: 96,
    options,
  });
  expect(decoded.frames.length).toBe(8);
  let combs = 0;
  for (let x = 0; x < 160; x++)
    for (let y = 20; y < 70; y++) {
      const [above, here, below] = [y - 1, y, y + 1].map((row) => pixel(decoded, x, row, 4)[0] as number) as [
        number,
        number,
        number,
      ];
      if (Math.abs(here - above) > 60 && Math.abs(here - below) > 60 && Math.abs(above - below) < 30) combs++;
    }
  expect(combs).toBeLessThan(30);
});

const DISC = [240, 240, 240] as const;

/** Draws a disc in the middle, a third of the height wide, on a dark ground. */
function disc(_: number, { width, height }: Size): Uint8Array {
  const rgb = new Uint8Array(width * height * 3).fill(70);
  const radius = Math.min(width, height) / 3;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (Math.hypot(x + 0.5 - width / 2, y + 0.5 - height / 2) < radius) rgb.set(DISC, (y * width + x) * 3);
  return rgb;
}

/** Returns how wide and how high the disc is in a frame, through its middle. */
function discSize(decoded: Decoded, frame: number): [number, number] {
  const { width, height } = decoded;
  const bright = (x: number, y: number) => (pixel(decoded, x, y, frame)[0] as number) > 155;
  const count = (length: number, at: (i: number) => boolean) =>
    Array.from({ length }, (_, i) => at(i)).filter(Boolean).length;
  return [count(width, (x) => bright(x, height >> 1)), count(height, (y) => bright(width >> 1, y))];
}

test('a video that changes its size keeps the ratio of every frame, between bars [W9]', async () => {
  const wide = { width: 160, height: 96, codec: 'mjpeg', pixelFormat: 'yuvj420p', frames: 3, draw: disc } as const;
  const cases = [
    { later: { ...wide, width: 96, height: 160 }, bars: 'sides' },
    { later: { ...wide, width: 320, height: 96 }, bars: 'above' },
    { later: { ...wide, width: 320, height: 192 }, bars: null },
    { later: { ...wide, width: 128, height: 96 }, bars: 'sides' },
  ] as const;
  for (const { later, bars } of cases) {
    const decoded = await decode({ ...wide, later });
    expect(decoded.frames.length).toBe(6);
    const which = `${later.width} x ${later.height}`;
    const [across, down] = discSize(decoded, 5);
    expect(across, which).toBeGreaterThan(15);
    expect(Math.abs(across - down), which).toBeLessThanOrEqual(2);
    const edge = (x: number, y: number) => (pixel(decoded, x, y, 5)[0] as number) < 20;
    expect([edge(1, 48), edge(80, 1)], which).toEqual([bars === 'sides', bars === 'above']);
    // The part that somebody chose lies where it lay in the first frame.
    const part = await decode({ ...wide, later }, 'mkv', { x: 40, y: 8, width: 80, height: 80 });
    const [partAcross, partDown] = discSize(part, 5);
    expect(Math.abs(partAcross - Math.min(across, 80)), which).toBeLessThanOrEqual(2);
    expect(Math.abs(partDown - Math.min(down, 80)), which).toBeLessThanOrEqual(2);
  }
});

test('what the container cuts off is not shown [W15]', async () => {
  const draw = (_: number, { width, height }: Size) =>
    Uint8Array.from({ length: width * height * 3 }, (_, i) => {
      const [x, y] = [Math.floor(i / 3) % width, Math.floor(i / 3 / width)];
      return y < 16 || y >= height - 8 || x < 4 || x >= width - 12 ? 0 : 200;
    });
  for (const ending of ['mkv', 'mov']) {
    const video = { width: 160, height: 120, frames: 2, draw, options: LOSSLESS, cropping: [16, 8, 4, 12] } as const;
    const decoded = await decode(video, ending);
    expect([ending, decoded.width, decoded.height]).toEqual([ending, 144, 96]);
    for (const [x, y] of [
      [1, 1],
      [142, 1],
      [1, 94],
      [142, 94],
    ] as const)
      expect(Math.abs((pixel(decoded, x, y)[0] as number) - 200)).toBeLessThan(4);
  }
});

test('transparency is laid on white, not on what is hidden below it [W6]', async () => {
  const size = { width: 96, height: 64 };
  const colour = (x: number): readonly [number, number, number, number] =>
    x < 32 ? [255, 0, 0, 0] : x < 64 ? [0, 0, 200, 128] : [30, 140, 60, 255];
  const rgba = Buffer.alloc(96 * 64 * 4);
  for (let i = 0; i < 96 * 64; i++) rgba.set(colour(i % 96), 4 * i);
  const argb = Buffer.alloc(rgba.length);
  for (let i = 0; i < rgba.length; i += 4) argb.set([rgba[i + 3], rgba[i], rgba[i + 1], rgba[i + 2]] as number[], i);
  const planes = (full: boolean) => {
    const out = Buffer.alloc(96 * 64 * 4);
    for (let i = 0; i < 96 * 64; i++) {
      const [r, g, b, a] = colour(i % 96);
      const luma = 0.299 * r + 0.587 * g + 0.114 * b;
      out[i] = full ? luma : 16 + (219 * luma) / 255;
      out[i + 96 * 64] = 128 + ((full ? 255 : 224) * (b - luma)) / 1.772 / 255;
      out[i + 2 * 96 * 64] = 128 + ((full ? 255 : 224) * (r - luma)) / 1.402 / 255;
      out[i + 3 * 96 * 64] = a;
    }
    return out;
  };
  const cases: [TestVideo, string][] = [
    [{ codec: 'qtrle', pixelFormat: 'argb', samples: () => argb }, 'mov'],
    [{ codec: 'ffv1', pixelFormat: 'yuva444p', samples: () => planes(false) }, 'mkv'],
    [{ codec: 'rawvideo', pixelFormat: 'rgba', samples: () => rgba }, 'mov'],
  ];
  for (const [video, ending] of cases)
    for (const pixels of ['yuv420', 'rgb'] as const) {
      const decoded = await decode({ ...video, ...size, frames: 2 }, ending, undefined, undefined, pixels);
      const wanted = [
        [255, 255, 255],
        [127, 127, 227],
        [30, 140, 60],
      ] as const;
      for (const [band, values] of wanted.entries())
        for (const [channel, value] of pixel(decoded, band * 32 + 16, 30).entries())
          expect(Math.abs(value - values[channel as 0 | 1 | 2]), `${video.codec} ${pixels} ${band}`).toBeLessThan(6);
    }
});

test('a video that becomes interlaced later, or changes its colour tags, is followed [W16]', async () => {
  const draw = (frame: number, { width, height }: Size) => {
    const rgb = new Uint8Array(width * height * 3).fill(60);
    for (let y = 0; y < height; y++)
      rgb.fill(220, (y * width + 20 + frame * 8 + (y % 2) * 6) * 3, (y * width + 50 + frame * 8 + (y % 2) * 6) * 3);
    return rgb;
  };
  const flat = (_: number, { width, height }: Size) => new Uint8Array(width * height * 3).fill(60);
  const still = {
    codec: 'mpeg2video',
    width: 160,
    height: 96,
    frames: 6,
    draw: flat,
    options: { 'b:v': 4_000_000, g: 1 },
  } as const;
  const decoded = await decode({ ...still, later: { ...still, interlaced: true, draw } });
  expect(decoded.frames.length).toBe(12);
  let combs = 0;
  for (let x = 0; x < 160; x++)
    for (let y = 20; y < 70; y++) {
      const [above, here, below] = [y - 1, y, y + 1].map((row) => pixel(decoded, x, row, 9)[0] as number) as [
        number,
        number,
        number,
      ];
      if (Math.abs(here - above) > 60 && Math.abs(here - below) > 60 && Math.abs(above - below) < 30) combs++;
    }
  expect(combs).toBeLessThan(30);

  const colours = {
    ...still,
    interlaced: false,
    draw: rampAndPatches,
    options: { 'b:v': 8_000_000, g: 1, qmin: 1, qmax: 2 },
  };
  const tagged = (matrix: number): TestVideo => ({ ...colours, tags: { matrix, primaries: 1, transfer: 1 } });
  const both = await decode({ ...tagged(1), later: tagged(6) });
  for (const frame of [2, 9])
    for (const [i, patch] of PATCHES.entries())
      for (const [channel, value] of pixel(both, Math.floor((i + 0.5) * (160 / 6)), 75, frame).entries())
        expect(Math.abs(value - (patch[channel] as number)), `patch ${i} of frame ${frame}`).toBeLessThan(9);
});

/** Converts codes of BT.2020 with the PQ curve to 10-bit samples in Dolby's IPT, by inverting its matrices. */
function iptOf(pq: readonly number[]): number[] {
  const power = (base: number, exponent: number) => Math.max(0, base) ** exponent;
  const linear = (code: number) => {
    const p = power(code, 32 / 2523);
    return power(Math.max(0, p - 0.8359375) / (18.8515625 - 18.6875 * p), 16_384 / 2610);
  };
  const coded = (light: number) => {
    const p = power(light, 2610 / 16_384);
    return power((0.8359375 + 18.8515625 * p) / (1 + 18.6875 * p), 2523 / 32);
  };
  const apply = (rows: number[][], values: readonly number[]) =>
    rows.map((row) => row.reduce((sum, factor, i) => sum + factor * (values[i] as number), 0));
  // LMS of BT.2020 by Hunt, Pointer and Estevez, each cone mixed with 2 % of the others; then the axes of IPT.
  const lms = apply(
    [
      [0.4408, 0.5354, 0.0238],
      [0.162, 0.7587, 0.0794],
      [0.0, 0.0258, 0.9741],
    ],
    pq.map(linear),
  );
  const mixed = apply(
    [
      [0.96, 0.02, 0.02],
      [0.02, 0.96, 0.02],
      [0.02, 0.02, 0.96],
    ],
    lms,
  ).map(coded);
  const [i, p, t] = apply(
    [
      [0.4001, 0.3999, 0.2],
      [4.4553, -4.8515, 0.3961],
      [0.8057, 0.3572, -1.1628],
    ],
    mixed,
  ) as [number, number, number];
  return [i, p + 0.5, t + 0.5].map((value) => Math.round(1023 * value));
}

test('Dolby Vision without a compatible base gets the colours of the same picture in HDR10 [W14]', async () => {
  const size = { width: 160, height: 64 };
  const samples = () => {
    const chroma = (size.width / 2) * (size.height / 2);
    const out = new Uint16Array(size.width * size.height + 2 * chroma);
    for (let y = 0; y < size.height; y++)
      for (let x = 0; x < size.width; x++) {
        const colour = HDR_COLOURS[Math.floor((x * HDR_COLOURS.length) / size.width)] as readonly number[];
        const [i, p, t] = iptOf(colour.map((code) => code / 1023)) as [number, number, number];
        out[y * size.width + x] = i;
        const at = size.width * size.height + (y >> 1) * (size.width / 2) + (x >> 1);
        out[at] = p;
        out[at + chroma] = t;
      }
    return Buffer.from(out.buffer);
  };
  const options = { 'x265-params': 'log-level=none:pools=1:lossless=1' };
  const video = { ...size, codec: 'libx265', pixelFormat: 'yuv420p10le', frames: 2, samples, options } as const;
  for (const pixels of ['yuv420', 'gbr'] as const) {
    const decoded = await decode({ ...video, dolbyVision: 5 }, 'mkv', undefined, undefined, pixels);
    for (const [band, colour] of HDR_COLOURS.entries()) {
      const hdr = { data: Uint16Array.from(colour), width: 1, height: 1, max: 1023 };
      const wanted = nclxToSrgb(hdr, { primaries: 9, transfer: 16 });
      for (const [i, value] of pixel(decoded, band * 32 + 16, 30).entries())
        expect(Math.abs(value - (wanted[i] as number)), `${pixels} ${colour}`).toBeLessThanOrEqual(6);
    }
  }
});

test('the metadata of a Dolby Vision frame reshapes its samples before they become light [W14]', () => {
  const [header, mapping, colour] = [48, 80, 5104];
  const data = Buffer.alloc(5400);
  for (const [i, at] of [header, mapping, colour].entries()) data.writeBigUInt64LE(BigInt(at), 8 * i);
  data[header + 8] = 23;
  data[header + 11] = 10;
  const unit = 2 ** 23;
  const rational = (at: number, values: readonly number[], one: number) => {
    for (const [i, value] of values.entries()) {
      data.writeInt32LE(value, at + 8 * i);
      data.writeInt32LE(one, at + 8 * i + 4);
    }
  };
  rational(colour + 4, [8192, 799, 1681, 8192, -933, 1091, 8192, 267, -5545], 8192);
  rational(colour + 76, [0, 2 ** 27, 2 ** 27], 2 ** 28);
  rational(colour + 100, [17081, -349, -349, -349, 17081, -349, -349, -349, 17081], 16_384);
  for (const [component, place] of [0, 1, 2].map((i) => [i, mapping + 8 + 1672 * i] as const)) {
    data[place] = component === 0 ? 3 : 2;
    for (const [i, pivot] of (component === 0 ? [0, 512, 1023] : [0, 1023]).entries())
      data.writeUInt16LE(pivot, place + 2 + 2 * i);
    // Intensity below the middle as it is, above it halved; the first colour axis by a regression: 0.25 + P / 2.
    for (const [i, factor] of [1, 0.5].entries()) {
      data[place + 52 + i] = 1;
      data.writeBigInt64LE(BigInt(factor * unit), place + 64 + 24 * i + 8);
    }
    if (component === 1) {
      data.writeInt32LE(1, place + 20);
      data[place + 256] = 1;
      data.writeBigInt64LE(BigInt(0.25 * unit), place + 264);
      data.writeBigInt64LE(BigInt(0.5 * unit), place + 328 + 8);
    }
  }
  const [plain, reshaped] = [dolbyVisionOf(null), dolbyVisionOf(data)];
  for (const [given, same] of [
    [
      [0.4, 0.5, 0.5],
      [0.4, 0.5, 0.5],
    ],
    [
      [0.8, 0.5, 0.5],
      [0.4, 0.5, 0.5],
    ],
    [
      [0.3, 0.6, 0.45],
      [0.3, 0.55, 0.45],
    ],
  ] as const)
    for (const [i, value] of iptToPq(given, reshaped).entries())
      expect(value).toBeCloseTo(iptToPq(same, plain)[i] as number, 4);
  // Metadata that makes no sense is not used.
  data[header + 11] = 40;
  expect(dolbyVisionOf(data)).toEqual(plain);
  expect(dolbyVisionOf(data.subarray(0, 300))).toEqual(plain);
});

test('odd sides lose a row or a column; 10 bits and other chroma are read', async () => {
  const odd = await decode({
    width: 161,
    height: 91,
    frames: 2,
    codec: 'ffv1',
    pixelFormat: 'yuv444p',
    draw: rampAndPatches,
  });
  expect([odd.width, odd.height]).toEqual([160, 90]);
  const deep = await decode({
    width: 96,
    height: 96,
    frames: 2,
    codec: 'ffv1',
    pixelFormat: 'yuv422p10le',
    draw: rampAndPatches,
  });
  expect(Math.abs((pixel(deep, 48, 10)[0] as number) - 129)).toBeLessThanOrEqual(2);
  const rgb = await decode({
    width: 96,
    height: 96,
    frames: 2,
    codec: 'ffv1',
    pixelFormat: 'bgr0',
    draw: rampAndPatches,
  });
  for (const [channel, value] of pixel(rgb, 40, 80).entries())
    expect(Math.abs(value - (PATCHES[2][channel] as number))).toBeLessThanOrEqual(1);
});

test('the first frame of an AVI is shown at its start, however many frames its decoder holds back [T10]', async () => {
  const flash = (frame: number, { width, height }: Size) =>
    new Uint8Array(width * height * 3).fill(frame === 20 ? 255 : frame);
  for (const video of [
    { options: { preset: 'medium', bf: 3 } },
    { options: { preset: 'medium', bf: 0 } },
    { codec: 'mpeg4', options: { bf: 2 } },
    { codec: 'mpeg4', options: { bf: 0 } },
  ] as const) {
    const { frames } = await decode({ ...video, frames: 30, draw: flash }, 'avi');
    expect(frames.length).toBe(30);
    const bright = frames.find(({ rgb }) => (rgb[3000] as number) > 200);
    expect([frames[0]?.time, bright?.time], JSON.stringify(video)).toEqual([0, 20 * 3600]);
  }
});

test('times are those of the video from its first frame on, also in odd clocks', async () => {
  const plain = await decode({ frames: 5, fps: 24_000 / 1001 }, 'mp4');
  expect(plain.frames.map(({ time }) => time)).toEqual([0, 1001, 2002, 3003, 4004]);
  const uneven = await decode({ frames: 5, times: { ticks: 1000, of: (i) => [0, 33, 50, 300, 310][i] as number } });
  expect(uneven.frames.map(({ time }) => time)).toEqual([0, 33 * 90, 50 * 90, 300 * 90, 310 * 90]);
});
