import { type Album, ApiError, type api, type InputOf, LIMITS } from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { type Page, paged } from '../../platform/paging.ts';
import { partAddress } from '../media/deliver/asset-url.ts';
import {
  type AlbumRow,
  type AlbumView,
  countAlbums,
  deleteAlbumsBefore,
  exportAlbums,
  insertAlbum,
  listAlbums,
  lockAlbum,
  ownMediaAmong,
  putMedia,
  takeMedia,
  updateAlbum,
} from './album.sql.ts';
import { getOwnAlbum } from './own-album.ts';

/** How long deleteAlbum can be undone, like deleteMedia. */
const GRACE_MS = 24 * 60 * 60_000;

interface ById {
  readonly id: string;
}

/** A page of the caller's albums, newest first. @throws ApiError `invalidInput` for a cursor not of ours */
export async function getAlbums(
  context: Context,
  actor: Actor,
  { page }: InputOf<typeof api.albums>,
): Promise<Page<Album>> {
  const { userId } = signedIn(actor);
  return paged({
    cursor: page,
    read: (request) => listAlbums(context.db, userId, request),
    positionOf: ({ album }) => album,
    present: (views) => views.map(present),
  });
}

/** @throws ApiError `albumNotFound` */
export async function getAlbum(context: Context, actor: Actor, { id }: ById): Promise<Album> {
  return present(await getOwnAlbum(context.db, actor, id));
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
 * Renames an album, or puts media in or takes them out.
 * @throws ApiError `albumNotFound`; `mediaNotFound` when one of those to put in is not there, and then nothing is done
 */
export async function editAlbum(
  context: Context,
  actor: Actor,
  input: InputOf<typeof api.editToAlbum>,
): Promise<Album> {
  const { userId } = signedIn(actor);
  await context.db.transaction(async (tx) => {
    const { id } = await locked(tx, userId, input.id);
    if (input.editType === 'rename') return updateAlbum(tx, id, { name: input.name });
    const ids = [...new Set(input.media_ids)];
    // What was deleted meanwhile is out of the album already.
    if (input.editType === 'delete') return takeMedia(tx, id, ids);
    const own = await ownMediaAmong(tx, userId, ids);
    if (own.length < ids.length) throw new ApiError('mediaNotFound');
    await putMedia(tx, id, ids);
  });
  return getAlbum(context, actor, input);
}

/** Deletes an album; its pictures stay. Asked twice, the second is a success as well. @throws ApiError `albumNotFound` */
export async function deleteAlbum(context: Context, actor: Actor, { id }: ById): Promise<ById> {
  await context.db.transaction(async (tx) => {
    const row = await lockAlbum(tx, signedIn(actor).userId, id);
    if (!row) throw new ApiError('albumNotFound');
    if (!row.deletedAt) await updateAlbum(tx, id, { deletedAt: context.clock.now() });
  });
  return { id };
}

/** Undoes deleteAlbum within its grace. @throws ApiError `albumNotFound`, `tooManyAlbums` */
export async function restoreAlbum(context: Context, actor: Actor, { id }: ById): Promise<Album> {
  const { userId } = signedIn(actor);
  await context.db.transaction(async (tx) => {
    const row = await lockAlbum(tx, userId, id);
    if (!row || (row.deletedAt && row.deletedAt <= endOfGrace(context))) throw new ApiError('albumNotFound');
    if (!row.deletedAt) return;
    await refuseTooMany(tx, userId);
    await updateAlbum(tx, id, { deletedAt: null });
  });
  return getAlbum(context, actor, { id });
}

/** Removes the albums whose grace is over. */
export async function purgeAlbums(context: Context): Promise<void> {
  await deleteAlbumsBefore(context.db, endOfGrace(context));
}

/** Everything that we keep of the caller's albums. */
export function albumsForExport(context: Context, actor: Actor): ReturnType<typeof exportAlbums> {
  return exportAlbums(context.db, signedIn(actor).userId);
}

const endOfGrace = ({ clock }: Context) => new Date(clock.now().getTime() - GRACE_MS);

async function locked(tx: Tx, userId: string, id: string): Promise<AlbumRow> {
  const row = await lockAlbum(tx, userId, id);
  if (!row || row.deletedAt) throw new ApiError('albumNotFound');
  return row;
}

async function refuseTooMany(tx: Tx, userId: string): Promise<void> {
  if ((await countAlbums(tx, userId)) >= LIMITS.albums.count) throw new ApiError('tooManyAlbums');
}

function present({ album, quantity, cover }: AlbumView): Album {
  return {
    id: album.id,
    name: album.name,
    quantity,
    cover: cover && partAddress(cover.mediaId, 'cover', cover.key),
    date: album.createdAt.toISOString(),
  };
}
