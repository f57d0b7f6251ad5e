import { ApiError, LIMITS, MEDIA_TYPE } from '@framelift/contract';
import { type Crop, EngineError, type Size } from '@framelift/engine';
import { centredCrop, cropProblem, isEdited } from '@framelift/engine/geometry';
import { deviceProfile } from '../../device-type/device-types.ts';
import type { MediaView } from '../media.sql.ts';

/** Returns the smallest side of a crop in pixels. */
export function smallestCrop(mediaType: number): number {
  return mediaType === MEDIA_TYPE.video ? LIMITS.video.minCropPx : LIMITS.crop.leastPx;
}

/** @throws ApiError `invalidInput` for a video that is to be turned, straightened or bordered */
export function mustSuit(crop: Crop | null | undefined, mediaType: number): void {
  if (crop && mediaType === MEDIA_TYPE.video && isEdited(crop))
    throw new ApiError('invalidInput', ['crop: a video cannot be turned, mirrored, straightened or given a border']);
}

/**
 * Returns the requested crop or, for null, the largest centred one with the device's ratio.
 * @throws EngineError `cropOutsidePicture`, `cropTooSmall`, or `pictureTooSmall` and `filmTooSmall` if no crop fits
 */
export function cropFor(
  { media, device }: Pick<MediaView, 'media' | 'device'>,
  asked: Crop | null,
  source: Size,
): Crop {
  const crop = asked ?? centredCrop(source, deviceProfile(device).ratio);
  const tooSmall = Math.min(crop.width, crop.height) < smallestCrop(media.mediaType) ? 'cropTooSmall' : null;
  const problem = cropProblem(crop, source) === 'cropOutsidePicture' ? 'cropOutsidePicture' : tooSmall;
  if (!problem) return crop;
  const tooSmallItself = media.mediaType === MEDIA_TYPE.video ? 'filmTooSmall' : 'pictureTooSmall';
  throw new EngineError(asked ? problem : tooSmallItself, 'no crop fits the uploaded file');
}
