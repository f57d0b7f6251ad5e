import type { DepthSamples } from '../../geometry/index.ts';
import { fail } from './verify.ts';

/** Correlation of a written depth with the one it was made from. */
const SAME_DEPTH = 0.8;
/** Depth that varies by less (standard deviation, of 1) has nothing to correlate. */
const FLAT = 0.01;

/** Part of a decoded file that shows depth: `width` columns from `x` on, of rows `stride` long. */
export interface DepthArea {
  readonly values: ArrayLike<number>;
  readonly stride: number;
  readonly x: number;
  readonly width: number;
  readonly height: number;
}

/** Compares written depth with the one it was made from. */
export function checkDepth({ values, stride, x: left, width, height }: DepthArea, depth: DepthSamples): void {
  let count = 0;
  let sumA = 0;
  let sumB = 0;
  let sumAA = 0;
  let sumBB = 0;
  let sumAB = 0;
  for (let y = 0; y < depth.height; y++) {
    const row = Math.floor(((y + 0.5) * height) / depth.height) * stride + left;
    for (let x = 0; x < depth.width; x++) {
      const a = (depth.data[y * depth.width + x] as number) / depth.scale;
      const b = values[row + Math.floor(((x + 0.5) * width) / depth.width)] as number;
      count++;
      sumA += a;
      sumB += b;
      sumAA += a * a;
      sumBB += b * b;
      sumAB += a * b;
    }
  }
  const spreadA = Math.sqrt(Math.max(0, sumAA / count - (sumA / count) ** 2));
  const spreadB = Math.sqrt(Math.max(0, sumBB / count - (sumB / count) ** 2));
  if (spreadA < FLAT) return;
  const correlation = (sumAB / count - (sumA / count) * (sumB / count)) / (spreadA * spreadB);
  // Not a number where the written depth is blank.
  if (!(correlation >= SAME_DEPTH)) fail(`its depth is not the one it was made from (correlation ${correlation})`);
}
