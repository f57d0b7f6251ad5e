import type { Plane } from '../plane.ts';

/** Counts the non-finite values. */
export function countBroken({ data }: Plane): number {
  let broken = 0;
  for (let i = 0; i < data.length; i++) if (!Number.isFinite(data[i])) broken++;
  return broken;
}

/** Returns whether a map carries no information: its finite values are all the same, or there are none. */
export function isFlat({ data }: Plane): boolean {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < data.length; i++) {
    const value = data[i] as number;
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return !(high - low > 1e-6 * Math.max(1, Math.abs(low), Math.abs(high)));
}

/**
 * Replaces each non-finite value by the mean of its finite neighbours, from the edges of a hole inwards. A map without
 * finite values stays unchanged.
 */
export function fillBroken({ data, width, height }: Plane): Plane {
  const out = data.slice();
  let broken: number[] = [];
  for (let i = 0; i < out.length; i++) if (!Number.isFinite(out[i])) broken.push(i);
  while (broken.length > 0) {
    const filled: number[] = [];
    const rest: number[] = [];
    for (const i of broken) {
      const x = i % width;
      const y = (i - x) / width;
      let sum = 0;
      let count = 0;
      for (let dy = -1; dy <= 1; dy++) {
        for (let dx = -1; dx <= 1; dx++) {
          if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue;
          const value = out[i + dy * width + dx] as number;
          if (!Number.isFinite(value)) continue;
          sum += value;
          count++;
        }
      }
      if (count === 0) rest.push(i);
      else filled.push(i, sum / count);
    }
    if (filled.length === 0) break;
    // Written after the pass, so that the result does not depend on the scan direction.
    for (let k = 0; k < filled.length; k += 2) out[filled[k] as number] = filled[k + 1] as number;
    broken = rest;
  }
  return { data: out, width, height };
}
