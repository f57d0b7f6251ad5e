import { correlation, median } from '../../depth/statistics.ts';
import type { Match } from './match.ts';
import type { GreyPicture } from './matcher.ts';

/** Weights of what the disparity of a pair says about its order. */
const WEIGHT = { rows: 1, hidden: 0.6, plane: 0.3 };
/** Median disparity, as a share of the width, that tells the order as far as the plane of the display can. */
const CLEAR_PLANE = 0.06;
/** The first eye is the left one unless the contrary is more likely than this. */
const DOUBT = 0.12;

/**
 * Returns how likely the first eye of a pair is the left one: negative when the eyes are exchanged, which turns near
 * into far. Matching itself cannot tell, because an exchanged pair is a possible scene, too. Three things can:
 * - The ground is near at the bottom and far at the top.
 * - What only one eye sees, beside an outline, belongs to the thing behind it and has its colour.
 * - Eyes cannot turn outwards: hardly anything is far behind the plane of the display, but much may be in front of it.
 */
export function leftComesFirst(first: GreyPicture, match: Match): number {
  return (
    WEIGHT.rows * nearerBelow(first, match) +
    WEIGHT.hidden * hiddenIsBehind(first, match) +
    WEIGHT.plane * inFront(first, match)
  );
}

/** Whether a pair whose first eye is rated as this by `leftComesFirst` is to be exchanged. */
export function isExchanged(rating: number): boolean {
  return rating < -DOUBT;
}

function nearerBelow({ width }: GreyPicture, { disparity, trusted }: Match): number {
  const isKnown = (_: number, i: number) => trusted[i] === 1;
  const rows = disparity.map((_, i) => Math.floor(i / width));
  return correlation(rows.filter(isKnown), disparity.filter(isKnown));
}

/** Smallest disparity step, in pixels, beside which hidden pixels are looked at, and the contrast that tells. */
const STEP = 3;
const LEAST_CONTRAST = 8;
const MOST_CONTRAST = 40;
/** A gap is as wide as the step, give or take this. */
const SLACK = 6;
/** Pixels on each side whose mean colour is compared: the outline itself is left out. */
const BESIDE = { from: 1, to: 5 };
/** Weight that must come together; of less, only a part is told. */
const ENOUGH = 1500;

/** Returns 1 when gaps of the disparity have the colour of the farther side, −1 when they have that of the nearer one. */
function hiddenIsBehind({ data, width, height }: GreyPicture, { disparity, trusted }: Match): number {
  let [sum, weights] = [0, 0];
  for (let y = 0; y < height; y++) {
    const at = y * width;
    const mean = (from: number, to: number) => {
      let total = 0;
      for (let x = from; x < to; x++) total += data[at + x] as number;
      return total / (to - from);
    };
    for (let x = BESIDE.to; x < width - BESIDE.to; x++) {
      if (trusted[at + x] === 1) continue;
      const start = x;
      while (x < width && trusted[at + x] === 0) x++;
      if (trusted[at + start - 1] === 0 || x >= width - BESIDE.to) continue;
      const step = (disparity[at + x + 1] as number) - (disparity[at + start - 2] as number);
      if (step < STEP || x - start < 2 || x - start > step + SLACK) continue;
      const far = mean(start - BESIDE.to, start - BESIDE.from);
      const near = mean(x + BESIDE.from, x + BESIDE.to);
      const contrast = Math.abs(far - near);
      if (contrast < LEAST_CONTRAST) continue;
      const gap = mean(start, x);
      const [toFar, toNear] = [Math.abs(gap - far), Math.abs(gap - near)];
      const weight = Math.min(MOST_CONTRAST, contrast);
      sum += (weight * (toNear - toFar)) / (toNear + toFar);
      weights += weight;
    }
  }
  return weights > 0 ? (sum / weights) * Math.min(1, weights / ENOUGH) : 0;
}

function inFront({ width }: GreyPicture, { disparity, trusted }: Match): number {
  const known = disparity.filter((_, i) => trusted[i] === 1);
  if (known.length === 0) return 0;
  return Math.min(1, Math.max(-1, median(known) / width / CLEAR_PLANE));
}
