import { ApiError, type api, type InputOf, type Share } from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { type Page, paged } from '../../platform/paging.ts';
import { assetUrl } from '../media/deliver/asset-url.ts';
import { DELETE_GRACE_MS } from '../media/lifecycle/lifecycle.ts';
import { findOwnMediaForUpdate } from '../media/media.sql.ts';
import { getOwnMedia } from '../media/media.ts';
import { requireOpen } from '../site/features.ts';
import {
  deleteSharesRevokedBefore,
  findNewestShare,
  findShareForUpdate,
  findShareView,
  insertShare,
  listShareViews,
  type ShareView,
  updateShare,
} from './share.sql.ts';
import { addressesOf } from './share-address.ts';
import { shownSize } from './shared.ts';

interface ById {
  readonly id: string;
}

type Settings = Omit<InputOf<typeof api.changeShare>, 'id'>;

/**
 * Returns a page of the caller's public links, newest first.
 * @throws ApiError `invalidInput` for an invalid cursor; `mediaNotFound`
 */
export async function listShares(
  context: Context,
  actor: Actor,
  { page, media }: InputOf<typeof api.shares>,
): Promise<Page<Share>> {
  const { userId } = signedIn(actor);
  if (media !== undefined) await getOwnMedia(context.db, actor, media);
  return paged({
    cursor: page,
    read: (request) => listShareViews(context.db, userId, { ...request, mediaId: media ?? null }),
    positionOf: ({ share }) => share,
    present: (views) => views.map((view) => present(context, view)),
  });
}

/**
 * Makes a public link, or returns the media's own with the given settings: a second click makes no second link.
 * @throws ApiError `mediaNotFound`; `obj_havent_transformed_completed` before the first result; `shareEndPassed`
 */
export async function shareMedia(
  context: Context,
  actor: Actor,
  { id: mediaId, ...settings }: InputOf<typeof api.shareMedia>,
): Promise<Share> {
  await requireOpen(context, 'shares');
  const now = context.clock.now();
  const changes = readSettings(settings, now);
  const id = await context.db.transaction(async (tx) => {
    const media = await findOwnMediaForUpdate(tx, signedIn(actor).userId, mediaId);
    if (!media || media.deletedAt || media.copyOf) throw new ApiError('mediaNotFound');
    if (media.resultRevision === null) throw new ApiError('obj_havent_transformed_completed');
    const earlier = await findNewestShare(tx, mediaId);
    if (earlier) {
      await change(tx, earlier.id, changes);
      return earlier.id;
    }
    const made = { id: context.ids.uuid(), mediaId, createdAt: now, download: false, ...changes };
    await insertShare(tx, made);
    return made.id;
  });
  return getShare(context, actor, id);
}

/** @throws ApiError `shareNotFound`, `shareEndPassed` */
export async function changeShare(
  context: Context,
  actor: Actor,
  { id, ...settings }: InputOf<typeof api.changeShare>,
): Promise<Share> {
  const changes = readSettings(settings, context.clock.now());
  await context.db.transaction(async (tx) => {
    const row = await findShareForUpdate(tx, signedIn(actor).userId, id);
    if (!row || row.revokedAt) throw new ApiError('shareNotFound');
    await change(tx, id, changes);
  });
  return getShare(context, actor, id);
}

/** Ends a public link at once. A repeated request succeeds as well. @throws ApiError `shareNotFound` */
export async function revokeShare(context: Context, actor: Actor, { id }: ById): Promise<ById> {
  await context.db.transaction(async (tx) => {
    const row = await findShareForUpdate(tx, signedIn(actor).userId, id);
    if (!row) throw new ApiError('shareNotFound');
    if (!row.revokedAt) await updateShare(tx, id, { revokedAt: context.clock.now() });
  });
  return { id };
}

/** Undoes revokeShare within its grace period. @throws ApiError `shareNotFound` */
export async function restoreShare(context: Context, actor: Actor, { id }: ById): Promise<Share> {
  const since = context.clock.now().getTime() - DELETE_GRACE_MS;
  await context.db.transaction(async (tx) => {
    const row = await findShareForUpdate(tx, signedIn(actor).userId, id);
    if (!row || (row.revokedAt && row.revokedAt.getTime() <= since)) throw new ApiError('shareNotFound');
    await updateShare(tx, id, { revokedAt: null });
  });
  return getShare(context, actor, id);
}

/** Deletes links whose revocation can no longer be undone. */
export async function purgeShares({ db, clock }: Context): Promise<void> {
  await deleteSharesRevokedBefore(db, new Date(clock.now().getTime() - DELETE_GRACE_MS));
}

/** Returns the columns to change. @throws ApiError `shareEndPassed` */
function readSettings({ expires_at, download }: Settings, now: Date): { expiresAt?: Date | null; download?: boolean } {
  const expiresAt = typeof expires_at === 'string' ? new Date(expires_at) : expires_at;
  if (expiresAt && expiresAt <= now) throw new ApiError('shareEndPassed');
  return { ...(expiresAt !== undefined && { expiresAt }), ...(download !== undefined && { download }) };
}

async function change(tx: Tx, id: string, changes: ReturnType<typeof readSettings>): Promise<void> {
  if (Object.keys(changes).length > 0) await updateShare(tx, id, changes);
}

async function getShare(context: Context, actor: Actor, id: string): Promise<Share> {
  const view = await findShareView(context.db, signedIn(actor).userId, id);
  // Revoked or deleted by a concurrent request.
  if (!view) throw new ApiError('shareNotFound');
  return present(context, view);
}

function present(context: Context, { share, media, coverKey }: ShareView): Share {
  return {
    id: share.id,
    media_id: media.id,
    name: media.name,
    cover: assetUrl(media.id, 'cover', coverKey),
    media_type: media.mediaType as Share['media_type'],
    size: shownSize(media),
    ...addressesOf(context, share.id),
    created_at: share.createdAt.toISOString(),
    expires_at: share.expiresAt?.toISOString() ?? null,
    expired: share.expiresAt !== null && share.expiresAt <= context.clock.now(),
    download: share.download,
    views: share.views,
  };
}
