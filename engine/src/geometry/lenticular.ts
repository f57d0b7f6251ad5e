import type { Calibration, SubpixelCell } from '../types.ts';

/*
 * Which view a sub-pixel behind a sheet of slanted lenses shows. With u to the right and v upwards, both 0 … 1 over the
 * screen, a sub-pixel at (u, v) lies at the phase
 *
 *     a = frac((u + v · tilt) · pitch − center)
 *
 * of its lens: 0 shows the leftmost view, 1 the rightmost, the other way round where the display says `invView`.
 */
export interface Lenses {
  /** Lenses across the screen. */
  readonly pitch: number;
  /** How far a lens moves to the left over the height of the screen, as a share of its width. */
  readonly tilt: number;
}

export function lensesOf({ screen, dpi, pitch, slope, flipImageX }: Calibration): Lenses {
  return {
    pitch: pitch * (screen.width / dpi) * Math.cos(Math.atan(1 / slope)),
    tilt: (screen.height / (screen.width * slope)) * (flipImageX ? -1 : 1),
  };
}

/** Rows that repeat every four, columns every two: the cell patterns that displays have. */
const CELL_ROWS = 4;

/**
 * Index of the cell of a pixel; `y` is counted from the bottom.
 * Patterns: 0 all alike, 1 checkerboard, 2 columns, 3 four rows shifted by two from column to column, 4 rows.
 */
export function cellIndex(mode: Calibration['cellPatternMode'], x: number, y: number): number {
  switch (mode) {
    case 0:
      return 0;
    case 1:
      return (x + y) & 1;
    case 2:
      return x & 1;
    case 3:
      return (y + 2 * (x & 1)) & 3;
    case 4:
      return y & 1;
  }
}

/**
 * The phases of one display, ready to be added up: a phase is a part that only the column (and which of four rows) knows
 * plus a part of the row.
 */
export interface LensTable {
  readonly width: number;
  readonly height: number;
  /** `columns[4 rows][3 · x + channel]`, in shared memory. */
  readonly columns: readonly Float64Array[];
  readonly pitch: number;
  readonly tilt: number;
  readonly center: number;
  readonly invView: boolean;
}

export function lensTable(calibration: Calibration): LensTable {
  const { screen, center, invView, flipSubp, cellPatternMode, cells } = calibration;
  const { pitch, tilt } = lensesOf(calibration);
  const columns = Array.from({ length: CELL_ROWS }, (_, row) => {
    const phases = new Float64Array(new SharedArrayBuffer(8 * 3 * screen.width));
    for (let x = 0; x < screen.width; x++) {
      const cell = cells[cellIndex(cellPatternMode, x, row)] ?? STRIPES;
      for (let channel = 0; channel < 3; channel++) {
        const [right, up] = cell[flipSubp ? 2 - channel : channel] as readonly [number, number];
        phases[3 * x + channel] = ((x + 0.5 + right) / screen.width + (up / screen.height) * tilt) * pitch;
      }
    }
    return phases;
  });
  return { ...screen, columns, pitch, tilt, center, invView };
}

/** Columns of colour: red at the middle of the pixel, green and blue each a third further right. */
const STRIPES: SubpixelCell = [
  [0, 0],
  [1 / 3, 0],
  [2 / 3, 0],
];

/** The column parts of the phases of a row and the row's own; `y` is counted from the bottom. */
export function lensRow(table: LensTable, y: number): { readonly columns: Float64Array; readonly offset: number } {
  return {
    columns: table.columns[y & (CELL_ROWS - 1)] as Float64Array,
    offset: ((y + 0.5) / table.height) * table.tilt * table.pitch - table.center,
  };
}

/** Just under 1: a phase of exactly 1 would be a view that is not there. */
const LAST = 1 - 1e-9;

/** From the sum of both parts to a place among the views: 0 leftmost, below 1. */
export function lensPhase(sum: number, invView: boolean): number {
  const phase = sum - Math.floor(sum);
  return Math.min(LAST, invView ? 1 - phase : phase);
}
