import { join } from 'node:path';
import { ApiError, api } from '@framelift/contract';
import type { Context } from '../../../context.ts';
import { deviceProfile } from '../../device-type/device-types.ts';
import { isGuest } from '../../user/user.sql.ts';
import { findAssetKey } from '../asset.sql.ts';
import type { MediaView } from '../media.sql.ts';
import { createMaker } from './make-once.ts';

const make = createMaker<string>({
  endpoint: api.mediaPart,
  missing: 'mediaNotFound',
  async make({ context: { db, storage, converter }, view: { media, device, keys }, results, folder: outDir, signal }) {
    const { sourceWidth: width, sourceHeight: height } = media;
    const input = join(outDir, 'original');
    if (!keys.original || !width || !height) throw new ApiError('mediaNotFound');
    if (!(await storage.readTo(keys.original, input))) throw new ApiError('mediaNotFound');
    const crop = { x: 0, y: 0, width, height };
    const request = { kind: 'picture', input, outDir, crop, name: 'uncropped', effect: 0, preview: true } as const;
    const { preview } = await converter.convert(
      { ...request, device: deviceProfile(device), ...(media.ground === null ? {} : { ground: media.ground }) },
      { user: media.ownerId, isGuest: await isGuest(db, media.ownerId), signal, interactive: true },
    );
    if (!preview) throw new Error('The engine made no preview');
    return (await results.add({ role: 'uncropped' }, preview.colour, 'image/jpeg')).objectKey;
  },
  findStored: async (tx, mediaId) => (await findAssetKey(tx, mediaId, 'uncropped')) ?? null,
});

/**
 * Returns the key of a small upright, uncropped picture, which is made on the first request. A video has one since its
 * upload.
 * @param signal aborted when the caller hangs up
 * @throws ApiError `mediaNotFound` without an upload, `conversionFailed`
 */
export async function uncroppedPreview(context: Context, view: MediaView, signal: AbortSignal): Promise<string> {
  return view.keys.uncropped ?? make(context, view, signal);
}
