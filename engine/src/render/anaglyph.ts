import type { Anaglyph } from '@framelift/contract/formats';
import { DUBOIS_LEFT as LEFT, DUBOIS_RIGHT as RIGHT } from '../geometry/index.ts';

/** Merges a side-by-side pair into a red-cyan anaglyph, row by row. */
export interface AnaglyphRows {
  readonly kind: 'anaglyph';
  readonly method: Anaglyph;
  /** RGB bytes, the eye behind the red filter on the left: `2 · width` pixels a row. */
  readonly pair: Uint8Array;
  readonly width: number;
  /** RGB bytes, `width` pixels a row; written. */
  readonly merged: Uint8Array;
  /** For `dubois`, where both hold planes of green, blue and red instead: their rows. */
  readonly planeRows?: number;
}

/** Where the channels of a picture's first pixel lie, and how far the next pixel is. */
function channelsOf({ planeRows }: AnaglyphRows, width: number) {
  if (planeRows === undefined) return { red: 0, green: 1, blue: 2, step: 3 };
  return { red: 2 * width * planeRows, green: 0, blue: width * planeRows, step: 1 };
}

/** Byte to linear light, 0 … 1. */
const linear = Float64Array.from({ length: 256 }, (_, byte) => {
  const v = byte / 255;
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
});

/** Linear light to byte; this fine, the dark end of the curve still has every level. */
const CURVE_STEPS = 1 << 14;
const bytes = Uint8Array.from({ length: CURVE_STEPS + 1 }, (_, i) => {
  const v = i / CURVE_STEPS;
  return Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055));
});

export function anaglyphRows(task: AnaglyphRows, from: number, to: number): void {
  if (task.method === 'dubois') duboisRows(task, from, to);
  else luminanceRows(task, from, to);
}

/** Red is the brightness of the left eye; green and blue are the right eye's, or its brightness too. */
function luminanceRows({ method, pair, width, merged }: AnaglyphRows, from: number, to: number): void {
  const grey = method === 'grey';
  for (let y = from; y < to; y++) {
    let left = 3 * 2 * width * y;
    let right = left + 3 * width;
    let out = 3 * width * y;
    for (let x = 0; x < width; x++, left += 3, right += 3, out += 3) {
      merged[out] = brightnessAt(pair, left);
      merged[out + 1] = grey ? brightnessAt(pair, right) : (pair[right + 1] as number);
      merged[out + 2] = grey ? (merged[out + 1] as number) : (pair[right + 2] as number);
    }
  }
}

/** Weights of Rec. 601, meant for values as they are coded. */
function brightnessAt(data: Uint8Array, i: number): number {
  return Math.round(0.299 * (data[i] as number) + 0.587 * (data[i + 1] as number) + 0.114 * (data[i + 2] as number));
}

function duboisRows(task: AnaglyphRows, from: number, to: number): void {
  const { pair, width, merged } = task;
  const { red, green, blue, step } = channelsOf(task, 2 * width);
  const out = channelsOf(task, width);
  for (let y = from; y < to; y++) {
    let left = step * 2 * width * y;
    let right = left + step * width;
    let at = step * width * y;
    for (let x = 0; x < width; x++, left += step, right += step, at += step) {
      const lr = linear[pair[left + red] as number] as number;
      const lg = linear[pair[left + green] as number] as number;
      const lb = linear[pair[left + blue] as number] as number;
      const rr = linear[pair[right + red] as number] as number;
      const rg = linear[pair[right + green] as number] as number;
      const rb = linear[pair[right + blue] as number] as number;
      // Only the sums are limited: negative weights take away what leaks through the other filter, and keep grey grey.
      merged[at + out.red] = toByte(
        LEFT[0] * lr + LEFT[1] * lg + LEFT[2] * lb + RIGHT[0] * rr + RIGHT[1] * rg + RIGHT[2] * rb,
      );
      merged[at + out.green] = toByte(
        LEFT[3] * lr + LEFT[4] * lg + LEFT[5] * lb + RIGHT[3] * rr + RIGHT[4] * rg + RIGHT[5] * rb,
      );
      merged[at + out.blue] = toByte(
        LEFT[6] * lr + LEFT[7] * lg + LEFT[8] * lb + RIGHT[6] * rr + RIGHT[7] * rg + RIGHT[8] * rb,
      );
    }
  }
}

function toByte(value: number): number {
  return bytes[Math.round(Math.min(1, Math.max(0, value)) * CURVE_STEPS)] as number;
}
