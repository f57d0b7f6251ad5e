import type { PairLayout } from '@framelift/contract/formats';
import type { Rect, Size } from '../types.ts';
import { overUnder, sideBySide } from './jps.ts';

/** How the two eyes lie in a picture, whichever comes first. */
export type Packing = 'sideBySide' | 'topBottom';

/** Aspects (width / height) of pictures that may hold both eyes, from two narrow portraits to two panoramas. */
const ASPECTS = { sideBySide: [0.95, 4.5], topBottom: [0.3, 2] } as const;

/** Returns how a picture of this aspect may hold two eyes. */
export function possiblePackings(aspect: number): Packing[] {
  return (['sideBySide', 'topBottom'] as const).filter(
    (packing) => aspect >= ASPECTS[packing][0] && aspect <= ASPECTS[packing][1],
  );
}

/** A picture that holds both eyes: their places in its pixels, and the size at which one is shown. */
export interface PairPlaces {
  readonly layout: PairLayout;
  readonly left: Rect;
  readonly right: Rect;
  readonly shown: Size;
}

export function packingOf(layout: PairLayout): Packing {
  return layout === 'leftRight' || layout === 'rightLeft' ? 'sideBySide' : 'topBottom';
}

/** @param second the left eye is the second one */
export function layoutOf(packing: Packing, second: boolean): PairLayout {
  if (packing === 'sideBySide') return second ? 'rightLeft' : 'leftRight';
  return second ? 'belowAbove' : 'aboveBelow';
}

/** Returns where the eyes of a layout are; null if the picture is too small to have halves. */
export function pairPlaces(whole: Size, layout: PairLayout, squeezed: boolean): PairPlaces | null {
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
