import { join } from 'node:path';
import { ApiError, api } from '@framelift/contract';
import type { Context } from '../../../context.ts';
import { findAssetKey } from '../asset.sql.ts';
import type { MediaView } from '../media.sql.ts';
import { createMaker } from './make-once.ts';

const copy = createMaker<string>({
  endpoint: api.sharedPart,
  missing: 'shareNotFound',
  async make({ context: { storage, converter }, view: { media, keys }, results, folder, signal }) {
    const [path, outPath] = [join(folder, 'original'), join(folder, 'copy.mp4')];
    if (!keys.original || !(await storage.readTo(keys.original, path))) throw new ApiError('shareNotFound');
    await converter.videoPreview({ path, name: media.name, outPath, copy: true }, { user: media.ownerId, signal });
    return (await results.add({ role: 'video' }, outPath, 'video/mp4')).objectKey;
  },
  findStored: async (tx, mediaId) => (await findAssetKey(tx, mediaId, 'video')) ?? null,
});

/**
 * Returns the key of a version of the video that browsers play and that tells nothing but its pictures and sound: an
 * uploaded file may tell where it was filmed and with which camera. Copied on the first request; null if browsers cannot
 * play the video.
 * @param signal aborted when the caller hangs up
 * @throws ApiError `conversionFailed`
 */
export async function publicVideo(context: Context, view: MediaView, signal: AbortSignal): Promise<string | null> {
  const { media, keys } = view;
  if (keys.video) return keys.video;
  return media.video?.playable ? copy(context, view, signal) : null;
}
