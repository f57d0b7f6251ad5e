import type { DepthMap } from '../../types.ts';
import { NEAREST, sharedShorts } from './layers.ts';

/** Percentiles of the depth range; values outside are outliers and would compress the rest. */
const LOW = 0.005;
const HIGH = 0.995;
/** A map with a smaller range is flat: stretching it would turn its noise into depth. */
const FLAT = 0.01;
const BINS = 4096;

/** Returns the values of a map that become 0 and 1; null for a flat one. */
export function depthRange({ data, ranged }: DepthMap): { readonly low: number; readonly high: number } | null {
  if (ranged) return { low: 0, high: 1 };
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < data.length; i++) {
    const value = data[i] as number;
    if (!Number.isFinite(value)) continue;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (!(most - least >= FLAT)) return null;
  const bins = new Uint32Array(BINS);
  const perBin = (BINS - 1) / (most - least);
  let count = 0;
  for (let i = 0; i < data.length; i++) {
    const value = data[i] as number;
    if (!Number.isFinite(value)) continue;
    const bin = Math.round((value - least) * perBin);
    bins[bin] = (bins[bin] as number) + 1;
    count++;
  }
  const low = least + percentile(bins, count * LOW) / perBin;
  const high = least + percentile(bins, count * HIGH) / perBin;
  // A lone object smaller than the discarded percentiles would vanish, so the full range is used.
  return high - low < FLAT ? { low: least, high: most } : { low, high };
}

/**
 * Stretches a depth map to its percentile range: 16 bit, 0 farthest … 65535 nearest. Everything at or behind the low
 * percentile, such as the sky, is exactly 0. A flat map becomes the middle value everywhere; non-finite values count as
 * farthest.
 */
export function normaliseDepth(depth: DepthMap): Uint16Array {
  const { data } = depth;
  const out = sharedShorts(data.length);
  if (depth.ranged) {
    for (let i = 0; i < data.length; i++) out[i] = Math.round((data[i] as number) * NEAREST);
    return out;
  }
  const range = depthRange(depth);
  if (!range) return out.fill(Math.round(NEAREST / 2));
  const { low, high } = range;
  const scale = NEAREST / (high - low);
  for (let i = 0; i < data.length; i++) {
    const value = data[i] as number;
    out[i] = Number.isFinite(value) ? Math.min(NEAREST, Math.max(0, Math.round((value - low) * scale))) : 0;
  }
  return out;
}

function percentile(bins: Uint32Array, below: number): number {
  let sum = 0;
  for (let bin = 0; bin < bins.length; bin++) {
    sum += bins[bin] as number;
    if (sum > below) return bin;
  }
  return bins.length - 1;
}
