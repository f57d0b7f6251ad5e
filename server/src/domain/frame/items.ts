import {
  ApiError,
  type api,
  type FrameItem,
  type InputOf,
  inLanguage,
  LIMITS,
  type OutputOf,
} from '@framelift/contract';
import { errorText } from '@framelift/texts/node';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Queries, Tx } from '../../platform/db/open.ts';
import { DAY_MS } from '../../platform/time.ts';
import { filterOwnMedia, filterShownMedia } from '../media/media.sql.ts';
import type { Destined } from '../media/upload/destination.ts';
import { notifyOfFrame, notifyOfUpload } from '../notification/notify.ts';
import { getFeatures } from '../site/features.ts';
import { findUser, userNames } from '../user/user.sql.ts';
import { type FrameRow, findFrameById, findFramesForUpdate } from './frame.sql.ts';
import { getOwnFrame } from './frames.ts';
import {
  albumNames,
  type FrameItemRow,
  filterAlbums,
  findItems,
  insertItems,
  lastPosition,
  listItemRows,
  listShownItems,
  renumber,
  updateItems,
} from './item.sql.ts';
import { type PlannedEntry, planFrame } from './plan.ts';
import { coverFor } from './playlist.ts';
import { enqueuePreparation } from './prepare.ts';
import { findSendingFriendship } from './sender.sql.ts';

/** How long a removal can be undone. */
export const RESTORE_MS = DAY_MS;

interface ById {
  readonly id: string;
}

/** A frame, and the friendship by which the caller may send to it: null for the owner. */
interface Access {
  readonly frame: FrameRow;
  readonly friendshipId: string | null;
}

/** Returns the items of a frame in order; to a friend their own ones. @throws ApiError `frameNotFound` */
export async function listItems(context: Context, actor: Actor, { id }: ById): Promise<FrameItem[]> {
  const { db } = context;
  const access = await accessTo(db, actor, await findFrameById(db, id));
  const now = context.clock.now();
  const rows = (await listShownItems(db, id, now)).filter((row) => isOpen(access, row));
  const { entries } = await planFrame(db, access.frame, now);
  const ofItem = new Map<string, PlannedEntry[]>();
  for (const one of entries) {
    const inside = ofItem.get(one.entry.item.id);
    if (inside) inside.push(one);
    else ofItem.set(one.entry.item.id, [one]);
  }
  const friends = rows.filter(({ friendshipId }) => friendshipId !== null).map(({ addedById }) => addedById);
  const senders = await userNames(db, [...new Set(friends)]);
  const names = await albumNames(db, access.frame, now);
  const items: FrameItem[] = [];
  for (const row of rows) {
    const inside = ofItem.get(row.id) ?? [];
    const album = names.get(row.id);
    // Beyond what a frame plays: as many are before it.
    if (row.albumId === null && inside.length === 0) continue;
    const albumName = album ? (album.product ? inLanguage(album.product, actor.language) : album.name) : null;
    const sender = row.friendshipId === null ? null : (senders.get(row.addedById) ?? '');
    items.push(await present(context, actor, access.frame, { row, inside, albumName, sender }));
  }
  return items;
}

interface ShownItem {
  readonly row: FrameItemRow;
  readonly inside: readonly PlannedEntry[];
  readonly albumName: string | null;
  /** Name of the friend who sent it. */
  readonly sender: string | null;
}

async function present(
  context: Context,
  actor: Actor,
  frame: FrameRow,
  { row, inside, albumName, sender }: ShownItem,
): Promise<FrameItem> {
  const states = inside.map(({ outcome }) => outcome);
  const failed = states.find((outcome) => outcome.state === 'failed');
  const isWaiting = states.some(({ state }) => state === 'waiting');
  const [first] = inside;
  return {
    id: row.id,
    kind: row.albumId === null ? 'media' : 'album',
    media_id: row.mediaId,
    album_id: row.albumId,
    name: albumName ?? first?.media.media.name ?? '',
    cover: first ? await coverOf(context, actor, frame, first) : null,
    sender,
    friend: row.friendshipId,
    state: failed ? 'failed' : isWaiting ? 'waiting' : 'ready',
    failure: failed ? { code: failed.code, message: errorText(failed.code, actor.language) } : null,
    fit: row.fit,
    added_at: row.createdAt.toISOString(),
    shown_at: row.shownAt?.toISOString() ?? null,
    quantity: row.albumId === null ? null : inside.length,
  };
}

/** Returns the cover for the caller, who is the owner of the frame or the friend who sent the picture. */
function coverOf(context: Context, actor: Actor, frame: FrameRow, entry: PlannedEntry): Promise<string | null> {
  return coverFor(context, { id: frame.id, ownerId: signedIn(actor).userId }, entry);
}

