import { type Album, ApiError, type api, type InputOf, LIMITS, type Media, type OutputOf } from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { type Page, paged } from '../../platform/paging.ts';
import { assetUrl } from '../media/deliver/asset-url.ts';
import { DELETE_GRACE_MS } from '../media/lifecycle/lifecycle.ts';
import { filterOwnMedia, findMediaForUpdate, lockOwner } from '../media/media.sql.ts';
import { listMedia, type MediaScope, summarizeMedia } from '../media/media.ts';
import type { Destined } from '../media/upload/destination.ts';
import { isAlbumInProduct, productsByAlbum } from '../membership/entitlement.sql.ts';
import { presentOfProduct } from '../membership/of-product.ts';
import { notifyOfUpload } from '../notification/notify.ts';
import { getFeatures } from '../site/features.ts';
import {
  type AlbumView,
  countAlbums,
  deleteAlbumMedia,
  deleteAlbumsBefore,
  findAlbum,
  findAlbumForUpdate,
  insertAlbum,
  insertAlbumMedia,
  isAlbumMedia,
  isInAlbum,
  isOnFrameOfFriend,
  listAlbumViews,
  updateAlbum,
} from './album.sql.ts';

interface ById {
  readonly id: string;
}

/** Returns a page of the caller's albums and those of their products, newest first. @throws ApiError `invalidInput` for an invalid cursor */
export async function listAlbums(
  context: Context,
  actor: Actor,
  { page }: InputOf<typeof api.albums>,
): Promise<Page<Album>> {
  const { userId } = signedIn(actor);
  const now = context.clock.now();
  return paged({
    cursor: page,
    read: (request) => listAlbumViews(context.db, userId, now, request),
    positionOf: ({ album }) => album,
    present: (views) => present(context, actor, views),
  });
}

/**
 * Returns a page of the media in an album that the caller may look at, newest first.
 * @throws ApiError `invalidInput` for an invalid cursor; `albumNotFound`
 */
export async function listAlbumMedia(
  context: Context,
  actor: Actor,
  { album, ...input }: InputOf<typeof api.videos> & { readonly album: string },
): Promise<Page<Media>> {
  return listMedia(context, actor, input, await scopeOf(context, actor, album));
}

/** Like `summarizeMedia`, for an album that the caller may look at. @throws ApiError `albumNotFound` */
export async function summarizeAlbumMedia(
  context: Context,
  actor: Actor,
  { album, ...input }: InputOf<typeof api.videosSummary> & { readonly album: string },
): Promise<OutputOf<typeof api.videosSummary>> {
  return summarizeMedia(context, actor, input, await scopeOf(context, actor, album));
}

/** @throws ApiError `albumNotFound` */
export async function getAlbum(context: Context, actor: Actor, { id }: ById): Promise<Album> {
  const [album] = await present(context, actor, [await getShownAlbum(context, actor, id)]);
  if (!album) throw new Error('One album was presented as none');
  return album;
}

/** @throws ApiError `tooManyAlbums` */
export async function createAlbum(
  context: Context,
  actor: Actor,
  { name }: InputOf<typeof api.albumCreate>,
): Promise<Album> {
  const { userId } = signedIn(actor);
  const id = context.ids.uuid();
  await context.db.transaction(async (tx) => {
    await refuseTooMany(tx, userId);
    await insertAlbum(tx, { id, ownerId: userId, name, createdAt: context.clock.now() });
  });
  return getAlbum(context, actor, { id });
}

/**
 * Renames an album, adds or removes media, or chooses its cover.
 * @throws ApiError `albumNotFound`; `mediaNotFound` if one of the media to add is missing, and then nothing changes, or
 *   if the cover is not in the album; `friendPicturesClosed` for media that a friend's frame would show
 */
export async function editAlbum(
  context: Context,
  actor: Actor,
  input: InputOf<typeof api.editToAlbum>,
): Promise<Album> {
  const { userId } = signedIn(actor);
  // Before the transaction, which holds a connection while the switches are read on another.
  const sendsToFriends = (await getFeatures(context)).friendPictures === 'on';
  await context.db.transaction(async (tx) => {
    const row = await findAlbumForUpdate(tx, userId, input.id);
    if (!row || row.deletedAt) throw new ApiError('albumNotFound');
    const { id } = row;
    if (input.editType === 'rename') return updateAlbum(tx, id, { name: input.name });
    if (input.editType === 'cover') {
      const { media_id: coverMediaId } = input;
      if (coverMediaId !== null && !(await isAlbumMedia(tx, id, coverMediaId))) throw new ApiError('mediaNotFound');
      return updateAlbum(tx, id, { coverMediaId });
    }
    const ids = [...new Set(input.media_ids)];
    if (input.editType === 'delete') return deleteAlbumMedia(tx, id, ids);
    const own = await filterOwnMedia(tx, userId, ids);
    if (own.length < ids.length) throw new ApiError('mediaNotFound');
    if (!sendsToFriends && (await isOnFrameOfFriend(tx, id))) throw new ApiError('friendPicturesClosed');
    await insertAlbumMedia(tx, id, ids);
  });
  return getAlbum(context, actor, input);
}

