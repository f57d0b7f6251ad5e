import { ApiError, MEDIA_STATUS, type MediaDetail } from '@framelift/contract';
import { type Actor, signedIn } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/open.ts';
import { DAY_MS } from '../../../platform/time.ts';
import { isMediaInProduct } from '../../membership/entitlement.sql.ts';
import { startConversion } from '../convert/start-conversion.ts';
import { cancelConversions, getOwnMediaForUpdate } from '../edit/revisions.ts';
import { findOwnMediaForUpdate, listCopiesForUpdate, type MediaRow, updateMedia } from '../media.sql.ts';
import { getMedia, getOwnMedia } from '../media.ts';
import { livingBytes } from '../usage.sql.ts';
import { storageLimitOf } from '../usage.ts';

/** How long deleteMedia can be undone. */
export const DELETE_GRACE_MS = DAY_MS;

interface ById {
  readonly id: string;
}

/** Cancels the active conversions of a media, if any. @throws ApiError `mediaNotFound` */
export async function cancelMedia(context: Context, actor: Actor, { id }: ById): Promise<MediaDetail> {
  await getOwnMedia(context.db, actor, id);
  await context.db.transaction(async (tx) => {
    await cancelConversions(context, tx, await getOwnMediaForUpdate(tx, actor, id));
  });
  context.changes.changed(id);
  return getMedia(context, actor, { id });
}

/**
 * Converts a failed or cancelled picture or video again; has no effect in any other state.
 * @throws ApiError `mediaNotFound`; `uploadMissing` if there is no file to convert
 */
export async function retryMedia(context: Context, actor: Actor, { id }: ById): Promise<MediaDetail> {
  const { original } = (await getOwnMedia(context.db, actor, id)).keys;
  if (!original || !(await context.storage.head(original))) throw new ApiError('uploadMissing');
  await context.db.transaction(async (tx) => {
    const locked = await getOwnMediaForUpdate(tx, actor, id);
    if (locked.status !== MEDIA_STATUS.unable) return;
    await updateMedia(tx, id, { status: MEDIA_STATUS.processing, failureCode: null });
    await startConversion(context, tx, locked, context.clock.now());
  });
  context.changes.changed(id);
  return getMedia(context, actor, { id });
}

/** Hides a locked media, and ends its conversions and those of its copies. One that is hidden already stays as it is. */
export async function hideMedia(context: Context, tx: Tx, media: MediaRow, deletedAt: Date): Promise<void> {
  if (media.deletedAt) return;
  await cancelConversions(context, tx, media);
  for (const copy of await listCopiesForUpdate(tx, media.id)) await cancelConversions(context, tx, copy);
  await updateMedia(tx, media.id, { deletedAt });
}

/** Hides a media; it is purged after the grace period. @throws ApiError `mediaNotFound`, `albumInProduct` */
export async function deleteMedia(context: Context, actor: Actor, { id }: ById): Promise<ById> {
  const { userId } = signedIn(actor);
  const now = context.clock.now();
  await context.db.transaction(async (tx) => {
    const locked = await findOwnMediaForUpdate(tx, userId, id);
    if (!locked || locked.copyOf) throw new ApiError('mediaNotFound');
    if (await isMediaInProduct(tx, [id])) throw new ApiError('albumInProduct');
    await hideMedia(context, tx, locked, now);
  });
  context.changes.changed(id);
  return { id };
}

/**
 * Undoes deleteMedia within its grace period. A deleted media counts against the limit until it is purged, so this fails
 * for lack of room only if the limit was lowered meanwhile, until the member has deleted others instead.
 * @throws ApiError `mediaNotFound`, `storageLimitReached`
 */
export async function restoreMedia(context: Context, actor: Actor, { id }: ById): Promise<MediaDetail> {
  const { userId } = signedIn(actor);
  const since = context.clock.now().getTime() - DELETE_GRACE_MS;
  await context.db.transaction(async (tx) => {
    const locked = await findOwnMediaForUpdate(tx, userId, id);
    if (!locked || locked.copyOf || (locked.deletedAt && locked.deletedAt.getTime() <= since))
      throw new ApiError('mediaNotFound');
    if (!locked.deletedAt) return;
    if ((await livingBytes(tx, userId, id)) > (await storageLimitOf(context, tx, userId)))
      throw new ApiError('storageLimitReached');
    await updateMedia(tx, id, { deletedAt: null });
  });
  return getMedia(context, actor, { id });
}
