import { selectInPlace } from '../../depth/statistics.ts';

/** Marks a pixel without disparity; below every real value. */
export const UNKNOWN = -32_768;

/** Largest difference between neighbours of the same patch. */
const SAME_PATCH = 1;

/** Marks patches of fewer than `least` pixels as unknown: small islands of another disparity are false matches. */
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
 * Pixels by which an occluded gap may be wider than the adjacent disparity step: outlines are accurate to a few pixels.
 */
const SLACK = 4;
/** Rows above and below that are considered when filling the picture's side. */
const SIDE_ROWS = 6;
/**
 * Width in pixels of the unreliable border of known pixels: the end of the other eye's picture causes false matches
 * there.
 */
const UNSURE = 3;
const DIRECTIONS = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
  [1, 1],
  [-1, -1],
  [1, -1],
  [-1, 1],
] as const;

/**
 * Fills unknown pixels. Areas visible to one eye only (a gap as wide as the adjacent step, or at the picture's side)
 * get the farther of the adjacent disparities in the row. Other gaps are areas where matching failed, mostly bare
 * walls; they get the median of the known values around them.
 */
export function fillUnknown(disparity: Float32Array, width: number): void {
  const height = disparity.length / width;
  for (let y = 0; y < height; y++) fillHidden(disparity.subarray(y * width, (y + 1) * width));
  fillSide(disparity, width, 0, 1);
  fillSide(disparity, width, width - 1, -1);
  fillFromAround(disparity, width, height);
}

function fillHidden(row: Float32Array): void {
  let before = UNKNOWN;
  for (let x = 0; x < row.length; ) {
    if (row[x] !== UNKNOWN) {
      before = row[x++] as number;
      continue;
    }
    let end = x;
    while (end < row.length && row[end] === UNKNOWN) end++;
    const after = end < row.length ? (row[end] as number) : UNKNOWN;
    const inside = before !== UNKNOWN && after !== UNKNOWN;
    if (inside && end - x <= Math.abs(after - before) + SLACK) row.fill(Math.min(before, after), x, end);
    x = end;
  }
}

/**
 * Fills the strip at one side with the median of the adjacent known pixels of the row and its neighbours, which avoids
 * streaks.
 */
function fillSide(disparity: Float32Array, width: number, start: number, step: 1 | -1): void {
  const height = disparity.length / width;
  const lengths = new Int32Array(height);
  const firsts = new Float32Array(height);
  for (let y = 0; y < height; y++) {
    let length = 0;
    while (length < width && disparity[y * width + start + step * length] === UNKNOWN) length++;
    lengths[y] = length;
    firsts[y] = disparity[y * width + start + step * Math.min(width - 1, length + UNSURE)] as number;
  }
  for (let y = 0; y < height; y++) {
    const length = lengths[y] as number;
    if (length === 0 || length === width) continue;
    const around = firsts.slice(Math.max(0, y - SIDE_ROWS), y + SIDE_ROWS + 1).sort();
    const known = around.lastIndexOf(UNKNOWN) + 1;
    if (known === around.length) continue;
    const value = around[(known + around.length) >> 1] as number;
    for (let k = 0; k < length; k++) disparity[y * width + start + step * k] = value;
  }
}

/**
 * Fills each gap with the median of the nearest known values in eight directions; 0 everywhere when nothing is known.
 */
function fillFromAround(disparity: Float32Array, width: number, height: number): void {
  const gaps = new Int32Array(disparity.length);
  let count = 0;
  for (let i = 0; i < disparity.length; i++) if (disparity[i] === UNKNOWN) gaps[count++] = i;
  if (count === 0) return;
  const seen = new Float32Array(count * DIRECTIONS.length).fill(UNKNOWN);
  const reached = new Float32Array(disparity.length);
  for (const [direction, [dx, dy]] of DIRECTIONS.entries()) {
    reached.set(disparity);
    // Visits each gap after the pixel from which its value is propagated.
    const backwards = dy < 0 || (dy === 0 && dx < 0);
    for (let k = 0; k < count; k++) {
      const gap = backwards ? count - 1 - k : k;
      const i = gaps[gap] as number;
      const x = (i % width) - dx;
      const y = Math.floor(i / width) - dy;
      if (x < 0 || x >= width || y < 0 || y >= height) continue;
      const value = reached[y * width + x] as number;
      reached[i] = value;
      seen[gap * DIRECTIONS.length + direction] = value;
    }
  }
  for (let k = 0; k < count; k++) {
    const around = seen.subarray(k * DIRECTIONS.length, (k + 1) * DIRECTIONS.length).sort();
    const first = around.findIndex((value) => value !== UNKNOWN);
    disparity[gaps[k] as number] = first < 0 ? 0 : (around[(first + DIRECTIONS.length - 1) >> 1] as number);
  }
}

/** Applies a 3 x 3 median filter; border values are kept. */
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
