import { selectInPlace } from '../depth/statistics.ts';

/** Disparity of a pixel for which none was found: below every real one. */
export const UNKNOWN = -32_768;

/** Neighbours belong to one patch when they differ by no more than this. */
const SAME_PATCH = 1;

/** Makes patches of fewer than `least` pixels unknown: small islands of another disparity are chance matches. */
export function removeSpecks(disparity: Float32Array, width: number, least: number): void {
  const seen = new Uint8Array(disparity.length);
  const patch = new Int32Array(disparity.length);
  for (let start = 0; start < disparity.length; start++) {
    if (seen[start] === 1 || disparity[start] === UNKNOWN) continue;
    let count = 1;
    patch[0] = start;
    seen[start] = 1;
    for (let next = 0; next < count; next++) {
      const i = patch[next] as number;
      const x = i % width;
      const here = disparity[i] as number;
      if (x > 0) visit(i - 1, here);
      if (x < width - 1) visit(i + 1, here);
      if (i >= width) visit(i - width, here);
      if (i + width < disparity.length) visit(i + width, here);
    }
    if (count < least) for (let k = 0; k < count; k++) disparity[patch[k] as number] = UNKNOWN;

    function visit(i: number, here: number): void {
      const value = disparity[i] as number;
      if (seen[i] === 1 || value === UNKNOWN || Math.abs(value - here) > SAME_PATCH) return;
      seen[i] = 1;
      patch[count++] = i;
    }
  }
}

/**
 * Fills unknown pixels with the farther of the nearest known ones to the left and right: what only one eye sees lies
 * behind what hides it from the other. Rows without any known pixel take the row above, or else below.
 */
export function fillFromFarSide(disparity: Float32Array, width: number): void {
  const height = disparity.length / width;
  const filled = new Uint8Array(height);
  for (let y = 0; y < height; y++) filled[y] = fillRow(disparity.subarray(y * width, (y + 1) * width)) ? 1 : 0;
  for (let y = 1; y < height; y++) {
    if (filled[y] === 1 || filled[y - 1] === 0) continue;
    disparity.copyWithin(y * width, (y - 1) * width, y * width);
    filled[y] = 1;
  }
  for (let y = height - 2; y >= 0; y--) {
    if (filled[y] === 1 || filled[y + 1] === 0) continue;
    disparity.copyWithin(y * width, (y + 1) * width, (y + 2) * width);
    filled[y] = 1;
  }
}

/** @returns false when nothing in the row is known */
function fillRow(row: Float32Array): boolean {
  let before = UNKNOWN;
  for (let x = 0; x < row.length; ) {
    if (row[x] !== UNKNOWN) {
      before = row[x++] as number;
      continue;
    }
    let end = x;
    while (end < row.length && row[end] === UNKNOWN) end++;
    const after = end < row.length ? (row[end] as number) : UNKNOWN;
    if (before === UNKNOWN && after === UNKNOWN) return false;
    row.fill(before === UNKNOWN ? after : after === UNKNOWN ? before : Math.min(before, after), x, end);
    x = end;
  }
  return true;
}

/** Median of each 3 x 3 neighbourhood; the border keeps its values. */
export function medianOf9(values: Float32Array, width: number): Float32Array {
  const out = values.slice();
  const height = values.length / width;
  const window = new Float32Array(9);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      for (let v = -1, k = 0; v <= 1; v++)
        for (let u = -1; u <= 1; u++, k++) window[k] = values[i + v * width + u] as number;
      out[i] = selectInPlace(window, 4);
    }
  }
  return out;
}
