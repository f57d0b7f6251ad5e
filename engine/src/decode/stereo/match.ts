import { quantile } from '../../depth/statistics.ts';
import { fillUnknown, medianOf9, removeSpecks, UNKNOWN } from './clean.ts';
import { type GreyPicture, Matcher } from './matcher.ts';

export interface Match {
  /**
   * For each pixel of the left eye by how many pixels it lies further right than in the right eye: larger is nearer.
   * May be negative where a pair was converged. Without gaps: what only one eye sees was filled from the far side.
   */
  readonly disparity: Float32Array;
  /** Share (0 … 1) of pixels for which left → right → left leads back to where it started. */
  readonly consistent: number;
}

/** Disparities that are looked for, as a share of the width, to both sides. */
const WIDEST = 0.2;
/** Long side at which the range of disparities is found. */
const COARSE_SIDE = 160;
/** Levels of disparity at the full size: beyond them memory, not sense, is the limit. */
const MOST_LEVELS = 176;
/** Rows by which one lens may look higher than the other. */
const MOST_ROWS = 6;
/** Pairs that are level already are the rule: another offset must be better by more than this. */
const LEVEL_BONUS = 0.97;

/**
 * Dense stereo: depth from a pair of equal size whose rows correspond. First at a small size, to learn which
 * disparities there are, then at the size given, which should be about 640 px for time and memory. Takes about 0.5 s.
 *
 * @returns null when the eyes have too little in common
 */
export function matchPair(left: GreyPicture, right: GreyPicture): Match | null {
  const factor = Math.max(1, Math.round(Math.max(left.width, left.height) / COARSE_SIDE));
  const coarse = findRange(shrink(left, factor), shrink(right, factor));
  if (!coarse) return null;
  const first = Math.floor(coarse.low * factor);
  const count = Math.min(MOST_LEVELS, Math.ceil(coarse.high * factor) - first + 1);
  const matcher = new Matcher(left, right, { first, count });
  const { disparity, known } = matcher.match(lensOffset(matcher));
  removeSpecks(disparity, left.width, Math.round(disparity.length / 2000));
  fillUnknown(disparity, left.width);
  return { disparity: medianOf9(disparity, left.width), consistent: known };
}

/** Smallest and largest disparity of a small pair, with some room on both sides. */
function findRange(left: GreyPicture, right: GreyPicture): { low: number; high: number } | null {
  const reach = Math.ceil(left.width * WIDEST);
  const { disparity } = new Matcher(left, right, { first: -reach, count: 2 * reach + 1 }).match(0);
  removeSpecks(disparity, left.width, Math.round(disparity.length / 400));
  const known = disparity.filter((value) => value !== UNKNOWN);
  if (known.length < disparity.length / 10) return null;
  return { low: quantile(known, 0.003) - 1.5, high: quantile(known, 0.997) + 1.5 };
}

/** By how many rows the right eye's picture lies lower. */
function lensOffset(matcher: Matcher): number {
  let best = 0;
  let least = matcher.misfit(0) * LEVEL_BONUS;
  for (let rows = -MOST_ROWS; rows <= MOST_ROWS; rows++) {
    const misfit = matcher.misfit(rows);
    if (misfit < least) [best, least] = [rows, misfit];
  }
  return best;
}

/** Averages squares of `factor` pixels; what is left over at the right and bottom is dropped. */
function shrink(picture: GreyPicture, factor: number): GreyPicture {
  if (factor === 1) return picture;
  const width = Math.floor(picture.width / factor);
  const height = Math.floor(picture.height / factor);
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let v = 0; v < factor; v++) {
        const from = (y * factor + v) * picture.width + x * factor;
        for (let u = 0; u < factor; u++) sum += picture.data[from + u] as number;
      }
      data[y * width + x] = Math.round(sum / (factor * factor));
    }
  }
  return { data, width, height };
}
