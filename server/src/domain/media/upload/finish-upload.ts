import { join } from 'node:path';
import {
  ApiError,
  acceptedTypes,
  api,
  FILE_TYPES,
  type MediaDetail,
  mayBeAnimated,
  ORDER_TYPE,
} from '@framelift/contract';
import { EngineError, type Size } from '@framelift/engine';
import type { PairPlaces } from '@framelift/engine/formats';
import { cropOfLeftEye } from '@framelift/engine/geometry';
import { z } from 'zod';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/open.ts';
import type { VideoColumn } from '../../../platform/db/schema.ts';
import { deviceProfile } from '../../device-type/device-types.ts';
import { notifyOfLinkUpload } from '../../notification/notify.ts';
import { getFeatures } from '../../site/features.ts';
import { findCurrentPlan } from '../../user/current-plan.sql.ts';
import { findUser } from '../../user/user.sql.ts';
import { longestVideo } from '../../user/user.ts';
import { insertAssets, upsertUpload } from '../asset.sql.ts';
import { videoHints } from '../convert/engine-request.ts';
import { startConversion } from '../convert/start-conversion.ts';
import { isVideo } from '../deliver/video.ts';
import { cropFor } from '../edit/crop.ts';
import { insertFirstRevision } from '../edit/revisions.ts';
import { asApiError, isFileFault } from '../engine-errors.ts';
import {
  deletePending,
  findLinkForUpdate,
  findMediaForUpdate,
  insertOrder,
  isUploadPending,
  lockOwner,
  type MediaView,
  setLinkReceived,
  updateMedia,
} from '../media.sql.ts';
import { getMedia, getOwnMedia } from '../media.ts';
import { deleteOrphanedObjects, hashFile, type Results, storeResults } from '../results.ts';
import { uploadForAlbum, uploadForFrame } from './destination.ts';
import { checkContent, nameByType } from './file-rules.ts';
import { deleteUpload, readUpload } from './parts.ts';

/**
 * Inspects the uploaded file, creates a picture or video from it and queues its conversion. The status sent by the caller
 * is ignored. Idempotent.
 * @throws ApiError see the endpoint. A rejected file is deleted with its row; a missing file changes nothing
 */
export async function finishUpload(
  context: Context,
  actor: Actor,
  { id }: { readonly id: string },
): Promise<MediaDetail> {
  const view = await getOwnMedia(context.db, actor, id);
  if (view.media.uploadState === 'pending') {
    // Only its sender finishes an upload by a link.
    if (view.media.uploadLinkId !== null) throw new ApiError('mediaNotFound');
    await receiveUpload(context, view);
  }
  return getMedia(context, actor, { id });
}

/** As finishUpload, for a picture that came by this upload link of the owner. @throws ApiError see the endpoint */
export async function finishUploadOfLink(
  context: Context,
  owner: Actor,
  { id, linkId }: { readonly id: string; readonly linkId: string },
): Promise<void> {
  const view = await getOwnMedia(context.db, owner, id);
  if (view.media.uploadLinkId !== linkId) throw new ApiError('mediaNotFound');
  if (view.media.uploadState !== 'pending') return;
  await receiveUpload(context, view);
}

/**
 * Counts a picture that arrives by an upload link, in the transaction that stores it, and tells its owner.
 * @throws ApiError `uploadLinkNotFound` if the link was revoked meanwhile; `uploadLinkFull`
 */
async function countArrival(context: Context, tx: Tx, media: MediaView['media'], linkId: string): Promise<void> {
  const link = await findLinkForUpdate(tx, linkId);
  if (!link || link.revokedAt) throw new ApiError('uploadLinkNotFound');
  if (link.received >= link.maxUploads) throw new ApiError('uploadLinkFull');
  await setLinkReceived(tx, linkId, link.received + 1);
  const { ownerId: userId, senderName } = media;
  await notifyOfLinkUpload(context, tx, { userId, sender: senderName ?? '', link: link.name });
}

/** Inspects and stores a pending upload. @throws ApiError see `setMediaS3UploadFinish` */
export async function receiveUpload(context: Context, view: MediaView): Promise<void> {
  const { id, uploadKey } = view.media;
  if (!uploadKey) throw new Error(`The pending media ${id} has no upload key`);
  try {
    await context.tempDirs.use((folder) => inspectAndStore(context, view, uploadKey, folder));
  } catch (error) {
    if (isFileFault(error)) await discardUpload(context, id, uploadKey);
    throw asUploadError(view, asApiError(error, api.setMediaS3UploadFinish));
  }
  await deleteUpload(context, uploadKey);
}

/** Returns the error of a file that could not be stored, which is no fault of the file: sending it again may help. */
function asUploadError({ media }: MediaView, error: unknown): unknown {
  if (error instanceof ApiError) return error;
  return new ApiError(isVideo(media) ? 'uploadVideoFailed' : 'uploadImageFailed', [], { cause: error });
}

async function discardUpload(context: Context, id: string, uploadKey: string): Promise<void> {
  await deletePending(context.db, id, uploadKey);
  await deleteUpload(context, uploadKey);
}

