import { join } from 'node:path';
import { ApiError, api } from '@framelift/contract';
import type { Context } from '../../../context.ts';
import { deviceProfile } from '../../device-type/device-types.ts';
import { findAssetKey } from '../asset.sql.ts';
import { asApiError } from '../engine-errors.ts';
import { findMediaForUpdate, type MediaView } from '../media.sql.ts';
import { storeResults } from '../results.ts';
import { createSharedWork } from './shared-work.ts';

/** Previews being made by this process. */
const share = createSharedWork<string>();

/**
 * Returns the key of a small upright, uncropped picture, which is made on the first request. A video has one since its
 * upload.
 * @param signal aborted when the caller hangs up
 * @throws ApiError `mediaNotFound` without an upload, `conversionFailed`
 */
export async function uncroppedPreview(context: Context, view: MediaView, signal: AbortSignal): Promise<string> {
  return view.keys.uncropped ?? share(view.media.id, signal, (ownSignal) => make(context, view, ownSignal));
}

async function make(context: Context, { media, device, keys }: MediaView, signal: AbortSignal): Promise<string> {
  const { db, storage, converter, tempDirs } = context;
  const { id, sourceWidth: width, sourceHeight: height } = media;
  const { original } = keys;
  if (!original || !width || !height) throw new ApiError('mediaNotFound');
  try {
    return await storeResults(context, async (results) => {
      const { objectKey } = await tempDirs.use(async (outDir) => {
        const input = join(outDir, 'original');
        if (!(await storage.readTo(original, input))) throw new ApiError('mediaNotFound');
        const crop = { x: 0, y: 0, width, height };
        const request = { kind: 'picture', input, outDir, crop, name: 'uncropped', effect: 0, preview: true } as const;
        const { preview } = await converter.convert(
          { ...request, device: deviceProfile(device), ...(media.ground === null ? {} : { ground: media.ground }) },
          { user: media.ownerId, signal, interactive: true },
        );
        if (!preview) throw new Error('The engine made no preview');
        return results.add({ role: 'uncropped' }, preview.colour, 'image/jpeg');
      });
      return db.transaction(async (tx) => {
        const locked = await findMediaForUpdate(tx, id);
        if (!locked) throw new ApiError('mediaNotFound');
        // Another process may have been faster.
        const earlier = await findAssetKey(tx, id, 'uncropped');
        if (earlier) return earlier;
        await results.save(tx, locked);
        return objectKey;
      });
    });
  } catch (error) {
    throw asApiError(error, api.mediaPart);
  }
}
