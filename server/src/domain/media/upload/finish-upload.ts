import { join } from 'node:path';
import { ApiError, MEDIA_STATUS, type MediaDetail } from '@framelift/contract';
import { EngineError, type Rect, type Size } from '@framelift/engine';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/open.ts';
import type { VideoColumn } from '../../../platform/db/schema.ts';
import { deviceProfile } from '../../device-type/device-types.ts';
import { orderUpload } from '../../order/upload-orders.ts';
import { startConversion } from '../convert/start-conversion.ts';
import { isVideo } from '../deliver/video.ts';
import { cropFor } from '../edit/crop.ts';
import { insertFirstRevision } from '../edit/revisions.ts';
import { isFileFault } from '../file-faults.ts';
import { deletePending, isUploadPending, lockMedia, type MediaView, updateMedia } from '../media.sql.ts';
import { getMedia, getOwn } from '../media.ts';
import { insertFile, insertObjects, upsertUpload } from '../object.sql.ts';
import {
  hashFile,
  openResults,
  putFiles,
  putParts,
  removeObject,
  removeUnnamed,
  type StoredResults,
} from '../results.ts';
import { nameByType, stemOf, videoType } from './file-rules.ts';

/**
 * Looks at what really arrived and makes a picture or video of it: a picture of effect 0 % is finished at once, all else
 * waits for its conversion. What the caller says about the status is not believed. Called again it answers the same.
 * @throws ApiError see the endpoint. A file that is refused is gone with its row; without a file nothing changes
 */
export async function finishUpload(
  context: Context,
  actor: Actor,
  { id }: { readonly id: string },
): Promise<MediaDetail> {
  const view = await getOwn(context.db, actor, id);
  if (view.media.uploadState === 'pending') await receive(context, view);
  return getMedia(context, actor, { id });
}

async function receive(context: Context, view: MediaView): Promise<void> {
  const { id, uploadKey } = view.media;
  if (!uploadKey) throw new Error(`The pending media ${id} has no upload key`);
  try {
    await context.work.use((folder) => inspectAndStore(context, view, uploadKey, folder));
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    if (!isFileFault(error)) throw new ApiError('conversionFailed', [], { cause: error });
    await discardUpload(context, id, uploadKey);
    throw new ApiError(error.code, [], { cause: error });
  }
  await removeObject(context, uploadKey);
}

async function discardUpload(context: Context, id: string, uploadKey: string): Promise<void> {
  await deletePending(context.db, id, uploadKey);
  await removeObject(context, uploadKey);
}

async function inspectAndStore(context: Context, view: MediaView, uploadKey: string, folder: string): Promise<void> {
  const { media } = view;
  const { db, storage, ids, clock } = context;
  const path = join(folder, 'upload');
  const sent = await storage.head(uploadKey);
  // Before a byte is copied: a store that cannot count could hold anything.
  if (sent && sent.size !== media.declaredSize) {
    await discardUpload(context, media.id, uploadKey);
    throw new ApiError('uploadSizeMismatch');
  }
  if (!sent || !(await storage.readTo(uploadKey, path))) {
    // A second finish that was faster has taken the file away, and answered for it.
    if (!(await isUploadPending(db, uploadKey))) return;
    throw new ApiError('uploadMissing');
  }

  const arrived = await look(context, view, path);
  const crop = cropFor(view, media.crop, arrived);
  // Written from the very bytes that were looked at: the upload's own object could still be overwritten.
  const sha256 = await hashFile(path);
  const key = `originals/${ids.uuid()}/${sha256}`;
  await storage.putFile(key, path, arrived.type);
  const results = openResults(context);
  try {
    const isPicture = arrived.video === null;
    const wholeKey = isPicture ? null : await makeStill(context, results, path, arrived.video.seconds);
    const flat = isPicture && media.effect === 0 ? await makeFlat(context, view, results, path, crop) : null;
    await db.transaction(async (tx) => {
      const now = clock.now();
      // Whoever's it is by now: a guest may have become a member meanwhile.
      const locked = await lockMedia(tx, media.id);
      // A second finish came first, or the upload was deleted or begun anew meanwhile.
      if (locked?.uploadState !== 'pending' || locked.uploadKey !== uploadKey) return;
      const object = {
        key,
        ownerId: locked.ownerId,
        purpose: 'upload',
        sha256,
        size: sent.size,
        createdAt: now,
      } as const;
      const originalKey = await upsertUpload(tx, { ...object, type: arrived.type });
      const name = nameByType(media.name, arrived.type);
      await updateMedia(tx, media.id, {
        uploadState: 'stored',
        uploadKey: null,
        uploadExpiresAt: null,
        originalKey,
        orderId: await orderUpload(context, tx, { ownerId: locked.ownerId, name }, now),
        name,
        sourceWidth: arrived.width,
        sourceHeight: arrived.height,
        video: arrived.video,
        crop,
      });
      await insertFirstRevision(tx, media.id, { ...locked, crop }, now);
      await insertObjects(tx, locked.ownerId, results.objects);
      if (wholeKey) await updateMedia(tx, media.id, { wholeKey, coverKey: wholeKey });
      if (flat) await flat(tx, now);
      else await startConversion(context, tx, locked, now);
    });
  } finally {
    await results.tidy();
    // Not named either where the same bytes were there already.
    await removeUnnamed(context, [key]);
  }
  context.changes.changed(media.id);
}

interface Arrived extends Size {
  readonly type: string;
  readonly video: VideoColumn | null;
}

/** What came, by its bytes: a picture named as a video is none, and the other way round. @throws EngineError */
async function look({ converter }: Context, { media }: MediaView, path: string): Promise<Arrived> {
  if (!isVideo(media)) return { ...(await converter.probe(path)), video: null };
  const { type, width, height, seconds, frames, playable } = await converter.probeVideo(path);
  return { type: videoType(type), width, height, video: { seconds, frames, playable, notes: [] } };
}

/** A video's picture until it is converted, and what its crop is chosen on. Answers its key. @throws EngineError */
function makeStill(context: Context, results: StoredResults, input: string, seconds: number): Promise<string> {
  return context.work.use(async (folder) => {
    const path = join(folder, 'still.jpg');
    // Not the very first frame, which is often black.
    await context.converter.videoStill({ path: input, seconds: Math.min(1, seconds / 2), outPath: path });
    return results.put(path, 'image/jpeg');
  });
}

/** Makes the picture of effect 0 %. Answers how to enter it into the transaction that stores the upload. */
async function makeFlat(
  context: Context,
  { media, device }: MediaView,
  results: StoredResults,
  input: string,
  crop: Rect,
): Promise<(tx: Tx, now: Date) => Promise<void>> {
  return context.work.use(async (outDir) => {
    const name = stemOf(media.name);
    const made = await context.converter.convert({
      kind: 'picture',
      ...{ input, crop, outDir, name, device: deviceProfile(device), effect: 0, preview: true },
    });
    const files = await putFiles(context, results, media.id, made.files);
    const parts = await putParts(results, made);
    return async (tx, now) => {
      for (const file of files) await insertFile(tx, file);
      await updateMedia(tx, media.id, {
        ...parts,
        ...{ status: MEDIA_STATUS.finished, finishedAt: now, resultRevision: media.revision },
      });
    };
  });
}
