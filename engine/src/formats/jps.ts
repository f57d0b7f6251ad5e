import type { Rect, Size } from '../types.ts';
import { APP3, hasText, segmentsOf } from './jpeg.ts';

/** Layout of a file that declares itself as one picture holding both eyes. */
export interface StereoJpeg {
  readonly left: Rect;
  readonly right: Rect;
  /** Displayed size of one eye's picture; differs from its pixel size when squeezed. */
  readonly shown: Size;
}

const SIGNATURE = '_JPSJPS_';
/** Offsets after the signature and two length bytes: separation, flags, layout, media type. */
const FLAGS = SIGNATURE.length + 3;
const LAYOUT = SIGNATURE.length + 4;
const MEDIA_TYPE = SIGNATURE.length + 5;
const STEREO = 1;
const HALF_HEIGHT = 1;
const HALF_WIDTH = 2;
const LEFT_FIRST = 4;
const SIDE_BY_SIDE = 2;
const OVER_UNDER = 3;

/**
 * Reads the descriptor of a stereo JPEG (JPS). Without the "left first" flag the right eye comes first, because such
 * files are traditionally for cross-eyed viewing. Null for ordinary pictures and for layouts without two separate
 * halves.
 *
 * @param bytes the file, or at least its part before the pixel data
 * @param size of the whole picture in pixels
 */
export function stereoJpeg(bytes: Uint8Array, size: Size): StereoJpeg | null {
  const segment = segmentsOf(bytes).find(({ marker, start }) => marker === APP3 && hasText(bytes, start, SIGNATURE));
  if (!segment || segment.end - segment.start <= MEDIA_TYPE) return null;
  const { start } = segment;
  const flags = bytes[start + FLAGS] as number;
  const layout = bytes[start + LAYOUT];
  if (bytes[start + MEDIA_TYPE] !== STEREO || (layout !== SIDE_BY_SIDE && layout !== OVER_UNDER)) return null;
  const eyes = layout === SIDE_BY_SIDE ? sideBySide(size) : overUnder(size);
  if (!eyes) return null;
  const [first, second] = eyes;
  const shown = {
    width: first.width * (flags & HALF_WIDTH ? 2 : 1),
    height: first.height * (flags & HALF_HEIGHT ? 2 : 1),
  };
  return flags & LEFT_FIRST ? { left: first, right: second, shown } : { left: second, right: first, shown };
}

/**
 * Returns the two halves of a picture, without the middle column of an odd width; null when it is narrower than 2 px.
 */
export function sideBySide(size: Size): readonly [Rect, Rect] | null {
  const width = Math.floor(size.width / 2);
  if (width < 1) return null;
  const half = { y: 0, width, height: size.height };
  return [
    { ...half, x: 0 },
    { ...half, x: size.width - width },
  ];
}

/** Returns the upper and the lower half of a picture, without the middle row of an odd height. */
export function overUnder(size: Size): readonly [Rect, Rect] | null {
  const height = Math.floor(size.height / 2);
  if (height < 1) return null;
  const half = { x: 0, width: size.width, height };
  return [
    { ...half, y: 0 },
    { ...half, y: size.height - height },
  ];
}
