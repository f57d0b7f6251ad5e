import { correlation, standardDeviation } from '../../depth/statistics.ts';
import type { DepthSamples } from '../../geometry/index.ts';
import { fail } from './verify.ts';

/** Minimum correlation between a written depth map and its source. */
const SAME_DEPTH = 0.8;
/** Depth with a smaller standard deviation (of a range of 1) is too flat to correlate. */
const FLAT = 0.01;
/**
 * Both maps are compared as averages over this many cells across and down: they differ in size, and a member's own map
 * may be finer than the file.
 */
const CELLS = 32;

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
export function checkDepth(written: DepthArea, { data, width, height, scale }: DepthSamples): void {
  const across = Math.min(CELLS, width, written.width);
  const down = Math.min(CELLS, height, written.height);
  const expected = averages({ values: data, stride: width, x: 0, width, height }, across, down);
  if (standardDeviation(expected) < FLAT * scale) return;
  const likeness = correlation(expected, averages(written, across, down));
  if (likeness < SAME_DEPTH) fail(`its depth is not the one it was made from (correlation ${likeness})`);
}

function averages({ values, stride, x: left, width, height }: DepthArea, across: number, down: number): Float32Array {
  const cells = new Float32Array(across * down);
  for (let row = 0; row < down; row++) {
    const [top, bottom] = [Math.floor((row * height) / down), Math.floor(((row + 1) * height) / down)];
    for (let column = 0; column < across; column++) {
      const [from, to] = [Math.floor((column * width) / across), Math.floor(((column + 1) * width) / across)];
      let sum = 0;
      for (let y = top; y < bottom; y++) for (let x = from; x < to; x++) sum += values[y * stride + left + x] as number;
      cells[row * across + column] = sum / ((bottom - top) * (to - from));
    }
  }
  return cells;
}
