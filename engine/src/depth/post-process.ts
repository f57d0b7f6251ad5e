import type { Picture } from '../types.ts';
import { followEdges } from './follow-edges.ts';
import type { Plane } from './plane.ts';
import { standPosts } from './posts.ts';
import { resampleLinear } from './resample.ts';
import { snapToMatte } from './snap.ts';
import { normaliseRange, quantile } from './statistics.ts';

/** Depth quantile assigned to the sky: the far end, but not beyond it. */
const SKY_DEPTH = 0.02;

/**
 * Enlarges the coarse grid to a depth map whose edges follow the subject, and elsewhere the picture's own. Subjects
 * and posts become whole.
 * @param coarse Relative inverse depth of any range.
 * @param matte Subject matte of any size, or null.
 * @param sky 1 for sky, 0 elsewhere, of any size; null for none.
 * @returns 0 far … 1 near, of the picture's size; all 0.5 when the depth is flat.
 */
export function finishDepth(coarse: Plane, picture: Picture, matte: Plane | null, sky: Plane | null): Plane {
  const { width, height } = picture;
  const edged = followEdges(coarse, sky, matte, picture);
  if (edged.sky) pushBack(edged.depth, edged.sky);
  const whole = matte ? snapToMatte(edged.depth, resampleLinear(matte, width, height)) : edged.depth;
  const depth = standPosts(whole, picture);
  return { ...depth, data: normaliseRange(depth.data) };
}

/** Moves the sky to the far end. */
function pushBack({ data }: Plane, sky: Plane): void {
  const far = quantile(data, SKY_DEPTH);
  for (let i = 0; i < data.length; i++) {
    const here = data[i] as number;
    // Steeper than the filtered map, so that the outline is as crisp as that of a subject.
    const share = Math.min(1, Math.max(0, 3 * (sky.data[i] as number) - 1));
    if (here > far) data[i] = here + (far - here) * share;
  }
}