/**
 * Adds pictures, videos and albums of the caller to frames, at the end. Returns the item of each of them on each frame.
 * What belongs to a product that the caller has is shown on their own frames only.
 * @throws ApiError see the endpoint; then nothing changes
 */
export async function showOnFrame(
  context: Context,
  actor: Actor,
  input: InputOf<typeof api.showOnFrame>,
): Promise<OutputOf<typeof api.showOnFrame>> {
  const { db, changes, clock } = context;
  const { userId } = signedIn(actor);
  const [mediaIds, albumIds] = [[...new Set(input.media_ids)], [...new Set(input.album_ids)]];
  const ids = [...new Set(input.frames)];
  // Before the transaction, which holds a connection while the switches are read on another.
  const takesFromFriends = (await getFeatures(context)).friendPictures === 'on';
  const shown = await db.transaction(async (tx) => {
    const rows = new Map((await findFramesForUpdate(tx, ids)).map((row) => [row.id, row]));
    const now = ids.every((id) => rows.get(id)?.ownerId === userId) ? clock.now() : null;
    const media = now ? filterShownMedia(tx, userId, mediaIds, now) : filterOwnMedia(tx, userId, mediaIds);
    if ((await media).length < mediaIds.length) throw new ApiError('mediaNotFound');
    if ((await filterAlbums(tx, userId, albumIds, now)).length < albumIds.length) throw new ApiError('albumNotFound');
    const result: { frame: string; items: string[] }[] = [];
    for (const id of ids) {
      const access = await accessTo(tx, actor, rows.get(id));
      if (access.friendshipId !== null && !takesFromFriends) throw new ApiError('friendPicturesClosed');
      result.push({ frame: id, items: await addItems(context, tx, access, userId, { mediaIds, albumIds }) });
    }
    return result;
  });
  for (const id of ids) changes.changed(id);
  return shown;
}

/** Adds an upload to the frame that it was made for, or tells its owner that this is full. */
export async function showUpload(context: Context, { mediaId, destination }: Destined): Promise<void> {
  const { db, changes } = context;
  await db.transaction(async (tx) => {
    const [frame] = await findFramesForUpdate(tx, [destination]);
    const mediaIds = frame ? await filterOwnMedia(tx, frame.ownerId, [mediaId]) : [];
    if (!frame || mediaIds.length === 0) return;
    const { ownerId, name } = frame;
    try {
      await addItems(context, tx, { frame, friendshipId: null }, ownerId, { mediaIds, albumIds: [] });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await notifyOfUpload(context, tx, 'uploadNotOnFrame', { ownerId, name, failure: error.code });
    }
  });
  changes.changed(destination);
}

async function addItems(
  context: Context,
  tx: Tx,
  { frame, friendshipId }: Access,
  userId: string,
  { mediaIds, albumIds }: { readonly mediaIds: readonly string[]; readonly albumIds: readonly string[] },
): Promise<string[]> {
  const { ids, clock } = context;
  const rows = await listItemRows(tx, frame.id);
  const own = rows.filter(({ addedById }) => addedById === userId);
  const known = new Map(own.map((row) => [row.mediaId ?? row.albumId, row.id]));
  const last = await lastPosition(tx, frame.id);
  const wanted = [...mediaIds.map((id) => ({ id, mediaId: id })), ...albumIds.map((id) => ({ id, albumId: id }))];
  const fresh = wanted
    .filter(({ id }) => !known.has(id))
    .map(({ id, ...what }, index) => {
      const row = { ...what, id: ids.uuid(), frameId: frame.id, position: last + index + 1 };
      known.set(id, row.id);
      return { ...row, addedById: userId, friendshipId, createdAt: clock.now() };
    });
  const shown = await listShownItems(tx, frame.id, clock.now());
  const ofCaller = shown.filter(({ addedById }) => addedById === userId);
  refuseTooMany(shown.length + fresh.length, ofCaller.length + fresh.length, friendshipId);
  await insertItems(tx, fresh);
  await enqueuePreparation(context, tx, frame.id);
  if (friendshipId !== null && fresh.length > 0) {
    const sender = (await findUser(tx, userId))?.name ?? '';
    await notifyOfFrame(context, tx, 'frameReceived', { ownerId: frame.ownerId, name: frame.name, sender });
  }
  return wanted.map(({ id }) => known.get(id) ?? '');
}

/** @throws ApiError `frameFull` */
function refuseTooMany(count: number, own: number, friendshipId: string | null): void {
  const { items, itemsOfFriend } = LIMITS.frames;
  if (count > items || (friendshipId !== null && own > itemsOfFriend)) throw new ApiError('frameFull');
}

