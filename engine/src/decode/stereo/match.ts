import { quantile } from '../../depth/statistics.ts';
import { fillUnknown, medianOf9, removeSpecks, UNKNOWN } from './clean.ts';
import { type GreyPicture, Matcher } from './matcher.ts';
import { flattenSky } from './sky.ts';

export interface Match {
  /**
   * Disparity of each pixel of the left eye: how many pixels further right it is than in the right eye. Larger is
   * nearer; may be negative in a converged pair. Has no gaps: areas visible to one eye only are filled from the
   * background.
   */
  readonly disparity: Float32Array;
  /** Fraction (0 … 1) of pixels that pass the left-right consistency check. */
  readonly consistent: number;
  /** 1 for each pixel whose disparity was measured and is consistent, 0 where it was filled in. */
  readonly trusted: Uint8Array;
}

/** Disparity search range to each side, as a fraction of the width. */
const WIDEST = 0.2;
/** Long side at which the disparity range is determined. */
const COARSE_SIDE = 160;
/** Largest number of disparity levels at full size; limited by memory. */
const MOST_LEVELS = 176;
/** Largest vertical offset between the lenses that is searched, in rows. */
const MOST_ROWS = 6;
/** Most pairs are aligned: another vertical offset must reduce the misfit by more than this factor. */
const LEVEL_BONUS = 0.97;

/**
 * Dense stereo matching of a rectified pair of equal size. Determines the disparity range at a small size, then matches
 * at the given size, which should be about 640 px for time and memory. Takes about 0.5 s.
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
  const trusted = Uint8Array.from(disparity, (value) => (value === UNKNOWN ? 0 : 1));
  fillUnknown(disparity, left.width);
  const smooth = medianOf9(disparity, left.width);
  flattenSky(smooth, trusted, left);
  return { disparity: smooth, consistent: known, trusted };
}

/** Returns the smallest and largest disparity of a downsampled pair, with a margin on both sides. */
function findRange(left: GreyPicture, right: GreyPicture): { low: number; high: number } | null {
  const reach = Math.ceil(left.width * WIDEST);
  const { disparity } = new Matcher(left, right, { first: -reach, count: 2 * reach + 1 }).match(0);
  removeSpecks(disparity, left.width, Math.round(disparity.length / 400));
  const known = disparity.filter((value) => value !== UNKNOWN);
  if (known.length < disparity.length / 10) return null;
  return { low: quantile(known, 0.003) - 1.5, high: quantile(known, 0.997) + 1.5 };
}

/** Returns how many rows lower the right eye's picture is. */
function lensOffset(matcher: Matcher): number {
  let best = 0;
  let least = matcher.misfit(0) * LEVEL_BONUS;
  for (let rows = -MOST_ROWS; rows <= MOST_ROWS; rows++) {
    const misfit = matcher.misfit(rows);
    if (misfit < least) [best, least] = [rows, misfit];
  }
  return best;
}

/** Averages blocks of `factor` x `factor` pixels; incomplete blocks at the right and bottom are dropped. */
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
