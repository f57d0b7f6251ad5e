import { join } from 'node:path';
import { ApiError, api } from '@framelift/contract';
import type { Context } from '../../../context.ts';
import { findAssetKey } from '../asset.sql.ts';
import { asApiError } from '../engine-errors.ts';
import { findMediaForUpdate, type MediaView } from '../media.sql.ts';
import { storeResults } from '../results.ts';
import { createSharedWork } from './shared-work.ts';

/** Copies being made by this process. */
const share = createSharedWork<string>();

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
  if (!media.video?.playable) return null;
  return share(media.id, signal, (ownSignal) => copy(context, view, ownSignal));
}

async function copy(context: Context, { media, keys }: MediaView, signal: AbortSignal): Promise<string> {
  const { db, storage, converter, tempDirs } = context;
  try {
    return await storeResults(context, async (results) => {
      const { objectKey } = await tempDirs.use(async (folder) => {
        const [path, outPath] = [join(folder, 'original'), join(folder, 'copy.mp4')];
        if (!keys.original || !(await storage.readTo(keys.original, path))) throw new ApiError('shareNotFound');
        await converter.videoPreview({ path, name: media.name, outPath, copy: true }, { user: media.ownerId, signal });
        return results.add({ role: 'video' }, outPath, 'video/mp4');
      });
      return db.transaction(async (tx) => {
        const locked = await findMediaForUpdate(tx, media.id);
        if (!locked) throw new ApiError('shareNotFound');
        // Another process may have been faster.
        const earlier = await findAssetKey(tx, media.id, 'video');
        if (earlier) return earlier;
        await results.save(tx, locked);
        return objectKey;
      });
    });
  } catch (error) {
    throw asApiError(error, api.sharedPart);
  }
}
