import type { Size } from '../types.ts';

/**
 * The one parallax formula of the product; server, browser shader and tests all use it.
 *
 * A point with depth `d` (0 far … 1 near) at `u` (0 … 1 across the picture) is seen by the camera at `s`
 * (−1 leftmost … 1 rightmost) at `u + shift(…)`. Everything is a fraction of the picture's width, so it holds at any size.
 * What is nearer than the convergence plane lies further right in the left eye and moves left as `s` rises.
 */
export interface Parallax {
  /** Travel between the outermost views of a point with `d − convergence = 1`, as a fraction of the width. */
  readonly sweep: number;
  /** Depth that does not move: it lies in the plane of the display. */
  readonly convergence: number;
}

/**
 * What the views are for. Many views (light field), a stereo pair, or a looping wiggle: on a flat screen motion alone
 * carries depth, so half the sweep of a light field is enough and shows half as much of what had to be filled in.
 */
export type ViewSet = 'views' | 'pair' | 'wiggle';

/** Sweep at effect 100 %, in percent of the reference length. For a pair this is D of `D/100 · W · (d − c)`. */
const SWEEP_PERCENT: Readonly<Record<ViewSet, number>> = { views: 8, pair: 2, wiggle: 4 };

/** Beyond this share of the width pictures fall apart whatever the display can show. */
export const LARGEST_SWEEP_PERCENT = 15;

/** Share of the width at each side over which the strength fades. */
const FADE_WIDTH = 0.08;
/** Strength left at the very edge: none would pin the edge to the frame, all of it would open strips never photographed. */
const FADE_FLOOR = 0.25;

/**
 * Sweep that a member asks for, in percent of the view's width, before any limit of a device.
 * @param effect percent, 0 … 100
 * @param size of the crop; strength refers to its longer side, so that portrait frames do not lose depth
 */
export function wishedSweepPercent(set: ViewSet, effect: number, size: Size): number {
  if (!Number.isFinite(effect) || effect < 0) throw new RangeError(`effect must be 0 or more, not ${effect}`);
  const reference = Math.max(size.width, size.height) / size.width;
  return (SWEEP_PERCENT[set] * effect * reference) / 100;
}

/** The sweep that is rendered: the requested one, within the device's disparity budget and the cap (all percent of the width). */
export function allowedSweepPercent(wishedPercent: number, budgetPercent: number): number {
  return Math.min(wishedPercent, budgetPercent, LARGEST_SWEEP_PERCENT);
}

/** Camera position −1 (leftmost) … 1 (rightmost) of view `index` among `count`; a single view stands in the middle. */
export function viewPosition(index: number, count: number): number {
  return count < 2 ? 0 : (2 * index) / (count - 1) - 1;
}

/** Strength at `u` (0 … 1 across the picture): 1 inside, fading smoothly towards the left and right edge of the frame. */
export function edgeFade(u: number): number {
  const t = Math.min(1, Math.max(0, Math.min(u, 1 - u) / FADE_WIDTH));
  return FADE_FLOOR + (1 - FADE_FLOOR) * t * t * (3 - 2 * t);
}

/** Where a point is seen, relative to where it is in the picture, as a fraction of the width; positive is right. */
export function shift(parallax: Parallax, position: number, depth: number, u: number): number {
  return -position * (parallax.sweep / 2) * (depth - parallax.convergence) * edgeFade(u);
}

/**
 * Over-scan: the share of the width that is cut from the left and from the right of every view so that the strips which
 * open beside the outermost pixels are never seen. Under 1 % of the width; the rest is stretched to the full width:
 * `view u = (u + shift − inset) / (1 − 2 · inset)`.
 */
export function overscan(parallax: Parallax): number {
  const farthest = Math.max(parallax.convergence, 1 - parallax.convergence);
  return (parallax.sweep / 2) * farthest * FADE_FLOOR;
}
