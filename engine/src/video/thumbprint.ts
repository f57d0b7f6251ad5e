import type { Size } from '../types.ts';

/** Columns and rows of a thumbprint. */
const CELLS = 8;
/** Largest mean difference (0 … 255) between a frame before and after encoding. */
const SAME = 12;

/** Returns the means of 8 x 8 cells of a frame's first plane: enough to tell it from a blank or another frame. */
export function thumbprintOf(plane: Uint8Array, { width, height }: Size): number[] {
  return Array.from({ length: CELLS * CELLS }, (_, cell) => {
    const left = Math.floor(((cell % CELLS) * width) / CELLS);
    const right = Math.floor((((cell % CELLS) + 1) * width) / CELLS);
    const top = Math.floor((Math.floor(cell / CELLS) * height) / CELLS);
    const bottom = Math.floor(((Math.floor(cell / CELLS) + 1) * height) / CELLS);
    let sum = 0;
    for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) sum += plane[y * width + x] as number;
    return Math.round(sum / Math.max(1, (right - left) * (bottom - top)));
  });
}

export function sameThumbprint(a: readonly number[], b: readonly number[]): boolean {
  const difference = a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] as number)), 0) / a.length;
  return difference <= SAME;
}
