/** Measures flicker of the filled areas between views. */

import { synthesiseViews } from '../../engine/src/render/synthesise.ts';
import type { Picture } from '../../engine/src/types.ts';

/**
 * Plain forward warp as a baseline: each pixel moves to its nearest position, near wins; holes take the colour of their
 * far side, separately in each view.
 */
export function plainView(left: Picture, disparity: Float32Array, place: number): { view: Picture; holes: Uint8Array } {
  const { width, height, data } = left;
  const out = new Uint8Array(3 * width * height);
  const holes = new Uint8Array(width * height).fill(1);
  const nearest = new Float32Array(width).fill(-1);
  const source = new Int32Array(width);
  for (let y = 0; y < height; y++) {
    nearest.fill(-1);
    for (let x = 0; x < width; x++) {
      const d = disparity[y * width + x] as number;
      const to = Math.round(x - place * d);
      if (to < 0 || to >= width || d <= (nearest[to] as number)) continue;
      nearest[to] = d;
      source[to] = x;
    }
    let before = -1;
    for (let x = 0; x < width; ) {
      if ((nearest[x] as number) >= 0) {
        holes[y * width + x] = 0;
        before = x++;
        continue;
      }
      let after = x;
      while (after < width && (nearest[after] as number) < 0) after++;
      const useBefore = before >= 0 && (after === width || (nearest[before] as number) <= (nearest[after] as number));
      const from = useBefore ? before : after;
      for (; x < after; x++) if (from < width) source[x] = source[from] as number;
    }
    for (let x = 0; x < width; x++) {
      const from = 3 * (y * width + (source[x] as number));
      out.set(data.subarray(from, from + 3), 3 * (y * width + x));
    }
  }
  return { view: { data: out, width, height }, holes };
}

export interface Flicker {
  /** Mean second difference between views, 0 … 255, where our views show filled areas. */
  readonly filled: number;
  /** The same where they show the picture itself: mere motion also changes pixels. */
  readonly visible: number;
  /** The same in filled pixels of the plain warp, which fills each view separately. */
  readonly plain: number;
}

/**
 * Compares three neighbouring views at a time: with even motion the middle one is close to the mean of its neighbours,
 * with flicker it is not. `filled` counts pixels filled in all three, `visible` those filled in none.
 */
export function measureFlicker(left: Picture, disparity: Float32Array, views: number): Flicker {
  const places = Array.from({ length: views }, (_, i) => i / (views - 1));
  const plain = places.map((place) => plainView(left, disparity, place));
  const ours = synthesiseViews(left, disparity, places);
  const holes = plain.map((one) => one.holes);
  return {
    filled: jumps(ours, holes, 3),
    visible: jumps(ours, holes, 0),
    plain: jumps(
      plain.map(({ view }) => view),
      holes,
      3,
    ),
  };
}

/** @param wanted number of the three views in which the pixel is filled */
export function jumps(views: readonly Picture[], filled: readonly Uint8Array[], wanted: 0 | 3): number {
  let sum = 0;
  let count = 0;
  for (let k = 1; k + 1 < views.length; k++) {
    const [before, here, after] = [k - 1, k, k + 1].map((i) => (views[i] as Picture).data) as Triple<Uint8Array>;
    const [a, b, c] = [k - 1, k, k + 1].map((i) => filled[i]) as Triple<Uint8Array>;
    for (let i = 0; i < a.length; i++) {
      if ((a[i] as number) + (b[i] as number) + (c[i] as number) !== wanted) continue;
      for (let j = 3 * i; j < 3 * i + 3; j++)
        sum += Math.abs((before[j] as number) - 2 * (here[j] as number) + (after[j] as number));
      count += 3;
    }
  }
  return count === 0 ? 0 : sum / count;
}

type Triple<T> = [T, T, T];
