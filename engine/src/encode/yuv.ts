import type { Size } from '../types.ts';

/** Weights of red, green and blue (0 … 255): of a luma sample, and of a chroma sample, which has four pixels. */
interface Matrix {
  readonly black: number;
  readonly luma: readonly [number, number, number];
  readonly blue: readonly [number, number, number];
  readonly red: readonly [number, number, number];
}

/** BT.709 in limited range, as in videos. */
export const VIDEO_709: Matrix = {
  black: 16,
  luma: [0.18259, 0.61423, 0.06201],
  blue: [-0.025161, -0.084643, 0.109804],
  red: [0.109804, -0.099733, -0.010071],
};

/** BT.601 in full range, as in JPEG and HEIC pictures. */
export const PICTURE_601: Matrix = {
  black: 0,
  luma: [0.299, 0.587, 0.114],
  blue: [-0.042184, -0.082816, 0.125],
  red: [0.125, -0.104672, -0.020328],
};

/**
 * Converts RGB bytes to planes of 4:2:0; chroma is the mean of 2 x 2 pixels.
 * @param size even
 * @param strides bytes of a row of each plane
 */
export function toYuv(
  rgb: Uint8Array,
  { width, height }: Size,
  matrix: Matrix,
  [luma, blue, red]: readonly Uint8Array[],
  strides: readonly number[],
): void {
  if (!luma || !blue || !red) throw new Error('a frame has no planes');
  const [lumaStride, blueStride, redStride] = strides as [number, number, number];
  const { black } = matrix;
  const [lr, lg, lb] = matrix.luma;
  const [br, bg, bb] = matrix.blue;
  const [rr, rg, rb] = matrix.red;
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      let r = 0;
      let g = 0;
      let b = 0;
      for (let i = 0; i < 4; i++) {
        const column = x + (i & 1);
        const row = y + (i >> 1);
        const from = 3 * (row * width + column);
        const pr = rgb[from] as number;
        const pg = rgb[from + 1] as number;
        const pb = rgb[from + 2] as number;
        luma[row * lumaStride + column] = black + 0.5 + lr * pr + lg * pg + lb * pb;
        r += pr;
        g += pg;
        b += pb;
      }
      // Bytes wrap around: pure blue and pure red would be 256 in full range.
      blue[(y >> 1) * blueStride + (x >> 1)] = Math.min(255, 128.5 + br * r + bg * g + bb * b);
      red[(y >> 1) * redStride + (x >> 1)] = Math.min(255, 128.5 + rr * r + rg * g + rb * b);
    }
  }
}
