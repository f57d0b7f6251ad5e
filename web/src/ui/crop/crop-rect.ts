import { LIMITS } from '@framelift/contract';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Rect extends Size {
  readonly x: number;
  readonly y: number;
}

export type Ratio = readonly [width: number, height: number];

const between = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/** Parses a device type's `ratio` 'width,height'; falls back to the specification's 3:4 if it is invalid. */
export function parseRatio(text: string | undefined): Ratio {
  const [width, height] = (text ?? '').split(',').map(Number);
  return width !== undefined && height !== undefined && width > 0 && height > 0 ? [width, height] : LIMITS.crop.ratio;
}

/** Returns the largest size of the ratio, in whole pixels, that fits into `bounds`. */
function largestOfRatio(bounds: Size, [ratioWidth, ratioHeight]: Ratio): Size {
  const width = Math.min(bounds.width, Math.round((bounds.height * ratioWidth) / ratioHeight));
  const height = Math.min(bounds.height, Math.round((width * ratioHeight) / ratioWidth));
  return { width, height };
}

/** Returns the share of a picture, 0 … 1, that its largest crop of a ratio keeps. */
export function keptShare(source: Size, ratio: Ratio): number {
  const { width, height } = largestOfRatio(source, ratio);
  return (width * height) / (source.width * source.height);
}

/**
 * Converts the cropper's area to whole upright source pixels.
 * @param area percent (0 … 100) of the picture shown, which may be a scaled copy of the source
 * @param source upright size of the file itself
 * @returns a rectangle inside the source whose ratio is exact except for the rounding of one side to a pixel
 */
export function cropRect(area: Rect, source: Size, ratio: Ratio): Rect {
  const [ratioWidth, ratioHeight] = ratio;
  const largest = largestOfRatio(source, ratio);
  // The longer side is rounded first, because its rounding error changes the ratio less.
  let { width, height } = largest;
  if (ratioWidth > ratioHeight) {
    width = between(Math.round((area.width / 100) * source.width), 1, largest.width);
    height = between(Math.round((width * ratioHeight) / ratioWidth), 1, largest.height);
  } else {
    height = between(Math.round((area.height / 100) * source.height), 1, largest.height);
    width = between(Math.round((height * ratioWidth) / ratioHeight), 1, largest.width);
  }
  // The centre is kept, so that rounding does not move the crop.
  const centreX = ((area.x + area.width / 2) / 100) * source.width;
  const centreY = ((area.y + area.height / 2) / 100) * source.height;
  return {
    x: between(Math.round(centreX - width / 2), 0, source.width - width),
    y: between(Math.round(centreY - height / 2), 0, source.height - height),
    width,
    height,
  };
}

/** True when both sides reach the minimum crop size for conversion: 64 px for pictures. */
export const isLargeEnough = (rect: Size, least: number = LIMITS.crop.leastPx) =>
  Math.min(rect.width, rect.height) >= least;

/** True for a crop of a picture that is scaled up, so that its result looks soft. */
export const isSmall = (rect: Size) => Math.min(rect.width, rect.height) < LIMITS.crop.minPx;

/**
 * Returns the display size of a picture: at most the 16,777,216 pixels (4096 × 4096) of an iOS canvas. Smaller pictures
 * keep their size.
 */
export function shownSize(source: Size): Size {
  const scale = Math.sqrt((LIMITS.crop.maxPx * LIMITS.crop.maxPx) / (source.width * source.height));
  if (scale >= 1) return { width: source.width, height: source.height };
  return { width: Math.floor(source.width * scale), height: Math.floor(source.height * scale) };
}
