import type { Anaglyph } from '@framelift/contract/formats';
import { DUBOIS_LEFT as LEFT, DUBOIS_RIGHT as RIGHT } from '../geometry/index.ts';

/** Merges a side-by-side pair into a red-cyan anaglyph, row by row. */
export interface AnaglyphRows {
  readonly kind: 'anaglyph';
  readonly method: Anaglyph;
  /** RGB bytes, the eye behind the red filter on the left: `2 · width` pixels per row. */
  readonly pair: Uint8Array;
  readonly width: number;
  /** Output: RGB bytes, `width` pixels per row. */
  readonly merged: Uint8Array;
  /** Rows per plane, if `pair` and `merged` hold planes of green, blue and red instead. */
  readonly planeRows?: number;
}

/** Offsets of the channels of a picture's first pixel, and the distance to the next pixel. */
function channelsOf({ planeRows }: AnaglyphRows, width: number) {
  if (planeRows === undefined) return { red: 0, green: 1, blue: 2, step: 3 };
  return { red: 2 * width * planeRows, green: 0, blue: width * planeRows, step: 1 };
}

/** Linear light, 0 … 1, for each byte. */
const linear = Float64Array.from({ length: 256 }, (_, byte) => {
  const v = byte / 255;
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
});

/** Number of steps from linear light to byte; fine enough for every level at the dark end of the curve. */
const CURVE_STEPS = 1 << 14;
const bytes = Uint8Array.from({ length: CURVE_STEPS + 1 }, (_, i) => {
  const v = i / CURVE_STEPS;
  return Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055));
});

export function anaglyphRows(task: AnaglyphRows, from: number, to: number): void {
  if (task.method === 'dubois') duboisRows(task, from, to);
  else luminanceRows(task, from, to);
}

/** Red is the luma of the left eye; green and blue are those of the right eye, or its luma for `grey`. */
function luminanceRows(task: AnaglyphRows, from: number, to: number): void {
  const { method, pair, width, merged } = task;
  const { red, green, blue, step } = channelsOf(task, 2 * width);
  const out = channelsOf(task, width);
  /** Rec. 601 luma, defined for gamma-coded values. */
  const brightnessAt = (i: number) =>
    Math.round(
      0.299 * (pair[i + red] as number) + 0.587 * (pair[i + green] as number) + 0.114 * (pair[i + blue] as number),
    );
  const grey = method === 'grey';
  for (let y = from; y < to; y++) {
    let left = step * 2 * width * y;
    let right = left + step * width;
    let at = step * width * y;
    for (let x = 0; x < width; x++, left += step, right += step, at += step) {
      const brightness = grey ? brightnessAt(right) : 0;
      merged[at + out.red] = brightnessAt(left);
      merged[at + out.green] = grey ? brightness : (pair[right + green] as number);
      merged[at + out.blue] = grey ? brightness : (pair[right + blue] as number);
    }
  }
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
      // Only the sums are clamped: negative weights cancel what leaks through the other filter, and keep grey neutral.
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
