import type { Comfort } from '../types.ts';
import { allowedSweepPercent } from './parallax.ts';

/** A depth map of any resolution. `scale` is the value that represents 1 (255 for bytes). */
export interface DepthSamples {
  readonly data: ArrayLike<number>;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

const NARROWEST_CONVERGENCE = 0.3;
export const WIDEST_CONVERGENCE = 0.7;
/** Standard deviation of the centre weighting, as a fraction of the picture's side. */
const CENTRE_SPREAD = 0.25;
/**
 * An object at the frame's edge that is this much nearer than the convergence plane is a window violation: it appears
 * in front of the frame that cuts it off.
 */
const VIOLATION = 0.05;

/**
 * Derives the convergence from the subject: the median depth, weighted towards the centre and towards near objects,
 * where subjects usually are. It is limited at both ends so that the display's depth is used in both directions. A flat
 * picture returns its own depth.
 */
export function autoConvergence(depth: DepthSamples): number {
  const { data, width, height, scale } = depth;
  const bins = new Float64Array(256);
  // Some ten thousand samples are enough for the median of a photograph.
  const step = Math.max(1, Math.floor(Math.sqrt((width * height) / 20_000)));
  let total = 0;
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let y = step >> 1; y < height; y += step) {
    const dy = ((y + 0.5) / height - 0.5) / CENTRE_SPREAD;
    for (let x = step >> 1; x < width; x += step) {
      const dx = ((x + 0.5) / width - 0.5) / CENTRE_SPREAD;
      const value = Math.min(1, Math.max(0, (data[y * width + x] as number) / scale));
      const weight = Math.exp(-(dx * dx + dy * dy) / 2) * (0.25 + value);
      const bin = Math.round(value * 255);
      bins[bin] = (bins[bin] as number) + weight;
      total += weight;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
  }
  if (!(most > least)) return Number.isFinite(least) ? least : 0.5;
  let sum = 0;
  let bin = 0;
  while (bin < 255 && sum + (bins[bin] as number) < total / 2) sum += bins[bin++] as number;
  return Math.min(WIDEST_CONVERGENCE, Math.max(NARROWEST_CONVERGENCE, bin / 255));
}

/** Returns the fraction (0 … 1) of left and right edge pixels with a window violation. */
export function windowViolation(depth: DepthSamples, convergence: number): number {
  const { data, width, height, scale } = depth;
  let violations = 0;
  for (let y = 0; y < height; y++) {
    for (const x of [0, width - 1]) {
      if ((data[y * width + x] as number) / scale > convergence + VIOLATION) violations++;
    }
  }
  return violations / (2 * height);
}

/**
 * Computes the comfort figures of a set of views. Disparity is the shift of the nearest point relative to the farthest
 * between the outermost views, in percent of the width; 0 for a flat picture.
 * @param wishedPercent requested sweep
 * @param budgetPercent the device's disparity budget
 */
export function comfortOf(
  depth: DepthSamples,
  convergence: number,
  wishedPercent: number,
  budgetPercent: number,
): Comfort {
  const allowed = allowedSweepPercent(wishedPercent, budgetPercent);
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < depth.data.length; i++) {
    const value = depth.data[i] as number;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const range = Math.max(0, (most - least) / depth.scale);
  return {
    largestDisparityPercent: allowed * range,
    wishedDisparityPercent: wishedPercent * range,
    clamped: wishedPercent > allowed,
    windowViolation: allowed > 0 ? windowViolation(depth, convergence) : 0,
  };
}
