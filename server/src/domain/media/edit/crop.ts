import { LIMITS, MEDIA_TYPE } from '@framelift/contract';
import { EngineError, type Rect, type Size } from '@framelift/engine';
import { centredCrop, cropProblem } from '@framelift/engine/geometry';
import { deviceProfile } from '../../device-type/device-types.ts';
import type { MediaView } from '../media.sql.ts';

/** Returns the smallest side of a crop in pixels. */
export function smallestCrop(mediaType: number): number {
  return mediaType === MEDIA_TYPE.video ? LIMITS.video.minCropPx : LIMITS.crop.leastPx;
}

/**
 * Returns the requested crop or, for null, the largest centred one with the device's ratio.
 * @throws EngineError `cropOutsidePicture`, `cropTooSmall`, or `pictureTooSmall` and `filmTooSmall` if no crop fits
 */
export function cropFor(
  { media, device }: Pick<MediaView, 'media' | 'device'>,
  asked: Rect | null,
  source: Size,
): Rect {
  const crop = asked ?? centredCrop(source, deviceProfile(device).ratio);
  const tooSmall = Math.min(crop.width, crop.height) < smallestCrop(media.mediaType) ? 'cropTooSmall' : null;
  const problem = cropProblem(crop, source) === 'cropOutsidePicture' ? 'cropOutsidePicture' : tooSmall;
  if (!problem) return crop;
  const tooSmallItself = media.mediaType === MEDIA_TYPE.video ? 'filmTooSmall' : 'pictureTooSmall';
  throw new EngineError(asked ? problem : tooSmallItself, 'no crop fits the uploaded file');
}
