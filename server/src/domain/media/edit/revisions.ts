import { isDeepStrictEqual } from 'node:util';
import { ApiError, LIMITS, MEDIA_STATUS, type MediaDetail } from '@framelift/contract';
import { type Actor, signedIn } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/open.ts';
import { endConversions } from '../convert/conversion.sql.ts';
import { startConversion } from '../convert/start-conversion.ts';
import { lockOwnMedia, type MediaRow, updateMedia } from '../media.sql.ts';
import { getMedia } from '../media.ts';
import { deleteUnnamed } from '../object.sql.ts';
import { removeObject } from '../results.ts';
import {
  deleteRevisions,
  findRevision,
  insertRevision,
  type RevisionRow,
  type Terms,
  termsOf,
} from './revision.sql.ts';

/**
 * A media locked for its owner, who sees it.
 * @throws ApiError `mediaNotFound`
 */
export async function lockLiving(tx: Tx, actor: Actor, id: string): Promise<MediaRow> {
  const locked = await lockOwnMedia(tx, signedIn(actor).userId, id);
  if (!locked || locked.status === MEDIA_STATUS.deleted) throw new ApiError('mediaNotFound');
  return locked;
}

/** @throws ApiError `uploadMissing`, `obj_havent_transformed_completed` */
export function mustBeChangeable({ status, uploadState }: MediaRow): void {
  if (uploadState === 'pending') throw new ApiError('uploadMissing');
  if (status === MEDIA_STATUS.processing) throw new ApiError('obj_havent_transformed_completed');
}

/** The first revision of an upload: what was asked for with it. */
export async function insertFirstRevision(tx: Tx, mediaId: string, terms: Terms, createdAt: Date): Promise<void> {
  await insertRevision(tx, { ...termsOf(terms), mediaId, number: 1, createdAt });
}

/**
 * Changes the terms of a media: a new revision after the present one, converted at once; those that were taken back are
 * forgotten. Without a difference nothing happens.
 * @param change what differs, from the locked media; may write in the same transaction, where nothing stays of it when
 *   there is no difference
 * @throws ApiError `mediaNotFound`, `uploadMissing`, `obj_havent_transformed_completed`, and what `change` throws
 */
export async function revise(
  context: Context,
  actor: Actor,
  id: string,
  change: (media: MediaRow, tx: Tx) => Promise<Partial<Terms>> | Partial<Terms>,
): Promise<MediaDetail> {
  const now = context.clock.now();
  const unnamed = await context.db.transaction(async (tx) => {
    const media = await lockLiving(tx, actor, id);
    mustBeChangeable(media);
    const terms = { ...termsOf(media), ...(await change(media, tx)) };
    if (isDeepStrictEqual(terms, termsOf(media))) return [];

    const number = media.revision + 1;
    const depths = await deleteRevisions(tx, id, { upTo: number - LIMITS.revisions, after: media.revision });
    await insertRevision(tx, { ...terms, mediaId: id, number, createdAt: now });
    // A result of a revision that is forgotten is nobody's: its number is given anew.
    const resultRevision = (media.resultRevision ?? 0) > media.revision ? null : media.resultRevision;
    await convertRevision(context, tx, { ...media, ...terms, revision: number, resultRevision }, now);
    return deleteUnnamed(tx, depths);
  });
  for (const key of unnamed) await removeObject(context, key);
  context.changes.changed(id);
  return getMedia(context, actor, { id });
}

/**
 * Goes to the revision before the present one (-1) or to the one that was left that way (1). The one whose result is
 * there is finished at once.
 * @throws ApiError `mediaNotFound`, `uploadMissing`, `obj_havent_transformed_completed`, `nothingToUndo`
 */
export async function step(context: Context, actor: Actor, id: string, by: -1 | 1): Promise<MediaDetail> {
  await context.db.transaction(async (tx) => {
    const media = await lockLiving(tx, actor, id);
    mustBeChangeable(media);
    const revision = await findRevision(tx, id, media.revision + by);
    if (!revision) throw new ApiError('nothingToUndo');
    const now = context.clock.now();
    if (revision.number === media.resultRevision) await showResult(context, tx, media, revision);
    else await convertRevision(context, tx, { ...media, ...termsOf(revision), revision: revision.number }, now);
  });
  context.changes.changed(id);
  return getMedia(context, actor, { id });
}

/** Lets the terms of this revision hold, whose result is there. */
async function showResult(context: Context, tx: Tx, media: MediaRow, revision: RevisionRow): Promise<void> {
  await updateMedia(tx, media.id, {
    ...termsOf(revision),
    revision: revision.number,
    status: MEDIA_STATUS.finished,
    failureCode: null,
    finishedAt: context.clock.now(),
  });
}

/** Lets these terms hold and makes what they ask for. Further formats of what was before are no longer made. */
async function convertRevision(context: Context, tx: Tx, media: MediaRow, now: Date): Promise<void> {
  const { id, revision, resultRevision } = media;
  const cancelled = { state: 'cancelled', failureCode: 'conversionCancelled', finishedAt: now } as const;
  await endConversions(tx, { mediaId: id }, cancelled);
  const status = MEDIA_STATUS.processing;
  await updateMedia(tx, id, { ...termsOf(media), revision, resultRevision, status, failureCode: null });
  await startConversion(context, tx, media, now);
}

/**
 * Stops what waits or runs of a media. A change that is stopped leaves what was there before it. The process at work
 * finds out by its next write and throws its work away.
 */
export async function cancelConversions(context: Context, tx: Tx, media: MediaRow): Promise<void> {
  const finishedAt = context.clock.now();
  const failureCode = 'conversionCancelled';
  const ended = await endConversions(tx, { mediaId: media.id }, { state: 'cancelled', failureCode, finishedAt });
  // Of a finished media only further formats were being made.
  if (!ended || media.status !== MEDIA_STATUS.processing) return;
  const before = media.resultRevision === null ? undefined : await findRevision(tx, media.id, media.resultRevision);
  if (before) await showResult(context, tx, media, before);
  else await updateMedia(tx, media.id, { status: MEDIA_STATUS.unable, failureCode, finishedAt });
}
