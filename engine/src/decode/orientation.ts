import type { Picture, Rect, Size } from '../types.ts';

/**
 * EXIF orientation, 1 … 8: the transformation that makes the stored pixels upright. 1 is none, 3 a half turn, 6 a
 * clockwise quarter turn, 8 a counter-clockwise one; 2, 4, 5 and 7 are the mirrored variants.
 */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/**
 * Returns the orientation, or 1 (upright) for anything but the eight standard values: damaged metadata is tolerated.
 */
export function asOrientation(value: unknown): Orientation {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 8 ? (value as Orientation) : 1;
}

/** Returns the upright size; orientations 5 … 8 swap width and height. */
export function uprightSize(stored: Size, orientation: Orientation): Size {
  const { width, height } = stored;
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

/**
 * Source of the upright pixel (x, y) for each orientation: the stored column runs along `u`, the stored row along `v`.
 * `swap`: u runs with y and v with x; `flipU`, `flipV`: counted from the far end.
 */
const SOURCE: Record<Orientation, { swap: boolean; flipU: boolean; flipV: boolean }> = {
  1: { swap: false, flipU: false, flipV: false },
  2: { swap: false, flipU: true, flipV: false },
  3: { swap: false, flipU: true, flipV: true },
  4: { swap: false, flipU: false, flipV: true },
  5: { swap: true, flipU: false, flipV: false },
  6: { swap: true, flipU: false, flipV: true },
  7: { swap: true, flipU: true, flipV: true },
  8: { swap: true, flipU: true, flipV: false },
};

/** Converts an upright rectangle to stored pixels, for cropping before rotation. `stored` is the stored size. */
export function storedRect(upright: Rect, stored: Size, orientation: Orientation): Rect {
  const { swap, flipU, flipV } = SOURCE[orientation];
  const [x, y, width, height] = swap
    ? [upright.y, upright.x, upright.height, upright.width]
    : [upright.x, upright.y, upright.width, upright.height];
  return {
    x: flipU ? stored.width - x - width : x,
    y: flipV ? stored.height - y - height : y,
    width,
    height,
  };
}

/** Converts an upright position to the stored picture; both are fractions (0 … 1) of width and height. */
export function storedPoint(u: number, v: number, orientation: Orientation): [u: number, v: number] {
  const { swap, flipU, flipV } = SOURCE[orientation];
  const [across, down] = swap ? [v, u] : [u, v];
  return [flipU ? 1 - across : across, flipV ? 1 - down : down];
}

/** Returns the orientation equivalent to applying `first` and then `second`. */
export function bothTurns(first: Orientation, second: Orientation): Orientation {
  // The source of one point off all symmetry axes identifies the orientation.
  const through = storedPoint(...storedPoint(0.125, 0.25, second), first).join();
  return ([1, 2, 3, 4, 5, 6, 7, 8] as const).find((one) => storedPoint(0.125, 0.25, one).join() === through) ?? 1;
}

/** Rotates stored RGB pixels upright. Returns the same object when there is nothing to do. */
export function turnUpright(stored: Picture, orientation: Orientation): Picture {
  if (orientation === 1) return stored;
  const { swap, flipU, flipV } = SOURCE[orientation];
  const { width, height } = uprightSize(stored, orientation);
  const source = stored.data;
  const data = new Uint8Array(width * height * 3);
  const row = stored.width * 3;
  const stepU = flipU ? -3 : 3;
  const stepV = flipV ? -row : row;
  const start = (flipU ? row - 3 : 0) + (flipV ? (stored.height - 1) * row : 0);
  const [stepX, stepY] = swap ? [stepV, stepU] : [stepU, stepV];
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0, from = start + y * stepY; x < width; x++, from += stepX, to += 3) {
      data[to] = source[from] as number;
      data[to + 1] = source[from + 1] as number;
      data[to + 2] = source[from + 2] as number;
    }
  }
  return { data, width, height };
}
