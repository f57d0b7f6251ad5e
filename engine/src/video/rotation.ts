/** Transforms a stored frame to upright: mirrors first if needed, then rotates. */
export interface Rotation {
  /** Clockwise, in degrees. */
  readonly rotation: 0 | 90 | 180 | 270;
  /** Width and height are swapped. */
  readonly sideways: boolean;
  /** FFmpeg filters, in order; empty for an upright frame. */
  readonly filters: readonly string[];
}

export const NO_ROTATION: Rotation = { rotation: 0, sideways: false, filters: [] };

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
      return { rotation: 0, sideways: false, filters: mirrored ? ['vflip'] : [] };
    case 1:
      return { rotation: 90, sideways: true, filters: [`transpose=${mirrored ? 'cclock_flip' : 'clock'}`] };
    case 2:
      return { rotation: 180, sideways: false, filters: mirrored ? ['hflip'] : ['hflip', 'vflip'] };
    case 3:
      return { rotation: 270, sideways: true, filters: [`transpose=${mirrored ? 'clock_flip' : 'cclock'}`] };
  }
}
