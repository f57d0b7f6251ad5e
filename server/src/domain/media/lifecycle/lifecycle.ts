import { ApiError, MEDIA_STATUS, type MediaDetail } from '@framelift/contract';
import { type Actor, signedIn } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { startConversion } from '../convert/start-conversion.ts';
import { cancelConversions, lockLiving } from '../edit/revisions.ts';
import { lockOwnMedia, type MediaRow, updateMedia } from '../media.sql.ts';
import { getMedia, getOwn } from '../media.ts';

/** How long deleteMedia can be undone. */
export const DELETE_GRACE_MS = 24 * 60 * 60_000;

interface ById {
  readonly id: string;
}

/** Stops what waits or runs; a media of which nothing does is answered as it is. @throws ApiError `mediaNotFound` */
export async function cancelMedia(context: Context, actor: Actor, { id }: ById): Promise<MediaDetail> {
  await getOwn(context.db, actor, id);
  await context.db.transaction(async (tx) => {
    await cancelConversions(context, tx, await lockLiving(tx, actor, id));
  });
  context.changes.changed(id);
  return getMedia(context, actor, { id });
}

/**
 * Converts a failed or cancelled picture or video again; one in any other state is answered as it is.
 * @throws ApiError `mediaNotFound`; `uploadMissing` when there is no file to convert
 */
export async function retryMedia(context: Context, actor: Actor, { id }: ById): Promise<MediaDetail> {
  const { media } = await getOwn(context.db, actor, id);
  if (!media.originalKey || !(await context.storage.head(media.originalKey))) throw new ApiError('uploadMissing');
  await context.db.transaction(async (tx) => {
    const locked = await lockLiving(tx, actor, id);
    if (locked.status !== MEDIA_STATUS.unable) return;
    await updateMedia(tx, id, { status: MEDIA_STATUS.processing, failureCode: null });
    await startConversion(context, tx, locked, context.clock.now());
  });
  context.changes.changed(id);
  return getMedia(context, actor, { id });
}

/** Takes a media out of the lists; its files go when the grace is over. @throws ApiError `mediaNotFound` */
export async function deleteMedia(context: Context, actor: Actor, { id }: ById): Promise<ById> {
  const { userId } = signedIn(actor);
  const now = context.clock.now();
  await context.db.transaction(async (tx) => {
    const locked = await lockOwnMedia(tx, userId, id);
    if (!locked) throw new ApiError('mediaNotFound');
    // Asked twice over a bad line, the second is a success as well.
    if (locked.status === MEDIA_STATUS.deleted) return;
    await cancelConversions(context, tx, locked);
    await updateMedia(tx, id, { status: MEDIA_STATUS.deleted, deletedAt: now });
  });
  context.changes.changed(id);
  return { id };
}

/** Undoes deleteMedia within its grace. @throws ApiError `mediaNotFound` */
export async function restoreMedia(context: Context, actor: Actor, { id }: ById): Promise<MediaDetail> {
  const { userId } = signedIn(actor);
  const since = context.clock.now().getTime() - DELETE_GRACE_MS;
  await context.db.transaction(async (tx) => {
    const locked = await lockOwnMedia(tx, userId, id);
    if (!locked || (locked.deletedAt && locked.deletedAt.getTime() <= since)) throw new ApiError('mediaNotFound');
    if (locked.status !== MEDIA_STATUS.deleted) return;
    await updateMedia(tx, id, { status: statusBefore(locked), deletedAt: null });
  });
  return getMedia(context, actor, { id });
}

/** What a deleted media was; deleting stops what was being processed. */
function statusBefore({ failureCode, finishedAt }: MediaRow): number {
  if (failureCode) return MEDIA_STATUS.unable;
  return finishedAt ? MEDIA_STATUS.finished : MEDIA_STATUS.processing;
}
