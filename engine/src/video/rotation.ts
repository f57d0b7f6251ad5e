import type { PairLayout } from '@framelift/contract/formats';

/** Transforms a stored frame to upright: mirrors first if needed, then rotates. */
export interface Rotation {
  /** Clockwise, in degrees. */
  readonly rotation: 0 | 90 | 180 | 270;
  readonly mirrored: boolean;
  /** Width and height are swapped. */
  readonly sideways: boolean;
  /** FFmpeg filters, in order; empty for an upright frame. */
  readonly filters: readonly string[];
}

export const NO_ROTATION: Rotation = { rotation: 0, mirrored: false, sideways: false, filters: [] };

/**
 * Parses a display matrix: nine 16.16 fixed-point numbers, where (a b / c d) maps stored to shown. Phones write it
 * instead of the older `rotate` tag. Rounds to the nearest quarter turn.
 */
export function rotationOf(matrix: Buffer): Rotation {
  if (matrix.length < 20) return NO_ROTATION;
  const a = matrix.readInt32LE(0);
  const b = matrix.readInt32LE(4);
  const c = matrix.readInt32LE(12);
  const d = matrix.readInt32LE(16);
  const quarter = (((Math.round(Math.atan2(b, a) / (Math.PI / 2)) % 4) + 4) % 4) as 0 | 1 | 2 | 3;
  // A mirrored matrix has a negative determinant: the second axis points the other way.
  const mirrored = a * d - b * c < 0;
  switch (quarter) {
    case 0:
      return { rotation: 0, mirrored, sideways: false, filters: mirrored ? ['vflip'] : [] };
    case 1:
      return { rotation: 90, mirrored, sideways: true, filters: [`transpose=${mirrored ? 'cclock_flip' : 'clock'}`] };
    case 2:
      return { rotation: 180, mirrored, sideways: false, filters: mirrored ? ['hflip'] : ['hflip', 'vflip'] };
    case 3:
      return { rotation: 270, mirrored, sideways: true, filters: [`transpose=${mirrored ? 'clock_flip' : 'cclock'}`] };
  }
}

/** Returns width divided by height of upright frames. */
export function uprightAspect(aspect: number, { sideways }: Rotation): number {
  return sideways ? 1 / aspect : aspect;
}

/** Layouts by the side of the left eye, clockwise. */
const SIDES: readonly PairLayout[] = ['leftRight', 'aboveBelow', 'rightLeft', 'belowAbove'];

/** Returns where both eyes of a stored layout are in upright frames. */
export function shownLayout(stored: PairLayout, { rotation, mirrored }: Rotation): PairLayout {
  const side = SIDES.indexOf(stored);
  const mirrors = mirrored && side % 2 === 1;
  return SIDES[(side + rotation / 90 + (mirrors ? 2 : 0)) % 4] as PairLayout;
}

/** Returns the stored layout of eyes in upright frames. */
export function storedLayout(shown: PairLayout, turn: Rotation): PairLayout {
  return SIDES.find((stored) => shownLayout(stored, turn) === shown) as PairLayout;
}

/**
 * Returns whether left and right of a picture are exchanged. What a near thing is shifted by is then exchanged, too, and
 * so are the eyes: a camera held upside down has its left lens on the right.
 */
export function exchangesEyes({ rotation }: Rotation): boolean {
  return rotation === 180;
}
