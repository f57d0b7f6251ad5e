/** Keeps the division by the spread of a flat map finite. */
const TINY = 1e-6;
/** Smallest range of a map that is not flat; rounding of filtered maps stays below it. */
const LEAST_RANGE = 1e-5;

/**
 * Returns the k-th smallest value (0-based) by Hoare's selection. Reorders `values` so that everything before k is not
 * larger and everything after k is not smaller.
 */
export function selectInPlace(values: Float32Array, k: number): number {
  let left = 0;
  let right = values.length - 1;
  while (left < right) {
    const pivot = values[(left + right) >> 1] as number;
    let i = left;
    let j = right;
    while (i <= j) {
      while ((values[i] as number) < pivot) i++;
      while ((values[j] as number) > pivot) j--;
      if (i > j) break;
      const swap = values[i] as number;
      values[i++] = values[j] as number;
      values[j--] = swap;
    }
    if (k <= j) right = j;
    else if (k >= i) left = i;
    else break;
  }
  return values[k] as number;
}

/**
 * Returns the quantile at `fraction` (0 … 1), interpolated between neighbours as numpy does. `values` must not be
 * empty.
 */
export function quantile(values: Float32Array, fraction: number): number {
  const work = values.slice();
  const position = fraction * (work.length - 1);
  const k = Math.floor(position);
  const below = selectInPlace(work, k);
  if (position === k) return below;
  let above = Number.POSITIVE_INFINITY;
  for (let i = k + 1; i < work.length; i++) above = Math.min(above, work[i] as number);
  return below + (above - below) * (position - k);
}

export function median(values: Float32Array): number {
  return quantile(values, 0.5);
}

export function standardDeviation(values: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] as number;
  const mean = sum / values.length;
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    const difference = (values[i] as number) - mean;
    squares += difference * difference;
  }
  return Math.sqrt(squares / values.length);
}

/** Returns Pearson's correlation (−1 … 1) of two sequences of one length; 0 when one of them is flat or empty. */
export function correlation(one: ArrayLike<number>, other: ArrayLike<number>): number {
  const n = one.length;
  let [meanX, meanY] = [0, 0];
  for (let i = 0; i < n; i++) {
    meanX += (one[i] as number) / n;
    meanY += (other[i] as number) / n;
  }
  let [xx, yy, xy] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const x = (one[i] as number) - meanX;
    const y = (other[i] as number) - meanY;
    xx += x * x;
    yy += y * y;
    xy += x * y;
  }
  const spread = Math.sqrt(xx * yy);
  return spread > 0 ? xy / spread : 0;
}

/**
 * Returns `(a - median) / mean(|a - median|)`, which removes the unknown scale and shift of a depth map before
 * blending. A flat map becomes all 0.
 */
export function normaliseSpread(values: Float32Array): Float32Array {
  const middle = median(values);
  let deviation = 0;
  for (const value of values) deviation += Math.abs(value - middle);
  const scale = 1 / (deviation / values.length + TINY);
  return values.map((value) => (value - middle) * scale);
}

/**
 * Stretches the range between the 0.5th and 99.5th percentile to 0 … 1 and clamps values outside. A flat map becomes
 * all 0.5.
 */
export function normaliseRange(values: Float32Array): Float32Array {
  const low = quantile(values, 0.005);
  const high = quantile(values, 0.995);
  if (high - low < LEAST_RANGE) return new Float32Array(values.length).fill(0.5);
  const scale = 1 / (high - low);
  return values.map((value) => Math.min(1, Math.max(0, (value - low) * scale)));
}
