import type { Size } from '../types.ts';

/**
 * Pixel layouts of a frame. `yuv420`: the codec layout, BT.709 in limited range; used by most formats because it needs
 * no conversion. `gbr`: planes of green, blue and red, for formats that mix colours. `rgb`: packed.
 */
export type Pixels = 'yuv420' | 'gbr' | 'rgb';

/** One plane of a frame with contiguous planes: its offset, size and sample size. */
export interface PlanePlace extends Size {
  readonly at: number;
  /** Bytes per sample. */
  readonly bytes: 1 | 3;
}

/** Returns the planes of a frame. Sides are even if chroma is subsampled. */
export function planesOf(pixels: Pixels, { width, height }: Size): readonly PlanePlace[] {
  if (pixels === 'rgb') return [{ at: 0, width, height, bytes: 3 }];
  const whole = width * height;
  const colour = pixels === 'yuv420' ? { width: width >> 1, height: height >> 1 } : { width, height };
  return [
    { at: 0, width, height, bytes: 1 },
    { at: whole, ...colour, bytes: 1 },
    { at: whole + colour.width * colour.height, ...colour, bytes: 1 },
  ];
}

export function frameBytes(pixels: Pixels, size: Size): number {
  return planesOf(pixels, size).reduce((sum, { width, height, bytes }) => sum + width * height * bytes, 0);
}

/** Luma and chroma of black in `yuv420`. */
export const BLACK = 16;
export const NO_COLOUR = 128;

/** Fills a frame with black. */
export function blacken(frame: Uint8Array, pixels: Pixels, { width, height }: Size): void {
  if (pixels !== 'yuv420') {
    frame.fill(0);
    return;
  }
  frame.fill(BLACK, 0, width * height);
  frame.fill(NO_COLOUR, width * height);
}

/** Converts a share of white, 0 … 1, to luma. */
export function lumaOf(share: number): number {
  return Math.round(BLACK + (235 - BLACK) * share);
}

/** Conversion factors from BT.709 in limited range to RGB. */
const LUMA = 255 / 219;
const RED_OF_CR = (255 / 224) * 2 * (1 - 0.2126);
const BLUE_OF_CB = (255 / 224) * 2 * (1 - 0.0722);
const GREEN_OF_CB = (BLUE_OF_CB * 0.0722) / 0.7152;
const GREEN_OF_CR = (RED_OF_CR * 0.2126) / 0.7152;

/** Converts pixels of three samples, in plane order, to RGB. */
export function toRgb(samples: Uint8Array, pixels: 'yuv420' | 'gbr', out: Uint8ClampedArray): void {
  if (pixels === 'gbr') {
    for (let i = 0; i < samples.length; i += 3) {
      out[i] = samples[i + 2] as number;
      out[i + 1] = samples[i] as number;
      out[i + 2] = samples[i + 1] as number;
    }
    return;
  }
  for (let i = 0; i < samples.length; i += 3) {
    const luma = LUMA * ((samples[i] as number) - BLACK);
    const cb = (samples[i + 1] as number) - NO_COLOUR;
    const cr = (samples[i + 2] as number) - NO_COLOUR;
    out[i] = luma + RED_OF_CR * cr;
    out[i + 1] = luma - GREEN_OF_CB * cb - GREEN_OF_CR * cr;
    out[i + 2] = luma + BLUE_OF_CB * cb;
  }
}
