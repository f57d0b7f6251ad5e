import { defaultVideoFormat, type VideoFormat } from '@framelift/contract/formats';
import { EngineError } from '../errors.ts';
import { centredCrop, cutSizeOfVideo } from '../geometry/index.ts';
import type { Rect, Size, VideoRequest } from '../types.ts';
import { SMALLEST_VIDEO_SIDE } from './limits.ts';

/** Returns the requested formats or the device's default; `flat` for effect 0. */
export function videoFormats({ effect, format, further = [], device }: VideoRequest): readonly VideoFormat[] {
  if (!Number.isFinite(effect) || effect < 0 || effect > 100)
    throw new EngineError('conversionFailed', `effect must be 0 … 100, not ${effect}`);
  if (effect === 0) return [defaultVideoFormat(effect, device.format)];
  return [...new Set([format ?? defaultVideoFormat(effect, device.format), ...further])];
}

/** Returns the requested rectangle, or the largest one of the device's ratio; even, as 4:2:0 requires. */
export function videoCrop({ crop, device }: VideoRequest, shown: Size): Rect {
  const chosen = crop ?? centredCrop(shown, device.ratio);
  const text = `crop ${chosen.width} x ${chosen.height} at ${chosen.x},${chosen.y} of ${shown.width} x ${shown.height}`;
  const inside =
    [chosen.x, chosen.y, chosen.width, chosen.height].every((n) => Number.isInteger(n) && n >= 0) &&
    chosen.x + chosen.width <= shown.width &&
    chosen.y + chosen.height <= shown.height;
  if (!inside) throw new EngineError('cropOutsidePicture', text);
  const rect = { x: even(chosen.x), y: even(chosen.y), ...evenSize(chosen) };
  if (Math.min(rect.width, rect.height) < SMALLEST_VIDEO_SIDE)
    throw new EngineError(crop ? 'cropTooSmall' : 'filmTooSmall', text);
  return rect;
}

/**
 * Returns the whole upright frame, with even sides.
 * @throws {EngineError} `filmTooSmall`
 */
export function wholeFrame(shown: Size): Rect {
  const size = evenSize(shown);
  if (Math.min(size.width, size.height) < SMALLEST_VIDEO_SIDE)
    throw new EngineError('filmTooSmall', `${shown.width} x ${shown.height}`);
  return { x: 0, y: 0, ...size };
}

/** Returns the size at which frames are processed. */
export function workingSize(crop: Size): Size {
  return evenSize(cutSizeOfVideo(crop));
}

function evenSize({ width, height }: Size): Size {
  return { width: even(width), height: even(height) };
}

function even(n: number): number {
  return n - (n % 2);
}
