import type { Picture } from '../types.ts';
import { createPlane, type Plane } from './plane.ts';

/** For each output sample, `count` input sample indices (clamped to the image) and their weights. */
interface Taps {
  readonly count: number;
  readonly index: Int32Array;
  readonly weight: Float32Array;
}

const CUBIC_A = -0.75;

/** Bilinear, sample centres at half pixels, no anti-aliasing when shrinking (OpenCV INTER_LINEAR). */
export function resampleLinear(source: Plane, width: number, height: number): Plane {
  return resample(source, linearTaps(source.width, width), linearTaps(source.height, height), width, height);
}

/** Bicubic with a = -0.75 as in OpenCV (INTER_CUBIC); may overshoot. */
export function resampleCubic(source: Plane, width: number, height: number): Plane {
  return resample(source, cubicTaps(source.width, width), cubicTaps(source.height, height), width, height);
}

/**
 * Returns one colour channel (0 red, 1 green, 2 blue) of a picture, scaled to 0 … 1 and averaged over the area of each
 * output pixel (OpenCV INTER_AREA). Enlarged sides are interpolated.
 */
export function averageChannel(picture: Picture, channel: 0 | 1 | 2, width: number, height: number): Plane {
  const plane = createPlane(picture.width, picture.height);
  for (let i = 0; i < plane.data.length; i++) plane.data[i] = (picture.data[3 * i + channel] as number) / 255;
  return resample(plane, areaTaps(picture.width, width), areaTaps(picture.height, height), width, height);
}

function resample(source: Plane, across: Taps, down: Taps, width: number, height: number): Plane {
  const rows = createPlane(width, source.height);
  for (let y = 0; y < source.height; y++) {
    const from = y * source.width;
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let t = x * across.count; t < (x + 1) * across.count; t++) {
        sum += (across.weight[t] as number) * (source.data[from + (across.index[t] as number)] as number);
      }
      rows.data[y * width + x] = sum;
    }
  }
  const out = createPlane(width, height);
  for (let y = 0; y < height; y++) {
    for (let t = y * down.count; t < (y + 1) * down.count; t++) {
      const from = (down.index[t] as number) * width;
      const weight = down.weight[t] as number;
      if (weight === 0) continue;
      const sum = out.data.subarray(y * width, (y + 1) * width);
      for (let x = 0; x < width; x++) sum[x] = (sum[x] as number) + weight * (rows.data[from + x] as number);
    }
  }
  return out;
}

function linearTaps(from: number, to: number): Taps {
  return interpolationTaps(from, to, 0, (f) => [1 - f, f]);
}

function cubicTaps(from: number, to: number): Taps {
  const a = CUBIC_A;
  const near = (t: number) => ((a + 2) * t - (a + 3)) * t * t + 1;
  const far = (t: number) => ((a * t - 5 * a) * t + 8 * a) * t - 4 * a;
  return interpolationTaps(from, to, -1, (f) => [far(1 + f), near(f), near(1 - f), far(2 - f)]);
}

/** `weights` returns the weights at offsets `first`, `first + 1` … for a position `f` (0 … 1) between two samples. */
function interpolationTaps(from: number, to: number, first: number, weights: (f: number) => number[]): Taps {
  const count = weights(0).length;
  const taps: Taps = { count, index: new Int32Array(to * count), weight: new Float32Array(to * count) };
  for (let i = 0; i < to; i++) {
    const centre = ((i + 0.5) * from) / to - 0.5;
    const base = Math.floor(centre);
    for (const [k, weight] of weights(centre - base).entries()) {
      taps.index[i * count + k] = Math.min(from - 1, Math.max(0, base + first + k));
      taps.weight[i * count + k] = weight;
    }
  }
  return taps;
}

function areaTaps(from: number, to: number): Taps {
  if (to >= from) return linearTaps(from, to);
  const scale = from / to;
  const count = Math.ceil(scale) + 1;
  const taps: Taps = { count, index: new Int32Array(to * count), weight: new Float32Array(to * count) };
  for (let i = 0; i < to; i++) {
    const start = i * scale;
    const end = start + scale;
    for (let k = 0; k < count; k++) {
      const sample = Math.floor(start) + k;
      const covered = Math.min(end, sample + 1) - Math.max(start, sample);
      taps.index[i * count + k] = Math.min(from - 1, sample);
      taps.weight[i * count + k] = Math.max(0, covered) / scale;
    }
  }
  return taps;
}
