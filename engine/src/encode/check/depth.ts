import type { DepthSamples } from '../../geometry/index.ts';
import { fail } from './verify.ts';

/** Minimum correlation between a written depth map and its source. */
const SAME_DEPTH = 0.8;
/** Depth with a smaller standard deviation (of a range of 1) is too flat to correlate. */
const FLAT = 0.01;

/** Depth area of a decoded file: `width` columns starting at `x`, in rows of `stride` samples. */
export interface DepthArea {
  readonly values: ArrayLike<number>;
  readonly stride: number;
  readonly x: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Compares a written depth map with its source.
 * @throws {EngineError} `conversionFailed` if they differ
 */
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
  // NaN if the written depth is blank.
  if (!(correlation >= SAME_DEPTH)) fail(`its depth is not the one it was made from (correlation ${correlation})`);
}