/** Moves an item before another one, or to the end. @throws ApiError `frameNotFound`, `frameItemNotFound` */
export async function moveItem(
  context: Context,
  actor: Actor,
  { id }: ById,
  { item, before }: InputOf<typeof api.moveFrameItem>,
): Promise<FrameItem[]> {
  await getOwnFrame(context.db, actor, id);
  await context.db.transaction(async (tx) => {
    if ((await findFramesForUpdate(tx, [id])).length === 0) throw new ApiError('frameNotFound');
    const rows = (await listItemRows(tx, id)).map((row) => row.id);
    const others = rows.filter((row) => row !== item);
    const at = before === null || before === item ? others.length : others.indexOf(before);
    if (others.length === rows.length || at < 0) throw new ApiError('frameItemNotFound');
    if (before !== item) await renumber(tx, id, others.toSpliced(at, 0, item));
  });
  context.changes.changed(id);
  return listItems(context, actor, { id });
}

/** Removes items; a repeated request succeeds as well. @throws ApiError `frameNotFound`, `frameItemNotFound` */
export async function removeItems(
  context: Context,
  actor: Actor,
  { id }: ById,
  input: InputOf<typeof api.removeFrameItems>,
): Promise<Record<string, never>> {
  await changeItems(context, actor, id, input.items, async (tx, rows) => {
    const living = rows.filter(({ deletedAt }) => deletedAt === null).map((row) => row.id);
    if (living.length > 0) await updateItems(tx, id, living, { deletedAt: context.clock.now() });
  });
  return {};
}

/**
 * Undoes a removal within a day. What was added again meanwhile stays as it is.
 * @throws ApiError `frameNotFound`, `frameItemNotFound`, `frameFull`
 */
export async function restoreItems(
  context: Context,
  actor: Actor,
  { id }: ById,
  input: InputOf<typeof api.restoreFrameItems>,
): Promise<Record<string, never>> {
  const since = context.clock.now().getTime() - RESTORE_MS;
  await changeItems(context, actor, id, input.items, async (tx, rows, { friendshipId }) => {
    if (rows.some(({ deletedAt }) => deletedAt && deletedAt.getTime() <= since))
      throw new ApiError('frameItemNotFound');
    const present = await listItemRows(tx, id);
    const keyOf = (row: FrameItemRow) => `${row.mediaId ?? row.albumId} ${row.addedById}`;
    const taken = new Set(present.map(keyOf));
    const back: string[] = [];
    for (const row of rows) {
      if (!row.deletedAt || taken.has(keyOf(row))) continue;
      taken.add(keyOf(row));
      back.push(row.id);
    }
    const shown = await listShownItems(tx, id, context.clock.now());
    const own = shown.filter((row) => row.friendshipId === friendshipId).length;
    refuseTooMany(shown.length + back.length, own + back.length, friendshipId);
    if (back.length > 0) await updateItems(tx, id, back, { deletedAt: null });
    await enqueuePreparation(context, tx, id);
  });
  return {};
}

/** @throws ApiError `frameNotFound`, `frameItemNotFound` */
export async function fitItem(
  context: Context,
  actor: Actor,
  { id }: ById,
  { item, fit }: InputOf<typeof api.fitFrameItem>,
): Promise<Record<string, never>> {
  await getOwnFrame(context.db, actor, id);
  await changeItems(context, actor, id, [item], (tx) => updateItems(tx, id, [item], { fit }));
  return {};
}

/** Tries again to make what failed, soon after. @throws ApiError `frameNotFound` */
export async function retryItems(context: Context, actor: Actor, { id }: ById): Promise<Record<string, never>> {
  await context.db.transaction(async (tx) => {
    await getOwnFrame(tx, actor, id);
    await enqueuePreparation(context, tx, id, true);
  });
  return {};
}

/** Runs `change` on items that the caller may change, with the frame locked. */
async function changeItems(
  context: Context,
  actor: Actor,
  id: string,
  items: readonly string[],
  change: (tx: Tx, rows: FrameItemRow[], access: Access) => Promise<void>,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const [frame] = await findFramesForUpdate(tx, [id]);
    const access = await accessTo(tx, actor, frame);
    const rows = await findItems(tx, id, items);
    if (rows.length < new Set(items).size || !rows.every((row) => isOpen(access, row)))
      throw new ApiError('frameItemNotFound');
    await change(tx, rows, access);
  });
  context.changes.changed(id);
}

/** The owner of a frame sees all of its items, a friend those that they sent. */
const isOpen = ({ friendshipId }: Access, row: FrameItemRow): boolean =>
  friendshipId === null || row.friendshipId === friendshipId;

/** @throws ApiError `frameNotFound` for a frame that is neither the caller's nor open to them */
async function accessTo(db: Queries, actor: Actor, frame: FrameRow | undefined): Promise<Access> {
  const { userId } = signedIn(actor);
  if (frame?.ownerId === userId) return { frame, friendshipId: null };
  const friendshipId = frame && (await findSendingFriendship(db, userId, frame));
  if (!friendshipId) throw new ApiError('frameNotFound');
  return { frame, friendshipId };
}
