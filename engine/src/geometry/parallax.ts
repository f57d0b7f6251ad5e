import type { Size } from '../types.ts';

/**
 * The single parallax formula of the product, shared by server, browser shader and tests.
 *
 * A point with depth `d` (0 far … 1 near) at `u` (0 … 1 across the picture) is seen by the camera at `s`
 * (−1 leftmost … 1 rightmost) at `u + shift(…)`. All values are fractions of the picture's width, so the formula is
 * independent of resolution. Points nearer than the convergence plane are further right in the left eye and move
 * left as `s` increases.
 */
export interface Parallax {
  /** Shift between the outermost views of a point with `d − convergence = 1`, as a fraction of the width. */
  readonly sweep: number;
  /** Depth with zero parallax, in the plane of the display. */
  readonly convergence: number;
}

/**
 * Use of the views: many views (light field), a stereo pair, or a looping wiggle. A wiggle on a flat screen conveys
 * depth by motion alone, so half the sweep of a light field is enough and reveals half as much filled-in background.
 */
export type ViewSet = 'views' | 'pair' | 'wiggle';

/** Sweep at effect 100 %, in percent of the reference length. For a pair this is D of `D/100 · W · (d − c)`. */
const SWEEP_PERCENT: Readonly<Record<ViewSet, number>> = { views: 8, pair: 2, wiggle: 4 };

/** Largest sweep in percent of the width; beyond it pictures break up, whatever the display supports. */
export const LARGEST_SWEEP_PERCENT = 15;

/** Strength at the very edge. 0 would pin the edge to the frame; 1 would open strips without any picture content. */
export const FADE_FLOOR = 0.5;
/** Largest change of the width of things by the fade: what moves less on one side than on the other is squeezed. */
const MOST_SQUEEZE = 0.07;
/** Fraction of the width at each side over which the strength fades: at least, and at most (the whole half). */
const NARROWEST_FADE = 0.08;
const WIDEST_FADE = 0.5;
/** Part of the fade, at its inner end, over which it bends into full strength; a straight line before. */
export const FADE_BEND = 0.4;
/** Slope of that line: 1 for a fade without a bend. */
export const FADE_SLOPE = 1 / (1 - FADE_BEND / 2);

/**
 * Returns the requested sweep in percent of the view's width, before any device limit.
 * @param effect percent, 0 … 100
 * @param size of the crop; strength refers to its longer side, so that portrait frames do not lose depth
 */
export function wishedSweepPercent(set: ViewSet, effect: number, size: Size): number {
  if (!Number.isFinite(effect) || effect < 0) throw new RangeError(`effect must be 0 or more, not ${effect}`);
  const reference = Math.max(size.width, size.height) / size.width;
  return (SWEEP_PERCENT[set] * effect * reference) / 100;
}

/**
 * Returns the rendered sweep: the requested one, limited to the device's disparity budget and the cap (all percent of
 * the width).
 */
export function allowedSweepPercent(wishedPercent: number, budgetPercent: number): number {
  return Math.min(wishedPercent, budgetPercent, LARGEST_SWEEP_PERCENT);
}

/** Returns the camera position −1 (leftmost) … 1 (rightmost) of view `index` among `count`; 0 for a single view. */
export function viewPosition(index: number, count: number): number {
  return count < 2 ? 0 : (2 * index) / (count - 1) - 1;
}

/** Returns the largest shift of a view as a fraction of the width: that of a point at either end of the depth. */
function largestShift({ sweep, convergence }: Parallax): number {
  return (sweep / 2) * Math.max(convergence, 1 - convergence);
}

/**
 * Returns the fraction of the width at each side over which the strength fades: the stronger the parallax, the wider,
 * so that nothing is squeezed or stretched visibly.
 */
export function fadeWidth(parallax: Parallax): number {
  const wanted = (FADE_SLOPE * (1 - FADE_FLOOR) * largestShift(parallax)) / MOST_SQUEEZE;
  return Math.min(WIDEST_FADE, Math.max(NARROWEST_FADE, wanted));
}

/**
 * Returns the strength at `u` (0 … 1 across the picture): 1 inside, fading evenly towards the left and right edges.
 * @param width `fadeWidth` of the parallax
 */
export function edgeFade(u: number, width: number): number {
  const t = Math.min(1, Math.max(0, Math.min(u, 1 - u) / width));
  const eased = t < 1 - FADE_BEND ? FADE_SLOPE * t : 1 - (FADE_SLOPE * (1 - t) * (1 - t)) / (2 * FADE_BEND);
  return FADE_FLOOR + (1 - FADE_FLOOR) * eased;
}

/** Returns the displacement of a point in a view, as a fraction of the width; positive is right. */
export function shift(parallax: Parallax, position: number, depth: number, u: number): number {
  return -position * (parallax.sweep / 2) * (depth - parallax.convergence) * edgeFade(u, fadeWidth(parallax));
}

/**
 * Returns the overscan: the fraction of the width that is cropped from the left and the right of every view, so that
 * the strips that open at the edges are never visible. Under 2 % of the width on most displays; the rest is stretched to
 * the full width:
 * `view u = (u + shift − inset) / (1 − 2 · inset)`.
 */
export function overscan(parallax: Parallax): number {
  return largestShift(parallax) * FADE_FLOOR;
}
