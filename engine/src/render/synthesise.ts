import { fillBackground } from '../depth/layers/background.ts';
import type { Picture } from '../types.ts';
import { RowWarp } from './warp.ts';

/**
 * Synthesises the right view of a rectified stereo pair from its left view and true disparity, with the warp and the
 * background layer of the product; for evaluation against photographs.
 * @param disparityPx per pixel of the left view: it appears at `x − disparity` in the right one
 */
export function synthesiseRight(left: Picture, disparityPx: Float32Array): Picture {
  return synthesiseViews(left, disparityPx, [1])[0] as Picture;
}

/** Synthesises views from positions between the left (0) and the right (1) view, all with the same background layer. */
export function synthesiseViews(left: Picture, disparityPx: Float32Array, places: readonly number[]): Picture[] {
  const { width, height } = left;
  const colour = cleanFarBorders(left, disparityPx);
  const background = fillBackground(left.data, disparityPx, left, 1);
  const viewBytes = 3 * width * height;
  const out = new Uint8Array(places.length * viewBytes);
  const warp = new RowWarp(
    width,
    width,
    places.map((place) => -place),
  );
  for (let y = 0; y < height; y++) {
    const at = y * width;
    const bytes = [3 * at, 3 * (at + width)] as const;
    warp.effect.set(disparityPx.subarray(at, at + width));
    warp.backUpper.set(background.colour.subarray(...bytes));
    warp.backLower.set(background.colour.subarray(...bytes));
    warp.backEffect.set(background.depth.subarray(at, at + width));
    const rows = places.map((_, view) => view * viewBytes + 3 * at);
    warp.draw(colour.subarray(...bytes), 1, 0, 0, out, rows);
  }
  return places.map((_, view) => ({ data: out.subarray(view * viewBytes, (view + 1) * viewBytes), width, height }));
}

/**
 * Measured disparity ends at the true outline, where pixels mix both sides. Replaces mixed pixels on the far side by
 * the neighbour one pixel further inside. (Estimated depth is dilated over them instead, see `dilate.ts`.)
 */
function cleanFarBorders({ data, width, height }: Picture, disparity: Float32Array): Uint8Array {
  const out = Uint8Array.from(data);
  for (let y = 0; y < height; y++) {
    for (let x = 1; x < width; x++) {
      const i = y * width + x;
      const jump = (disparity[i] as number) - (disparity[i - 1] as number);
      if (Math.abs(jump) < 1) continue;
      const step = jump > 0 ? -1 : 1;
      const border = jump > 0 ? i - 1 : i;
      const column = border - y * width + step;
      if (column < 0 || column >= width) continue;
      const inner = border + step;
      if (Math.abs((disparity[inner] as number) - (disparity[border] as number)) >= 1) continue;
      for (let c = 0; c < 3; c++) out[3 * border + c] = data[3 * inner + c] as number;
    }
  }
  return out;
}
