import { isDeepStrictEqual } from 'node:util';
import { ApiError, LIMITS, MEDIA_STATUS, type MediaDetail } from '@framelift/contract';
import { type Actor, signedIn } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/open.ts';
import { deleteOrphans, findAssetKey, insertAssets } from '../asset.sql.ts';
import { endConversions } from '../convert/conversion.sql.ts';
import { returnPayment } from '../convert/payment.ts';
import { startConversion } from '../convert/start-conversion.ts';
import { findOwnMediaForUpdate, type MediaRow, updateMedia } from '../media.sql.ts';
import { getMedia } from '../media.ts';
import { deleteObjects } from '../results.ts';
import {
  deleteRevisions,
  findRevision,
  insertRevision,
  type RevisionRow,
  type Settings,
  settingsOf,
} from './revision.sql.ts';

/**
 * Returns the caller's own media if not deleted, locked until the transaction ends. @throws ApiError `mediaNotFound`
 */
export async function getOwnMediaForUpdate(tx: Tx, actor: Actor, id: string): Promise<MediaRow> {
  const locked = await findOwnMediaForUpdate(tx, signedIn(actor).userId, id);
  if (!locked || locked.deletedAt || locked.copyOf) throw new ApiError('mediaNotFound');
  return locked;
}

/** @throws ApiError `uploadMissing`, `obj_havent_transformed_completed` */
export function mustBeChangeable({ status, uploadState }: MediaRow): void {
  if (uploadState === 'pending') throw new ApiError('uploadMissing');
  if (status === MEDIA_STATUS.processing) throw new ApiError('obj_havent_transformed_completed');
}

/** Inserts the first revision of an upload. */
export async function insertFirstRevision(tx: Tx, mediaId: string, settings: Settings, createdAt: Date): Promise<void> {
  await insertRevision(tx, { ...settingsOf(settings), mediaId, number: 1, createdAt });
}

/** Changed settings, or the object key of another depth map; null estimates the depth map again. */
export type Edit = Partial<Settings> & { readonly depthMap?: string | null };

/**
 * Adds a revision after the current one, deletes undone revisions, and starts the conversion. Has no effect if the edit
 * changes nothing.
 * @param change returns the edit of the locked media; may write in the same transaction
 * @throws ApiError `mediaNotFound`, `uploadMissing`, `obj_havent_transformed_completed`, and errors of `change`
 */
export async function applyEdit(
  context: Context,
  actor: Actor,
  id: string,
  change: (media: MediaRow, tx: Tx) => Promise<Edit> | Edit,
): Promise<MediaDetail> {
  const now = context.clock.now();
  const orphans = await context.db.transaction(async (tx) => {
    const media = await getOwnMediaForUpdate(tx, actor, id);
    mustBeChangeable(media);
    const before = {
      ...settingsOf(media),
      depthMap: await findAssetKey(tx, id, 'depthMap', String(media.revision)),
    };
    const after = { ...before, ...(await change(media, tx)) };
    if (isDeepStrictEqual(after, before)) return [];

    const number = media.revision + 1;
    const { depthMap, ...settings } = after;
    const depthMaps = await deleteRevisions(tx, id, { upTo: number - LIMITS.revisions, after: media.revision });
    await insertRevision(tx, { ...settings, mediaId: id, number, createdAt: now });
    const asset = { id: context.ids.uuid(), role: 'depthMap', variant: String(number) } as const;
    if (depthMap) await insertAssets(tx, id, [{ ...asset, objectKey: depthMap }]);
    // The numbers of deleted revisions are reused, so a result of one must not match the new revision.
    const resultRevision = (media.resultRevision ?? 0) > media.revision ? null : media.resultRevision;
    await convertRevision(context, tx, { ...media, ...settings, revision: number, resultRevision }, now);
    return deleteOrphans(tx, depthMaps);
  });
  await deleteObjects(context, orphans);
  context.changes.changed(id);
  return getMedia(context, actor, { id });
}

/**
 * Goes to the previous revision (-1) or the next one (1). If the stored result is of that revision, it is finished
 * immediately; any other is converted.
 * @throws ApiError `mediaNotFound`, `uploadMissing`, `obj_havent_transformed_completed`, `nothingToUndo`
 */
export async function moveHistory(
  context: Context,
  actor: Actor,
  { id }: { readonly id: string },
  by: -1 | 1,
): Promise<MediaDetail> {
  await context.db.transaction(async (tx) => {
    const media = await getOwnMediaForUpdate(tx, actor, id);
    mustBeChangeable(media);
    const revision = await findRevision(tx, id, media.revision + by);
    if (!revision) throw new ApiError('nothingToUndo');
    const now = context.clock.now();
    if (revision.number === media.resultRevision) await showResult(context, tx, media, revision);
    else await convertRevision(context, tx, { ...media, ...settingsOf(revision), revision: revision.number }, now);
  });
  context.changes.changed(id);
  return getMedia(context, actor, { id });
}

/** Makes this revision, whose result is stored, the current one. */
async function showResult(context: Context, tx: Tx, media: MediaRow, revision: RevisionRow): Promise<void> {
  await updateMedia(tx, media.id, {
    ...settingsOf(revision),
    revision: revision.number,
    status: MEDIA_STATUS.finished,
    failureCode: null,
    finishedAt: context.clock.now(),
  });
}

/** Starts the conversion with the media's new settings and cancels active ones with previous settings. */
async function convertRevision(context: Context, tx: Tx, media: MediaRow, now: Date): Promise<void> {
  const { id, revision, resultRevision } = media;
  const cancelled = { state: 'cancelled', failureCode: 'conversionCancelled', finishedAt: now } as const;
  await endConversions(tx, { mediaId: id }, cancelled);
  const status = MEDIA_STATUS.processing;
  await updateMedia(tx, id, { ...settingsOf(media), revision, resultRevision, status, failureCode: null });
  await startConversion(context, tx, media, now);
}

/**
 * Cancels the active conversions of a media. A cancelled edit restores the previous result. The converting process
 * notices at its next write and discards its work.
 */
export async function cancelConversions(context: Context, tx: Tx, media: MediaRow): Promise<void> {
  const finishedAt = context.clock.now();
  const failureCode = 'conversionCancelled';
  const ended = await endConversions(tx, { mediaId: media.id }, { state: 'cancelled', failureCode, finishedAt });
  // For a finished media, only additional formats were being made.
  if (ended.length === 0 || media.status !== MEDIA_STATUS.processing) return;
  const before = media.resultRevision === null ? undefined : await findRevision(tx, media.id, media.resultRevision);
  if (before) await showResult(context, tx, media, before);
  else await updateMedia(tx, media.id, { status: MEDIA_STATUS.unable, failureCode, finishedAt });
  await returnPayment(context, tx, media, 'cancelled');
}
