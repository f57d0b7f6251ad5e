import { createPlane, type Plane } from './plane.ts';

/**
 * Returns the mean over the (2 radius + 1)² window around each sample, using running sums; border samples are
 * replicated.
 */
export function boxMean(source: Plane, radius: number): Plane {
  const { width, height } = source;
  const columns = windowIndex(width, radius);
  const rows = windowIndex(height, radius);
  const size = 2 * radius + 1;

  const across = createPlane(width, height);
  for (let y = 0; y < height; y++) {
    const start = y * width;
    let sum = 0;
    for (let i = 0; i < size; i++) sum += source.data[start + (columns[i] as number)] as number;
    for (let x = 0; x < width; x++) {
      across.data[start + x] = sum;
      const entering = source.data[start + (columns[x + size] as number)] as number;
      sum += entering - (source.data[start + (columns[x] as number)] as number);
    }
  }

  const out = createPlane(width, height);
  const sums = new Float64Array(width);
  for (let i = 0; i < size; i++) {
    const row = (rows[i] as number) * width;
    for (let x = 0; x < width; x++) sums[x] = (sums[x] as number) + (across.data[row + x] as number);
  }
  const scale = 1 / (size * size);
  for (let y = 0; y < height; y++) {
    const entering = (rows[y + size] as number) * width;
    const leaving = (rows[y] as number) * width;
    for (let x = 0; x < width; x++) {
      const sum = sums[x] as number;
      out.data[y * width + x] = sum * scale;
      sums[x] = sum + (across.data[entering + x] as number) - (across.data[leaving + x] as number);
    }
  }
  return out;
}

/** Clamped sample indices for positions -radius … length + radius (one extra, for the look-ahead of the last step). */
function windowIndex(length: number, radius: number): Int32Array {
  return Int32Array.from({ length: length + 2 * radius + 1 }, (_, i) => Math.min(length - 1, Math.max(0, i - radius)));
}
