import { correlation, standardDeviation } from '../../depth/statistics.ts';
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
  const source = Float32Array.from(depth.data, (value) => value / depth.scale);
  if (standardDeviation(source) < FLAT) return;
  const written = new Float32Array(source.length);
  for (let y = 0, i = 0; y < depth.height; y++) {
    const row = Math.floor(((y + 0.5) * height) / depth.height) * stride + left;
    for (let x = 0; x < depth.width; x++, i++)
      written[i] = values[row + Math.floor(((x + 0.5) * width) / depth.width)] as number;
  }
  const likeness = correlation(source, written);
  if (likeness < SAME_DEPTH) fail(`its depth is not the one it was made from (correlation ${likeness})`);
}
