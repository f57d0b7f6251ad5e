import { ApiError, MEDIA_STATUS } from '@framelift/contract';
import { type Actor, signedIn } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/open.ts';
import { neuralDepthInUse } from '../../depth-model/depth-model.ts';
import { isMediaInProduct } from '../../membership/entitlement.sql.ts';
import { applyEdit } from '../edit/revisions.ts';
import { DELETE_GRACE_MS, hideMedia, retryMedia } from '../lifecycle/lifecycle.ts';
import { findManyForUpdate, findManyViews, type MediaRow, updateMedia } from '../media.sql.ts';
import { livingBytes } from '../usage.sql.ts';
import { storageLimitOf } from '../usage.ts';
import { hasWorseDepth } from '../worse-depth.ts';

interface ByIds {
  readonly media_ids: readonly string[];
}

/**
 * Hides media, all or none; they are purged after the grace period.
 * @throws ApiError `mediaNotFound`, `albumInProduct`
 */
export async function deleteManyMedia(context: Context, actor: Actor, input: ByIds): Promise<{ media_ids: string[] }> {
  const ids = [...new Set(input.media_ids)];
  const deletedAt = context.clock.now();
  await context.db.transaction(async (tx) => {
    const rows = await lockAll(tx, actor, ids);
    if (await isMediaInProduct(tx, ids)) throw new ApiError('albumInProduct');
    for (const media of rows) await hideMedia(context, tx, media, deletedAt);
  });
  for (const id of ids) context.changes.changed(id);
  return { media_ids: ids };
}

/**
 * Undoes deleteManyMedia within its grace period, for all or none.
 * @throws ApiError `mediaNotFound`, `storageLimitReached`
 */
export async function restoreManyMedia(context: Context, actor: Actor, input: ByIds): Promise<{ media_ids: string[] }> {
  const { userId } = signedIn(actor);
  const ids = [...new Set(input.media_ids)];
  const since = context.clock.now().getTime() - DELETE_GRACE_MS;
  await context.db.transaction(async (tx) => {
    const deleted = (await lockAll(tx, actor, ids)).filter(({ deletedAt }) => deletedAt !== null);
    if (deleted.some(({ deletedAt }) => (deletedAt?.getTime() ?? 0) <= since)) throw new ApiError('mediaNotFound');
    for (const { id } of deleted) await updateMedia(tx, id, { deletedAt: null });
    const [any] = deleted;
    if (any && (await livingBytes(tx, userId, any.id)) > (await storageLimitOf(context, tx, userId)))
      throw new ApiError('storageLimitReached');
  });
  for (const id of ids) context.changes.changed(id);
  return { media_ids: ids };
}

/** @throws ApiError `mediaNotFound` if one of them is not the caller's */
async function lockAll(tx: Tx, actor: Actor, ids: readonly string[]): Promise<MediaRow[]> {
  const rows = await findManyForUpdate(tx, signedIn(actor).userId, ids);
  if (rows.length < ids.length) throw new ApiError('mediaNotFound');
  return rows;
}

/**
 * Estimates the depth of pictures and videos again whose depth is worse than what this engine estimates, and retries failed ones. Each
 * is started by itself: after a crash, the same request starts the rest.
 * @throws ApiError `mediaNotFound` if one of them is not the caller's; then none is started
 */
export async function improveManyMedia(
  context: Context,
  actor: Actor,
  input: ByIds,
): Promise<{ started: string[]; passed_over: string[] }> {
  const ids = [...new Set(input.media_ids)];
  const views = await findManyViews(context.db, signedIn(actor).userId, ids);
  if (views.length < ids.length) throw new ApiError('mediaNotFound');
  // Where no worker reports, this process tries itself.
  const source = (await neuralDepthInUse(context)) ?? (await context.converter.status()).depth.source;
  const { tier } = context.settings.video;
  const started: string[] = [];
  for (const { media } of views) {
    const { id, status } = media;
    try {
      if (status === MEDIA_STATUS.unable) await retryMedia(context, actor, { id });
      else if (hasWorseDepth(media, source, tier))
        await applyEdit(context, actor, id, (locked) =>
          hasWorseDepth(locked, source, tier) ? { depthMap: null, depthSource: null } : {},
        );
      else continue;
      started.push(id);
    } catch (error) {
      // Deleted or changed meanwhile, or its upload is lost: its own page says why.
      if (!(error instanceof ApiError)) throw error;
    }
  }
  return { started, passed_over: ids.filter((id) => !started.includes(id)) };
}
