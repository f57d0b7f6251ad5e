import { LIMITS } from '@framelift/contract/limits';
import type { EngineErrorCode } from '../errors.ts';
import type { Crop, Rect, Size } from '../types.ts';
import { editedSize } from './picture-edit.ts';

/** Least side of a crop in pixels: a smaller one is rejected. */
export const SMALLEST_CROP = LIMITS.crop.leastPx;
/** Sides of the picture that is cut out, in pixels: smaller crops are scaled up, larger ones down. */
export const { minPx: SMALLEST_CUT, maxPx: LARGEST_CROP } = LIMITS.crop;

export type Ratio = readonly [width: number, height: number];

/** Returns the largest centred rectangle of an aspect ratio, in whole pixels. */
export function centredCrop(size: Size, ratio: Ratio): Rect {
  return fitCrop({ x: 0, y: 0, width: size.width, height: size.height }, ratio);
}

/**
 * Returns the largest rectangle of an aspect ratio centred inside `crop`: corrects the rounding of a browser's cropper.
 */
export function fitCrop(crop: Rect, ratio: Ratio): Rect {
  const [across, down] = ratio;
  if (!(across > 0 && down > 0)) throw new RangeError(`ratio must be positive, not ${across}:${down}`);
  const width = Math.max(1, Math.min(crop.width, Math.round((crop.height * across) / down)));
  const height = Math.max(1, Math.min(crop.height, Math.round((width * down) / across)));
  return {
    x: crop.x + Math.floor((crop.width - width) / 2),
    y: crop.y + Math.floor((crop.height - height) / 2),
    width,
    height,
  };
}

/**
 * Converts a crop of a side-by-side pair to a crop of its left half. A crop inside either half keeps its position; one
 * across the seam is arbitrary, so it is centred. One wider than an eye is scaled down.
 */
export function cropOfLeftEye(crop: Rect, eye: Size): Rect {
  const width = Math.min(crop.width, eye.width);
  const height = width === crop.width ? crop.height : Math.max(1, Math.round((crop.height * width) / crop.width));
  const inLeft = crop.x + crop.width <= eye.width;
  const inRight = crop.x >= eye.width;
  const x = inLeft ? crop.x : inRight ? crop.x - eye.width : Math.floor((eye.width - width) / 2);
  return { x: Math.min(x, eye.width - width), y: crop.y + Math.floor((crop.height - height) / 2), width, height };
}

/**
 * Returns the error code of a crop that cannot be cut from a picture, or null when it is valid.
 * @param upright size of the whole upright picture
 */
export function cropProblem(crop: Crop, upright: Size): EngineErrorCode | null {
  const { x, y, width, height } = crop;
  if (![x, y, width, height].every(Number.isInteger)) return 'cropOutsidePicture';
  if (width < 1 || height < 1) return 'cropOutsidePicture';
  const size = editedSize(upright, crop);
  const [right, bottom] = [x + width, y + height];
  // A border is around the whole picture. One pixel may be missing: sizes of straightened pictures are rounded.
  const isOutside = crop.border
    ? x > 1 || y > 1 || right < size.width - 1 || bottom < size.height - 1
    : x < 0 || y < 0 || right > size.width || bottom > size.height;
  if (isOutside) return 'cropOutsidePicture';
  if (width < SMALLEST_CROP || height < SMALLEST_CROP) return 'cropTooSmall';
  return null;
}

/**
 * Returns the size at which a crop of a picture is converted: its own, or scaled so that no side exceeds `LARGEST_CROP`
 * and, if that allows it, none is below `SMALLEST_CUT`.
 */
export function cutSize(crop: Size): Size {
  return scaled(crop, Math.max(1, SMALLEST_CUT / Math.min(crop.width, crop.height)));
}

/** Returns the size at which a crop of a video is converted: its own, or scaled down to `LARGEST_CROP`. */
export function cutSizeOfVideo(crop: Size): Size {
  return scaled(crop, 1);
}

function scaled(crop: Size, wanted: number): Size {
  const scale = Math.min(wanted, LARGEST_CROP / Math.max(crop.width, crop.height));
  return { width: Math.round(crop.width * scale), height: Math.round(crop.height * scale) };
}
