import type { Calibration, SubpixelCell } from '../types.ts';

/*
 * Maps sub-pixels behind a sheet of slanted lenses to views. With u to the right and v upwards, both 0 … 1 over the
 * screen, a sub-pixel at (u, v) has the phase
 *
 *     a = frac((u + v · tilt) · pitch − center)
 *
 * under its lens: 0 shows the leftmost view, 1 the rightmost, reversed where the display sets `invView`.
 */
export interface Lenses {
  /** Number of lenses across the screen. */
  readonly pitch: number;
  /** Shift of a lens to the left over the height of the screen, as a fraction of its width. */
  readonly tilt: number;
}

export function lensesOf({ screen, dpi, pitch, slope, flipImageX }: Calibration): Lenses {
  return {
    pitch: pitch * (screen.width / dpi) * Math.cos(Math.atan(1 / slope)),
    tilt: (screen.height / (screen.width * slope)) * (flipImageX ? -1 : 1),
  };
}

/** Vertical period of the cell patterns; their horizontal period is two columns. */
const CELL_ROWS = 4;

/**
 * Returns the cell index of a pixel; `y` counts from the bottom. Patterns: 0 uniform, 1 checkerboard, 2 columns, 3 four
 * rows shifted by two from column to column, 4 rows.
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
 * Precomputed phases of one display. A phase is the sum of a part that depends only on the column (and on the row
 * modulo four) and a part that depends on the row.
 */
export interface LensTable {
  readonly width: number;
  readonly height: number;
  /** `columns[4 rows][3 · x + channel]`, in shared memory where there is any: threads of the engine read it. */
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
    const phases = new Float64Array(shareable(8 * 3 * screen.width));
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

/** Browsers have shared memory only for pages that give up much else. */
const shareable = (bytes: number) =>
  typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes);

/** Vertical colour stripes: red at the centre of the pixel, green and blue each a third further right. */
const STRIPES: SubpixelCell = [
  [0, 0],
  [1 / 3, 0],
  [2 / 3, 0],
];

/** Returns the column parts of a row's phases and the row part; `y` counts from the bottom. */
export function lensRow(table: LensTable, y: number): { readonly columns: Float64Array; readonly offset: number } {
  return {
    columns: table.columns[y & (CELL_ROWS - 1)] as Float64Array,
    offset: ((y + 0.5) / table.height) * table.tilt * table.pitch - table.center,
  };
}

/** Just under 1: a phase of exactly 1 would be a nonexistent view. */
const LAST = 1 - 1e-9;

/** Converts the sum of both parts to a position among the views: 0 leftmost, below 1. */
export function lensPhase(sum: number, invView: boolean): number {
  const phase = sum - Math.floor(sum);
  return Math.min(LAST, invView ? 1 - phase : phase);
}
