/** Turns a stored frame upright: mirrored first where needed, then rotated. */
export interface Rotation {
  /** Clockwise. */
  readonly rotation: 0 | 90 | 180 | 270;
  /** Width and height change places. */
  readonly sideways: boolean;
  /** For FFmpeg's filter graph, in order; none for an upright frame. */
  readonly filters: readonly string[];
}

export const NO_ROTATION: Rotation = { rotation: 0, sideways: false, filters: [] };

/**
 * Reads a display matrix: nine numbers of 16.16 bits, where (a b / c d) maps stored to shown. Phones write it instead of
 * an older `rotate` tag. Angles between quarters are rounded to the nearest.
 */
export function rotationOf(matrix: Buffer): Rotation {
  if (matrix.length < 20) return NO_ROTATION;
  const a = matrix.readInt32LE(0);
  const b = matrix.readInt32LE(4);
  const c = matrix.readInt32LE(12);
  const d = matrix.readInt32LE(16);
  const quarter = (((Math.round(Math.atan2(b, a) / (Math.PI / 2)) % 4) + 4) % 4) as 0 | 1 | 2 | 3;
  // A mirror shows in the sign of the determinant: the second axis then points the other way.
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
