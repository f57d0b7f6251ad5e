import type { KeyEstimate, KeyEstimator } from '../film/depth/key.ts';
import type { Picture, Size } from '../types.ts';
import { draw } from './pictures.ts';

/** Numbers from 0 to 1 that look like chance and are the same every time. */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
}

export interface FrameOptions {
  /** Pixels by which the ground lies further left than in the first frame: the camera pans. */
  readonly pan?: number;
  /** Left edge of a bright square, or null for none. */
  readonly square?: number | null;
  /** Added to every pixel. */
  readonly light?: number;
  /** Spread of the noise. */
  readonly noise?: number;
  /** White flakes that lie somewhere else in every frame. */
  readonly flakes?: number;
  /** The upper 40 % are a clear sky. */
  readonly sky?: boolean;
  /** Another place altogether. */
  readonly place?: number;
  readonly seed?: number;
}

/** A frame of a film: patterned ground, and a bright square of a third of the height before it. */
export function frameOf(size: Size, options: FrameOptions = {}): Picture {
  const { pan = 0, square = null, light = 0, noise = 0, flakes = 0, sky = false, place = 0, seed = 1 } = options;
  const next = chance(seed);
  const side = size.height / 3;
  const top = (size.height - side) / 2;
  const picture = draw(size.width, size.height, (x, y) => {
    const n = noise * (next() - 0.5) + light;
    if (square !== null && x >= square && x < square + side && y >= top && y < top + side)
      return [245 + n, 245 + n, 245 + n];
    if (sky && y < 0.4 * size.height) return [150 + n, 190 + n, 235 + n];
    const u = (x + pan) / size.height;
    const v = y / size.height;
    const wave =
      Math.sin((13 + 5 * place) * u + 9 * v) + Math.sin(29 * u - (17 + 7 * place) * v) + Math.sin(23 * v + 3 * u * u);
    const tint = 60 * place;
    return [70 + tint + 18 * wave + n, 85 + 15 * wave + n, 75 - tint / 2 + 12 * wave + n];
  });
  for (let i = 0; i < flakes; i++) {
    const x = Math.floor(next() * (size.width - 3));
    const y = Math.floor(next() * (size.height - 3));
    for (let row = y; row < y + 3; row++)
      picture.data.fill(250, 3 * (row * size.width + x), 3 * (row * size.width + x + 3));
  }
  return picture;
}

/** Tells depth from brightness: what is bright is near. For tests that must know what is where. */
export function brightIsNear(interval: number, withMatte = false): KeyEstimator {
  return {
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
