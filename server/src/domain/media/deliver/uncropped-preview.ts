import { join } from 'node:path';
import { ApiError } from '@framelift/contract';
import { EngineError } from '@framelift/engine';
import type { Context } from '../../../context.ts';
import { deviceProfile } from '../../device-type/device-types.ts';
import { lockMedia, type MediaView, updateMedia } from '../media.sql.ts';
import { insertObjects } from '../object.sql.ts';
import { openResults } from '../results.ts';

/** What is being made now in this process, so that two looks are one piece of work. */
const making = new Map<string, Promise<string>>();

/**
 * Key of the upright, uncropped picture, small; made when it is first looked at. A video has had it since its upload.
 * @throws ApiError `mediaNotFound` where there is no upload, `conversionFailed`
 */
export function wholePicture(context: Context, view: MediaView): Promise<string> {
  const { id, wholeKey } = view.media;
  if (wholeKey) return Promise.resolve(wholeKey);
  const running = making.get(id) ?? make(context, view).finally(() => making.delete(id));
  making.set(id, running);
  return running;
}

async function make(context: Context, { media, device }: MediaView): Promise<string> {
  const { db, storage, converter, work } = context;
  const { id, originalKey, sourceWidth: width, sourceHeight: height } = media;
  if (!originalKey || !width || !height) throw new ApiError('mediaNotFound');
  const results = openResults(context);
  try {
    const key = await work.use(async (outDir) => {
      const input = join(outDir, 'original');
      if (!(await storage.readTo(originalKey, input))) throw new ApiError('mediaNotFound');
      const crop = { x: 0, y: 0, width, height };
      const { preview } = await converter.convert({
        kind: 'picture',
        ...{ input, outDir, crop, name: 'whole', device: deviceProfile(device), effect: 0, preview: true },
      });
      if (!preview) throw new Error('The engine made no preview');
      return results.put(preview.colour, 'image/jpeg');
    });
    return await db.transaction(async (tx) => {
      const locked = await lockMedia(tx, id);
      if (!locked) throw new ApiError('mediaNotFound');
      // Another process may have been faster.
      if (locked.wholeKey) return locked.wholeKey;
      await insertObjects(tx, locked.ownerId, results.objects);
      await updateMedia(tx, id, { wholeKey: key });
      return key;
    });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new ApiError('conversionFailed', [], { cause: error });
  } finally {
    await results.tidy();
  }
}
