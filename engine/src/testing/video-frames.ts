import { createMemory, type KernelMemory, takeMemory } from '../render/wasm.ts';
import type { Picture, Size } from '../types.ts';
import type { KeyEstimate, KeyEstimator } from '../video/depth/key.ts';
import { frameBytes, planesOf, toRgb } from '../video/planes.ts';
import { SmallPictures } from '../video/scale.ts';
import { draw } from './pictures.ts';

/** Returns a deterministic pseudo-random generator of numbers from 0 to 1. */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
}

/** Surface texture from −1 to 1 with spots of several sizes; deterministic per position. */
function textureAt(x: number, y: number, seed: number): number {
  return (
    0.5 * spots(x / 17, y / 17, seed) + 0.3 * spots(x / 6, y / 6, seed + 1) + 0.2 * spots(x / 2.5, y / 2.5, seed + 2)
  );
}

/** Value noise: random values at integer positions, interpolated in between. */
function spots(x: number, y: number, seed: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const at = (column: number, row: number) => {
    let h = Math.imul(column, 374761393) ^ Math.imul(row, 668265263) ^ Math.imul(seed, 2147483647);
    h = Math.imul(h ^ (h >>> 13), 1274126177);
    return ((h ^ (h >>> 16)) >>> 8) / 2 ** 23 - 1;
  };
  const across = x - left;
  const down = y - top;
  const upper = at(left, top) * (1 - across) + at(left + 1, top) * across;
  const lower = at(left, top + 1) * (1 - across) + at(left + 1, top + 1) * across;
  return upper * (1 - down) + lower * down;
}

export interface FrameOptions {
  /** Camera pan: pixels by which the ground is further left than in the first frame. */
  readonly pan?: number;
  /** Left edge of a bright square, or null for none. */
  readonly square?: number | null;
  /** Added to every pixel. */
  readonly light?: number;
  /** Peak-to-peak amplitude of the noise. */
  readonly noise?: number;
  /** Number of white flakes, at other positions in every frame. */
  readonly flakes?: number;
  /** Whether the upper 40 % are a clear sky. */
  readonly sky?: boolean;
  /** Selects a different scene. */
  readonly place?: number;
  readonly seed?: number;
}

/** Draws a video frame: patterned ground, and in front of it a bright square of a third of the height. */
export function frameOf(size: Size, options: FrameOptions = {}): Picture {
  const { pan = 0, square = null, light = 0, noise = 0, flakes = 0, sky = false, place = 0, seed = 1 } = options;
  const next = chance(seed);
  const side = size.height / 3;
  const top = (size.height - side) / 2;
  const colourAt = (x: number, y: number): [number, number, number] => {
    const n = noise * (next() - 0.5) + light;
    const left = square ?? 0;
    if (square !== null && x >= left && x < left + side && y >= top && y < top + side) {
      const grain = 235 + 20 * textureAt(x - left, y, 7) + n;
      return [grain, grain, grain];
    }
    if (sky && y < 0.4 * size.height) return [150 + n, 190 + n, 235 + n];
    const grain = 50 * textureAt(((x + pan) * 90) / size.height, (y * 90) / size.height, 20 + place) + n;
    return [75 + 50 * place + grain, 85 + grain, 75 - 25 * place + grain];
  };
  const byte = (value: number) => Math.min(255, Math.max(0, value));
  const picture = draw(size.width, size.height, (x, y) => {
    const [red, green, blue] = colourAt(x, y);
    return [byte(red), byte(green), byte(blue)];
  });
  for (let i = 0; i < flakes; i++) {
    const x = Math.floor(next() * (size.width - 3));
    const y = Math.floor(next() * (size.height - 3));
    for (let row = y; row < y + 3; row++)
      picture.data.fill(250, 3 * (row * size.width + x), 3 * (row * size.width + x + 3));
  }
  return picture;
}

/** Converts a picture to planes; `yuv420` requires even sides. */
export function planarOf({ data, width, height }: Picture, pixels: 'yuv420' | 'gbr'): Uint8Array[] {
  return planesOf(pixels, { width, height }).map((plane, channel) => {
    const out = new Uint8ClampedArray(plane.width * plane.height);
    const step = width / plane.width;
    for (let y = 0, i = 0; y < plane.height; y++) {
      for (let x = 0; x < plane.width; x++, i++) {
        let sum = 0;
        for (let k = 0; k < step * step; k++) {
          const column = step * x + (k % step);
          const at = 3 * ((step * y + Math.floor(k / step)) * width + column);
          sum += sampleOf(data.subarray(at, at + 3), pixels, channel);
        }
        out[i] = sum / (step * step);
      }
    }
    return new Uint8Array(out.buffer);
  });
}

function sampleOf(rgb: Uint8Array, pixels: 'yuv420' | 'gbr', channel: number): number {
  const [red, green, blue] = rgb as unknown as [number, number, number];
  if (pixels === 'gbr') return [green, blue, red][channel] as number;
  const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  if (channel === 0) return 16 + (219 / 255) * luma;
  return 128 + ((224 / 255) * (channel === 1 ? blue - luma : red - luma)) / (channel === 1 ? 1.8556 : 1.5748);
}

/** Converts a planar frame to a picture. */
export function pictureOf(frame: Uint8Array, pixels: 'yuv420' | 'gbr', { width, height }: Size): Picture {
  const samples = new Uint8Array(3 * width * height);
  for (const [channel, plane] of planesOf(pixels, { width, height }).entries()) {
    for (let y = 0; y < height; y++) {
      const row = plane.at + Math.floor((y * plane.height) / height) * plane.width;
      for (let x = 0; x < width; x++) {
        samples[3 * (y * width + x) + channel] = frame[row + Math.floor((x * plane.width) / width)] as number;
      }
    }
  }
  const rgb = new Uint8ClampedArray(samples.length);
  toRgb(samples, pixels, rgb);
  return { width, height, data: new Uint8Array(rgb.buffer) };
}

/** Scales pictures of one size with the scaler used for video frames. */
export class PictureScaler {
  readonly #memory: KernelMemory = createMemory();
  readonly #small: SmallPictures;
  readonly #at: number;
  readonly #size: Size;

  constructor(size: Size) {
    this.#size = { width: size.width, height: size.height };
    this.#small = new SmallPictures(this.#memory, 'gbr', this.#size);
    this.#at = takeMemory(this.#memory, frameBytes('gbr', this.#size));
  }

  /** The result is valid until the next call. */
  scale(picture: Picture, to: Size): Picture {
    const frame = new Uint8Array(this.#memory.buffer, this.#at, frameBytes('gbr', this.#size));
    for (const [i, plane] of planarOf(picture, 'gbr').entries()) frame.set(plane, i * plane.length);
    this.#small.begin(this.#at);
    return this.#small.picture({ width: to.width, height: to.height });
  }
}

/** Derives depth from brightness (bright is near), for tests that need known depth. */
export function brightIsNear(interval: number, withMatte = false): KeyEstimator {
  return {
    source: 'basic',
    interval,
    warnings: [],
    async estimate(scaled, grid): Promise<KeyEstimate> {
      const { data } = scaled(grid);
      const depth = new Float32Array(grid.width * grid.height);
      const matte = new Float32Array(depth.length);
      for (let i = 0; i < depth.length; i++) {
        matte[i] = Math.min(1, Math.max(0, ((data[3 * i + 1] as number) - 160) / 60));
        depth[i] = 2 * (matte[i] as number);
      }
      return { depth: { ...grid, data: depth }, matte: withMatte ? { ...grid, data: matte } : null };
    },
    async close() {},
  };
}