async function inspectAndStore(context: Context, view: MediaView, uploadKey: string, folder: string): Promise<void> {
  const { media } = view;
  const { db, storage, ids, clock } = context;
  const path = join(folder, 'upload');
  const { declaredSize } = media;
  const complete = await readUpload(storage, { uploadKey, declaredSize }, path).catch(async (error: unknown) => {
    if (error instanceof ApiError) await discardUpload(context, media.id, uploadKey);
    throw error;
  });
  if (!complete) {
    // A concurrent call was faster and has deleted the file.
    if (!(await isUploadPending(db, uploadKey))) return;
    throw new ApiError('uploadMissing');
  }

  const accepted = acceptedTypes(await getFeatures(context));
  const type = await checkContent(path, isVideo(media) ? 'video' : 'picture', accepted);
  const file = await inspect(context, view, path).catch((error: unknown) => {
    const isStill = type !== null && mayBeAnimated(type) && error instanceof EngineError && error.code === 'notAFilm';
    throw isStill ? new ApiError('pictureAsFilm', [], { cause: error }) : error;
  });
  const { places } = file;
  // It was chosen on whole frames: who uploads a video of both eyes sees both.
  const asked = places && media.crop ? cropOfLeftEye(media.crop, places, deviceProfile(view.device).ratio) : media.crop;
  const crop = cropFor(view, asked, file);
  const pair = media.pair ?? places?.layout ?? null;
  // A copy of the inspected bytes, because the upload's own object could still be overwritten.
  const sha256 = await hashFile(path);
  const key = `originals/${ids.uuid()}/${sha256}`;
  await storage.putFile(key, path, file.type);
  try {
    await storeResults(context, async (results) => {
      if (file.video) await addStill(context, media, results, path, { pair, ...file.video });
      await db.transaction(async (tx) => {
        const now = clock.now();
        // Locked first, as when an upload is announced. A guest pays nothing.
        if (media.price > 0) await lockOwner(tx, media.ownerId);
        // The owner is read now: a guest may have become a member meanwhile.
        const locked = await findMediaForUpdate(tx, media.id);
        // A concurrent call was faster, or the upload was deleted or restarted meanwhile.
        if (locked?.uploadState !== 'pending' || locked.uploadKey !== uploadKey) return;
        const { id, ownerId } = locked;
        if (locked.uploadLinkId !== null) await countArrival(context, tx, locked, locked.uploadLinkId);
        const upload = { key, ownerId, purpose: 'upload', sha256, size: declaredSize, type: file.type } as const;
        const objectKey = await upsertUpload(tx, { ...upload, createdAt: now });
        await insertAssets(tx, id, [{ id: ids.uuid(), role: 'original', objectKey }]);
        await results.save(tx, locked);
        const name = nameByType(media.name, file.type);
        await updateMedia(tx, id, {
          uploadState: 'stored',
          uploadKey: null,
          uploadExpiresAt: null,
          orderId: locked.orderId ?? (await orderUpload(context, tx, { ownerId, name, costs: locked.price }, now)),
          name,
          sourceWidth: file.width,
          sourceHeight: file.height,
          video: file.video,
          crop,
          pair,
        });
        await insertFirstRevision(tx, id, { ...locked, crop, pair }, now);
        await startConversion(context, tx, { ...locked, name }, now);
        const destination = z.uuid().safeParse(locked.destination);
        if (!destination.success) return;
        for (const job of [uploadForAlbum, uploadForFrame])
          await context.jobs.enqueue(tx, job, { mediaId: id, destination: destination.data });
      });
    });
  } finally {
    // The copy is an orphan too if the same bytes were stored already.
    await deleteOrphanedObjects(context, [key]);
  }
  context.changes.changed(media.id);
}

interface InspectedFile extends Size {
  readonly type: string;
  readonly video: VideoColumn | null;
  /** Where both eyes are in the frames of a video that is 3D already. */
  readonly places: PairPlaces | null;
}

/** Inspects the content of the file. @throws EngineError; ApiError `filmTooLong` beyond what the owner's plan allows */
async function inspect(context: Context, { media }: MediaView, path: string): Promise<InspectedFile> {
  const { converter, db, clock, settings } = context;
  const turn = { user: media.ownerId };
  if (!isVideo(media)) return { ...(await converter.probe(path, turn)), video: null, places: null };
  const { type, width, height, seconds, frames, playable, pair } = await converter.probeVideo(
    { path, ...videoHints(media) },
    turn,
  );
  const owner = await findUser(db, media.ownerId);
  const plan = await findCurrentPlan(db, media.ownerId, clock.now());
  // It was allowed when it was announced; what allowed it may have ended since.
  const longest = (owner && longestVideo(context, owner, plan)) || settings.video.maxSeconds;
  if (seconds > longest) throw new ApiError('filmTooLong');
  return { type: FILE_TYPES[type].mime, width, height, video: { seconds, frames, playable, notes: [] }, places: pair };
}

/** Inserts the order of an upload and returns its id. */
async function orderUpload(
  { ids }: Context,
  tx: Tx,
  order: { readonly ownerId: string; readonly name: string; readonly costs: number },
  createdAt: Date,
): Promise<string> {
  const id = ids.uuid();
  await insertOrder(tx, { ...order, id, type: ORDER_TYPE.uploaded, currency: 'points', createdAt });
  return id;
}

/** Adds one frame of a video as the cover until it is converted, and as the picture to crop on. @throws EngineError */
function addStill(
  context: Context,
  { ownerId: user, name, ground }: MediaView['media'],
  results: Results,
  input: string,
  { seconds, pair }: Pick<VideoColumn, 'seconds'> & Pick<MediaView['media'], 'pair'>,
): Promise<void> {
  return context.tempDirs.use(async (folder) => {
    const path = join(folder, 'still.jpg');
    // Not the first frame, which is often black.
    const still = {
      path: input,
      ...videoHints({ name, pair, ground }),
      seconds: Math.min(1, seconds / 2),
      outPath: path,
    };
    await context.converter.videoStill(still, { user });
    await results.add({ role: 'uncropped' }, path, 'image/jpeg');
    await results.add({ role: 'cover' }, path, 'image/jpeg');
  });
}
