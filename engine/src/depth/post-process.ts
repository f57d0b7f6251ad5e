import type { Size } from '../types.ts';
import type { Plane } from './plane.ts';
import { resampleCubic, resampleLinear } from './resample.ts';
import { snapToMatte } from './snap.ts';
import { normaliseRange } from './statistics.ts';

/**
 * Upsamples the coarse grid to a depth map whose edges follow the subject. Elsewhere it stays smooth: refinement by the
 * picture's own edges (guided filter) was measured and reduced edge accuracy, because texture became relief.
 * @param coarse Relative inverse depth of any range.
 * @param matte Subject matte of any size, or null.
 * @returns 0 far … 1 near, of the given size; all 0.5 when the depth is flat.
 */
export function finishDepth(coarse: Plane, { width, height }: Size, matte: Plane | null): Plane {
  const smooth = resampleCubic(coarse, width, height);
  const depth = matte ? snapToMatte(smooth, resampleLinear(matte, width, height)) : smooth;
  return { ...depth, data: normaliseRange(depth.data) };
}
