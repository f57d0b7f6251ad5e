import type { PairChoice, PairLayout } from '@framelift/contract/formats';
import { quantile } from '../../depth/statistics.ts';
import { overUnder, sideBySide } from '../../formats/jps.ts';
import type { Size } from '../../types.ts';
import type { PictureHeader } from '../header.ts';
import { type Eye, type EyePlaces, greyOf, readEyes } from './eyes.ts';
import { comparedSize, halvesMatch, isSqueezed } from './halves.ts';
import { type Match, matchPair } from './match.ts';
import { isExchanged, leftComesFirst } from './order.ts';
import { pairOfName } from './pair-name.ts';

/** What is known about a picture before looking at it. */
export interface PairHints {
  /** Name of the file as people gave it. */
  readonly name?: string | undefined;
  /** What the member says that it is. */
  readonly pair?: PairChoice | undefined;
}

/** A picture that holds both eyes. */
export interface FoundPair extends EyePlaces {
  readonly layout: PairLayout;
}

/** Returns the header of the left eye's picture. */
export function leftEyeHeader(header: PictureHeader, pair: FoundPair): PictureHeader {
  return { ...header, stereo: pair, stored: pair.shown };
}

type Packing = 'sideBySide' | 'topBottom';

/** Long side of an eye at which halves are compared. */
const ASKING_SIDE = 320;
/** Aspects (width / height) of pictures that are looked at, from two narrow portraits to two panoramas. */
const ASPECTS = { sideBySide: [0.95, 4.5], topBottom: [0.3, 2] } as const;
/**
 * Thresholds for treating two halves as a pair. Among 200 crops of ordinary photographs the highest consistency was 0.4; a
 * page with two plots reached 0.67; real pairs reach 0.75 to 0.95. If the name says that it is one, less is enough.
 */
const CONSISTENT = { untold: 0.72, named: 0.65 };
/** Disparities as fractions of an eye's width: largest accepted median, and smallest accepted range. */
const LARGEST_OFFSET = 0.18;
const LEAST_RANGE = 0.006;

/**
 * Finds both eyes in a picture: as the member says, as its name says if its halves agree, or by looking at it.
 *
 * @returns null for a picture with one view
 */
export async function findPair(
  bytes: Uint8Array,
  { type, whole, orientation }: PictureHeader,
  { name = '', pair }: PairHints,
): Promise<FoundPair | null> {
  if (pair === 'flat' || orientation !== 1 || type === 'image/heic' || type === 'image/avif' || type === 'image/gif')
    return null;
  const named = pairOfName(name);
  const aspect = whole.width / whole.height;
  if (pair !== undefined) {
    const packing = packingOf(pair);
    const told = named?.packing === packing ? named.squeezed : null;
    return placesOf(whole, pair, told ?? isSqueezed(packing, aspect));
  }
  if (named) {
    const squeezed = named.squeezed ?? isSqueezed(named.packing, aspect);
    const first = placesOf(whole, layoutOf(named.packing, named.second ?? false), squeezed);
    const looked = first && (await look(bytes, first, CONSISTENT.named));
    if (looked)
      return named.second === null && looked.exchanged
        ? placesOf(whole, layoutOf(named.packing, true), squeezed)
        : first;
  }
  return lookFor(bytes, whole);
}

/** Looks for a pair that nothing announces. */
async function lookFor(bytes: Uint8Array, whole: Size): Promise<FoundPair | null> {
  const aspect = whole.width / whole.height;
  const shapes = (['sideBySide', 'topBottom'] as const).filter(
    (packing) => aspect >= ASPECTS[packing][0] && aspect <= ASPECTS[packing][1],
  );
  for (const packing of shapes) {
    const { data } = await greyOf(bytes, comparedSize(packing));
    if (!halvesMatch(data, packing, true)) continue;
    const first = placesOf(whole, layoutOf(packing, false), false);
    const looked = first && (await look(bytes, first, CONSISTENT.untold));
    if (!looked) continue;
    const squeezed = isSqueezed(packing, aspect) && !isPortraitPair(packing, aspect, looked.eye);
    return placesOf(whole, layoutOf(packing, looked.exchanged), squeezed);
  }
  return null;
}

/** Compares two eyes. Null if they do not show one scene from two places. */
async function look(bytes: Uint8Array, places: FoundPair, least: number) {
  const [left, right] = await readEyes(bytes, places, ASKING_SIDE);
  const match = matchPair(left, right);
  if (!match || match.consistent < least || !isDeep(match, left.width)) return null;
  return { eye: left, exchanged: isExchanged(leftComesFirst(left, match)) };
}

function isDeep({ disparity, trusted }: Match, width: number): boolean {
  const known = disparity.filter((_, i) => trusted[i] === 1);
  if (known.length === 0) return false;
  const range = (quantile(known, 0.95) - quantile(known, 0.05)) / width;
  return range >= LEAST_RANGE && Math.abs(quantile(known, 0.5)) / width <= LARGEST_OFFSET;
}

/**
 * A whole of 4:3 holds two squeezed landscapes or two portraits of 2:3: squeezing makes edges across steeper than edges
 * down.
 */
function isPortraitPair(packing: Packing, aspect: number, { data, width, height }: Eye): boolean {
  if (packing !== 'sideBySide' || aspect > 1.42) return false;
  let [across, down] = [0, 0];
  for (let y = 1; y < height; y++)
    for (let x = 1; x < width; x++) {
      const here = data[y * width + x] as number;
      across += Math.abs(here - (data[y * width + x - 1] as number));
      down += Math.abs(here - (data[(y - 1) * width + x] as number));
    }
  return across < PORTRAIT_STEEPNESS * down;
}
const PORTRAIT_STEEPNESS = 1.3;

function packingOf(layout: PairLayout): Packing {
  return layout === 'leftRight' || layout === 'rightLeft' ? 'sideBySide' : 'topBottom';
}

function layoutOf(packing: Packing, second: boolean): PairLayout {
  if (packing === 'sideBySide') return second ? 'rightLeft' : 'leftRight';
  return second ? 'belowAbove' : 'aboveBelow';
}

/** Returns where the eyes of a layout are; null if the picture is too small to have halves. */
function placesOf(whole: Size, layout: PairLayout, squeezed: boolean): FoundPair | null {
  const beside = packingOf(layout) === 'sideBySide';
  const halves = beside ? sideBySide(whole) : overUnder(whole);
  if (!halves) return null;
  const [first, second] = halves;
  const [left, right] = layout === 'leftRight' || layout === 'aboveBelow' ? [first, second] : [second, first];
  const factor = squeezed ? 2 : 1;
  const shown = beside
    ? { width: first.width * factor, height: first.height }
    : { width: first.width, height: first.height * factor };
  return { layout, left, right, shown };
}
