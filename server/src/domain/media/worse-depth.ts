import { MEDIA_STATUS, MEDIA_TYPE } from '@framelift/contract';
import type { VideoTier } from '@framelift/engine';
import type { MediaRow } from './media.sql.ts';

/**
 * Returns whether the depth of a picture or video was estimated without the neural model that is in use, and would be made
 * by it now. Depth from the camera or the member is never worse; videos of the tier `fast` get basic depth anyway.
 */
export function hasWorseDepth(media: MediaRow, inUse: string, videoTier: VideoTier): boolean {
  const { status, mediaType, effect, depthSource } = media;
  if (status !== MEDIA_STATUS.finished || effect === 0) return false;
  if (mediaType === MEDIA_TYPE.video && videoTier !== 'best') return false;
  const isEstimated = depthSource === 'basic' || depthSource?.startsWith('model:') === true;
  return isEstimated && inUse.startsWith('model:') && depthSource !== inUse;
}