/** Adds an upload to the album that it was made for, or tells its owner why not. */
export async function fillAlbum(context: Context, { mediaId, destination }: Destined): Promise<void> {
  const sendsToFriends = (await getFeatures(context)).friendPictures === 'on';
  await context.db.transaction(async (tx) => {
    // The owner is read now: a guest may have become a member meanwhile.
    const media = await findMediaForUpdate(tx, mediaId);
    const album = media && (await findAlbumForUpdate(tx, media.ownerId, destination));
    // None of theirs, or a frame, which has a job of its own.
    if (!album) return;
    const isClosed = !sendsToFriends && (await isOnFrameOfFriend(tx, destination));
    const failure = album.deletedAt ? 'albumNotFound' : isClosed ? 'friendPicturesClosed' : null;
    if (failure === null) await insertAlbumMedia(tx, destination, [mediaId]);
    else await notifyOfUpload(context, tx, 'uploadNotInAlbum', { ownerId: media.ownerId, name: album.name, failure });
  });
}

/**
 * Deletes an album but not its media. A repeated request succeeds as well.
 * @throws ApiError `albumNotFound`; `albumInProduct` for what members may have paid for
 */
export async function deleteAlbum(context: Context, actor: Actor, { id }: ById): Promise<ById> {
  await context.db.transaction(async (tx) => {
    const row = await findAlbumForUpdate(tx, signedIn(actor).userId, id);
    if (!row) throw new ApiError('albumNotFound');
    if (await isAlbumInProduct(tx, id)) throw new ApiError('albumInProduct');
    if (!row.deletedAt) await updateAlbum(tx, id, { deletedAt: context.clock.now() });
  });
  return { id };
}

/** Undoes deleteAlbum within its grace period. @throws ApiError `albumNotFound`, `tooManyAlbums` */
export async function restoreAlbum(context: Context, actor: Actor, { id }: ById): Promise<Album> {
  const { userId } = signedIn(actor);
  await context.db.transaction(async (tx) => {
    const row = await findAlbumForUpdate(tx, userId, id);
    if (!row || (row.deletedAt && row.deletedAt <= endOfGrace(context))) throw new ApiError('albumNotFound');
    if (!row.deletedAt) return;
    await refuseTooMany(tx, userId);
    await updateAlbum(tx, id, { deletedAt: null });
  });
  return getAlbum(context, actor, { id });
}

/** Purges the albums whose grace period is over. */
export async function purgeAlbums(context: Context): Promise<void> {
  await deleteAlbumsBefore(context.db, endOfGrace(context));
}

const endOfGrace = ({ clock }: Context) => new Date(clock.now().getTime() - DELETE_GRACE_MS);

/**
 * Returns an album of the caller, or of a product that they have. Any other, an unknown and a deleted one cause the same
 * error.
 * @throws ApiError `albumNotFound`
 */
async function getShownAlbum({ db, clock }: Context, actor: Actor, id: string): Promise<AlbumView> {
  const view = await findAlbum(db, signedIn(actor).userId, clock.now(), id);
  if (!view) throw new ApiError('albumNotFound');
  return view;
}

async function scopeOf(context: Context, actor: Actor, id: string): Promise<MediaScope> {
  const { ownerId } = (await getShownAlbum(context, actor, id)).album;
  return { ownerId, where: isInAlbum(context.db, id, ownerId !== actor.userId) };
}

async function refuseTooMany(tx: Tx, userId: string): Promise<void> {
  await lockOwner(tx, userId);
  if ((await countAlbums(tx, userId)) >= LIMITS.albums.count) throw new ApiError('tooManyAlbums');
}

async function present({ db, clock }: Context, actor: Actor, views: readonly AlbumView[]): Promise<Album[]> {
  const { userId } = signedIn(actor);
  const isForeign = views.some(({ album }) => album.ownerId !== userId);
  const products = isForeign ? await productsByAlbum(db, userId, clock.now()) : new Map<string, never>();
  return views.map(({ album, quantity, cover }) => {
    const found = album.ownerId === userId ? undefined : products.get(album.id);
    const product = found && presentOfProduct(found, actor.language);
    return {
      id: album.id,
      name: product?.name ?? album.name,
      quantity,
      cover: cover && assetUrl(cover.mediaId, 'cover', cover.key),
      cover_media_id: cover?.mediaId === album.coverMediaId ? album.coverMediaId : null,
      date: album.createdAt.toISOString(),
      ...(product && { product }),
    };
  });
}
