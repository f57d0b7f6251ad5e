import { boxMean } from '../../depth/box-mean.ts';
import { createPlane } from '../../depth/plane.ts';
import { quantile } from '../../depth/statistics.ts';
import type { GreyPicture } from './matcher.ts';

/** Darker areas without pattern are shadows, clothes or rooms. */
const LEAST_BRIGHTNESS = 110;
/** Largest mean step between neighbours, of 255, in a window around a pixel of a sky. */
const LARGEST_STEP = 3.5;
const WINDOW = 3;
/** Largest difference between neighbours, each with the mean of its own neighbours. */
const SLOPE = 5;
/** The matching window reaches this far beyond an outline, so that what is seen there belongs to the thing before the sky. */
const REACH = 7;
/** Largest difference in brightness to the sky beside it of what is still sky within that reach. */
const SAME_SKY = 14;
/** Width of the outline whose disparities are looked at. */
const BORDER = 4;
/** Share of an area with disparities below which they are accidents. In bright walls it was at least 0.26, in all but one. */
const LEAST_KNOWN = 0.25;
/**
 * Difference in pixels that is a step, and the number of steps that accidents make, as a multiple of the side of a square
 * of the area's size. In skies without pattern it was 1.4 to 3.4, in bright walls 0 to 0.5, once 1.3.
 */
const STEP = 5;
const MOST_STEPS = 0.6;
/** Smaller skies, as a share of the picture, are left as they were matched. */
const LEAST_SHARE = 0.02;
/** Of the disparities along its outline, the one that a sky gets: that of the horizon, however much stands before it. */
const FARTHEST = 0.1;

/**
 * Gives a sky the disparity of the farthest that borders on it, and marks it as not measured. A sky without pattern
 * matches at any disparity, so that the one of whatever stands before it spreads over it, in both eyes alike.
 *
 * @param trusted 1 for each measured pixel; changed like `disparity`
 */
export function flattenSky(disparity: Float32Array, trusted: Uint8Array, left: GreyPicture): void {
  const sky = findSky(left);
  if (!sky || isMeasured(sky, disparity, trusted, left.width)) return;
  const beside = grow(sky.slice(), left, BORDER, () => true).filter((i) => trusted[i] === 1);
  if (beside.length === 0) return;
  const far = quantile(
    Float32Array.from(beside, (i) => disparity[i] as number),
    FARTHEST,
  );
  for (let i = 0; i < sky.length; i++) {
    if (sky[i] === 0) continue;
    disparity[i] = far;
    trusted[i] = 0;
  }
}

/**
 * Whether an area was measured, as bright walls and clouds are: most of it, and without parts of another disparity that
 * begin where nothing is to be seen.
 */
function isMeasured(area: Uint8Array, disparity: Float32Array, trusted: Uint8Array, width: number): boolean {
  const inside = [...area.keys()].filter((i) => area[i] === 1);
  const known = inside.filter((i) => trusted[i] === 1);
  if (known.length < LEAST_KNOWN * inside.length) return false;
  const at = (i: number) => disparity[i] as number;
  let steps = 0;
  for (const i of known)
    for (const next of [(i + 1) % width > 0 && i + 1, i + width])
      if (next && area[next] === 1 && trusted[next] === 1 && Math.abs(at(i) - at(next)) > STEP) steps++;
  return steps <= MOST_STEPS * Math.sqrt(inside.length);
}

/** Returns 1 for each pixel of a bright area without pattern that reaches the upper edge; null if there is none. */
function findSky(eye: GreyPicture): Uint8Array | null {
  const { data, width, height } = eye;
  const steps = createPlane(width, height);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++) {
      const here = data[i] as number;
      const across = x + 1 < width ? Math.abs(here - (data[i + 1] as number)) : 0;
      const down = y + 1 < height ? Math.abs(here - (data[i + width] as number)) : 0;
      steps.data[i] = Math.max(across, down);
    }
  const roughness = boxMean(steps, WINDOW).data;
  const isBare = (i: number) => (data[i] as number) >= LEAST_BRIGHTNESS && (roughness[i] as number) <= LARGEST_STEP;

  const sky = new Uint8Array(data.length);
  for (let x = 0; x < width; x++) if (isBare(x)) sky[x] = 1;
  const level = boxMean({ data: Float32Array.from(data), width, height }, 1).data;
  grow(
    sky,
    eye,
    data.length,
    (i, from) => isBare(i) && Math.abs((level[i] as number) - (level[from] as number)) <= SLOPE,
  );
  grow(sky, eye, REACH, (i, from) => Math.abs((data[i] as number) - (data[from] as number)) <= SAME_SKY);
  const share = sky.reduce((sum, one) => sum + one, 0) / sky.length;
  return share >= LEAST_SHARE ? sky : null;
}

/**
 * Adds the neighbours that `accepts` takes to an area, up to `distance` pixels away.
 * @returns what was added
 */
function grow(
  area: Uint8Array,
  { width, height }: GreyPicture,
  distance: number,
  accepts: (i: number, from: number) => boolean,
): number[] {
  const added: number[] = [];
  let front = [...area.keys()].filter((i) => area[i] === 1);
  for (let step = 0; step < distance && front.length > 0; step++) {
    const next: number[] = [];
    for (const from of front) {
      const x = from % width;
      const neighbours = [x > 0 && from - 1, x < width - 1 && from + 1, from >= width && from - width, from + width];
      for (const i of neighbours) {
        if (i === false || i >= width * height || area[i] === 1 || !accepts(i, from)) continue;
        area[i] = 1;
        next.push(i);
      }
    }
    for (const i of next) added.push(i);
    front = next;
  }
  return added;
}
