import { LIMITS, type Localized } from '@framelift/contract';
import {
  and,
  asc,
  eq,
  exists,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  max,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { alias, union } from 'drizzle-orm/pg-core';
import type { Queries } from '../../platform/db/open.ts';
import {
  albumMedia,
  albums,
  conversions,
  deviceTypes,
  frameFiles,
  frameItems,
  frameSenders,
  frames,
  friendships,
  media,
  mediaAssets,
  users,
} from '../../platform/db/schema.ts';
import { isEntitled, itemsShowing } from '../media/usage.sql.ts';
import { isAlbumOfProductOf, isMediaOfProductOf, productsByAlbum } from '../membership/entitlement.sql.ts';

export type FrameItemRow = typeof frameItems.$inferSelect;

const living = isNull(frameItems.deletedAt);

/** Whether the current item may play: its owner's, or of a friend who is still allowed to send. */
function mayPlay(db: Queries): SQL | undefined {
  const allowed = db
    .select({ one: sql`1` })
    .from(frameSenders)
    .innerJoin(friendships, eq(friendships.id, frameSenders.friendshipId))
    .where(
      and(
        eq(frameSenders.frameId, frameItems.frameId),
        eq(frameSenders.friendshipId, frameItems.friendshipId),
        isNotNull(friendships.confirmedAt),
      ),
    );
  return and(
    living,
    or(
      and(isNull(frameItems.friendshipId), eq(frameItems.addedById, frames.ownerId)),
      // What an account that is locked or about to be deleted has sent is not shown to others.
      and(exists(allowed), isNull(users.restrictedAt), isNull(users.deletionAt)),
    ),
  );
}

/** With `=`, the planner may look through all media of the owner for each picture of an album. */
const isOfAdder = sql`${media.ownerId} is not distinct from ${frameItems.addedById}`;
/** Whether the current item is of the owner of the frame. What they have of products plays on no frame of a friend. */
const isOfOwner = isNull(frameItems.friendshipId);
/**
 * Whether the media of the current row may play with the current item: it belongs to who added the item, or to a product
 * that the owner of the frame has at this time.
 */
const isShown = (db: Queries, now: Date) =>
  and(
    eq(media.uploadState, 'stored'),
    isNull(media.deletedAt),
    isNull(media.copyOf),
    or(isOfAdder, and(isOfOwner, isMediaOfProductOf(db, frameItems.addedById, now))),
  );
/** Join conditions: albums that are not deleted, and the media of an item or of its album. */
const itsAlbum = (db: Queries, now: Date) =>
  and(
    eq(albums.id, frameItems.albumId),
    isNull(albums.deletedAt),
    or(eq(albums.ownerId, frameItems.addedById), and(isOfOwner, isAlbumOfProductOf(db, frameItems.addedById, now))),
  );
const itsMedia = sql`${media.id} = coalesce(${frameItems.mediaId}, ${albumMedia.mediaId})`;

/** In the order in which a frame plays; an album as it is listed, newest first. */
const inOrder = sql`${frameItems.position}, ${frameItems.id}, ${media.createdAt} desc, ${media.id} desc`;

/** The media of every item that plays at this time, its own or those of its album, with their places in their frame. */
const entriesOf = (db: Queries, now: Date, where: SQL | undefined) =>
  db
    .select({
      frameId: frameItems.frameId,
      itemId: sql<string>`${frameItems.id}`.as('item_id'),
      mediaId: sql<string>`${media.id}`.as('shown_id'),
      addedBy: sql<string>`${users.name}`.as('added_by'),
      place: sql<number>`row_number() over (partition by ${frameItems.frameId} order by ${inOrder})`.as('place'),
    })
    .from(frameItems)
    .innerJoin(frames, eq(frames.id, frameItems.frameId))
    .innerJoin(users, eq(users.id, frameItems.addedById))
    .leftJoin(albums, itsAlbum(db, now))
    .leftJoin(albumMedia, eq(albumMedia.albumId, albums.id))
    .innerJoin(media, itsMedia)
    .where(and(mayPlay(db), isShown(db, now), where))
    .as('entries');

/** Returns what a frame plays, in order, whether its files are ready or not. */
export function listEntries(db: Queries, frameId: string, now: Date) {
  const entries = entriesOf(db, now, eq(frameItems.frameId, frameId));
  return db
    .select({ item: frameItems, mediaId: entries.mediaId, addedBy: entries.addedBy })
    .from(entries)
    .innerJoin(frameItems, eq(frameItems.id, entries.itemId))
    .where(lte(entries.place, LIMITS.frames.playlist))
    .orderBy(entries.place);
}
export type Entry = Awaited<ReturnType<typeof listEntries>>[number];

/** Returns whether an object is a file of a media, or of a copy of it, that a frame plays. */
export async function isPlayed(
  db: Queries,
  { key, mediaId, frameId }: { readonly key: string; readonly mediaId: string; readonly frameId: string },
  now: Date,
): Promise<boolean> {
  const [file] = await db
    .select({ played: sql<string>`coalesce(${media.copyOf}, ${media.id})` })
    .from(mediaAssets)
    .innerJoin(media, eq(media.id, mediaAssets.mediaId))
    .where(and(eq(mediaAssets.objectKey, key), eq(media.id, mediaId)))
    .limit(1);
  if (!file) return false;
  const isOpen = and(eq(frameItems.frameId, frameId), eq(media.id, file.played));
  return (
    (
      await db
        .select()
        .from(entriesOf(db, now, isOpen))
        .limit(1)
    ).length > 0
  );
}

/** Returns the frames whose items show a media, or the media that it is a copy of. */
export async function listFramesOf(db: Queries, mediaId: string): Promise<string[]> {
  const shown = sql`(select coalesce(${media.copyOf}, ${media.id}) from ${media} where ${media.id} = ${mediaId})`;
  const rows = await union(...itemsShowing(db, shown));
  return rows.map(({ frameId }) => frameId);
}

/** A row as text, with its nulls. */
const text = (...columns: SQLWrapper[]) => sql`row(${sql.join(columns, sql`, `)})::text`;
const DEVICE_PARTS = ['id', 'ratio', 'extendResolution', 'format', 'quilt', 'disparityBudget'] as const;
/** What a playlist depends on of a type of device. An operator can change it. */
const deviceParts = (device: { readonly [Part in (typeof DEVICE_PARTS)[number]]: SQLWrapper }) =>
  text(...DEVICE_PARTS.map((part) => device[part]));

/** What a playlist depends on of a media and its copies: their files, and what is being made or was not. */
function madeOf(mediaId: SQLWrapper): SQL {
  const made = alias(media, 'made');
  const device = alias(deviceTypes, 'device');
  const list = (row: SQL, order: SQLWrapper, from: SQL) =>
    sql`(select string_agg(${row}, ',' order by ${order}) from ${from})`;
  const files = list(
    text(mediaAssets.role, mediaAssets.variant, mediaAssets.objectKey),
    mediaAssets.id,
    sql`${mediaAssets} where ${mediaAssets.mediaId} = ${made.id}`,
  );
  const making = list(
    text(frameFiles.variant, frameFiles.failureCode),
    frameFiles.variant,
    sql`${frameFiles} where ${frameFiles.mediaId} = ${made.id}`,
  );
  const formats = list(
    text(conversions.format, conversions.state, conversions.failureCode),
    conversions.id,
    sql`${conversions} where ${conversions.mediaId} = ${made.id} and ${conversions.format} is not null`,
  );
  return list(
    text(made.id, made.status, made.copyKey, deviceParts(device), files, making, formats),
    made.id,
    sql`${media} made join ${deviceTypes} device on ${device.id} = ${made.deviceTypeId}
      where ${made.id} = ${mediaId} or ${made.copyOf} = ${mediaId}`,
  );
}

/** Returns a fingerprint per frame, which changes with everything that its playlist depends on. */
export async function frameFingerprints(db: Queries, ids: readonly string[], now: Date): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { name, options, calibration } = frames;
  const ofFrame = text(name, users.name, users.restrictedAt, options, calibration, deviceParts(deviceTypes));
  const own = await db
    .select({ id: frames.id, hash: sql<string>`md5(${ofFrame})` })
    .from(frames)
    .innerJoin(users, eq(users.id, frames.ownerId))
    .leftJoin(deviceTypes, eq(deviceTypes.id, frames.deviceTypeId))
    .where(inArray(frames.id, [...ids]));
  if (own.length === 0) return new Map();
  const entries = entriesOf(db, now, inArray(frameItems.frameId, [...ids]));
  const { mediaId, addedBy, place } = entries;
  const entry = text(frameItems.id, frameItems.fit, media.id, media.name, media.revision, addedBy, madeOf(mediaId));
  const rows = await db
    .select({
      frameId: entries.frameId,
      hash: sql<string>`md5(string_agg(${entry}, ',' order by ${place}))`,
    })
    .from(entries)
    .innerJoin(frameItems, eq(frameItems.id, entries.itemId))
    .innerJoin(media, eq(media.id, mediaId))
    .where(lte(place, LIMITS.frames.playlist))
    .groupBy(entries.frameId);
  const hashes = new Map(rows.map(({ frameId, hash }) => [frameId, hash]));
  return new Map(own.map(({ id, hash }) => [id, `${hash} ${hashes.get(id) ?? ''}`]));
}

/**
 * Whether a frame of the type of device that the copy in the current row is for shows its media. The owner of a copy is
 * that of its media.
 */
function isCopyPlayed(db: Queries, now: Date): SQL | undefined {
  const isOfType = exists(
    db
      .select({ one: sql`1` })
      .from(frames)
      .where(and(eq(frames.id, frameItems.frameId), eq(frames.deviceTypeId, media.deviceTypeId))),
  );
  const isShowing = and(isOfType, isEntitled(db, { mediaId: media.copyOf, ownerId: media.ownerId }, now));
  return or(...itemsShowing(db, media.copyOf, isShowing).map((items) => exists(items)));
}

/** A copy always has one, and what it records as its use is when a frame last played the copy. */
const isMark = eq(mediaAssets.role, 'original');

/** Records that frames play the copies that they play, unless that was recorded since `before`. */
export async function markPlayedCopies(db: Queries, now: Date, before: Date): Promise<void> {
  const played = db
    .select({ id: media.id })
    .from(media)
    .where(and(isNotNull(media.copyOf), isCopyPlayed(db, now)));
  await db
    .update(mediaAssets)
    .set({ usedAt: now })
    .where(and(isMark, lt(mediaAssets.usedAt, before), inArray(mediaAssets.mediaId, played)));
}

/** Returns copies that no frame plays, nor has played since `before`. */
export function listUnplayedCopies(
  db: Queries,
  now: Date,
  before: Date,
  limit: number,
): Promise<{ readonly id: string }[]> {
  const isKept = exists(
    db
      .select({ one: sql`1` })
      .from(mediaAssets)
      .where(and(eq(mediaAssets.mediaId, media.id), isMark, gte(mediaAssets.usedAt, before))),
  );
  return db
    .select({ id: media.id })
    .from(media)
    .where(and(isNotNull(media.copyOf), not(isKept), not(isCopyPlayed(db, now) ?? sql`false`)))
    .limit(limit);
}

/** Returns the items of a frame in order, those that do not play any more included; deleted ones excluded. */
export function listItemRows(tx: Queries, frameId: string): Promise<FrameItemRow[]> {
  return tx
    .select()
    .from(frameItems)
    .where(and(eq(frameItems.frameId, frameId), living))
    .orderBy(asc(frameItems.position), asc(frameItems.id));
}

/**
 * Returns those items of a frame that have something to show at this time. The others stay: what was deleted may be
 * restored, a product bought again, and a friend allowed to send again.
 */
export async function listShownItems(db: Queries, frameId: string, now: Date): Promise<FrameItemRow[]> {
  const rows = await db
    .select({ item: frameItems })
    .from(frameItems)
    .innerJoin(frames, eq(frames.id, frameItems.frameId))
    .innerJoin(users, eq(users.id, frameItems.addedById))
    .leftJoin(albums, itsAlbum(db, now))
    .leftJoin(media, eq(media.id, frameItems.mediaId))
    .where(and(eq(frameItems.frameId, frameId), mayPlay(db), or(isNotNull(albums.id), isShown(db, now))))
    .orderBy(asc(frameItems.position), asc(frameItems.id));
  return rows.map(({ item }) => item);
}

/** Returns items of a frame by id, deleted ones included. */
export function findItems(tx: Queries, frameId: string, ids: readonly string[]): Promise<FrameItemRow[]> {
  return tx
    .select()
    .from(frameItems)
    .where(and(eq(frameItems.frameId, frameId), inArray(frameItems.id, [...ids])));
}

export async function lastPosition(tx: Queries, frameId: string): Promise<number> {
  const [row] = await tx
    .select({ last: max(frameItems.position) })
    .from(frameItems)
    .where(eq(frameItems.frameId, frameId));
  return row?.last ?? 0;
}

export async function insertItems(tx: Queries, rows: (typeof frameItems.$inferInsert)[]): Promise<void> {
  if (rows.length > 0) await tx.insert(frameItems).values(rows);
}

export async function updateItems(
  tx: Queries,
  frameId: string,
  ids: readonly string[],
  values: Partial<typeof frameItems.$inferInsert>,
): Promise<void> {
  await tx
    .update(frameItems)
    .set(values)
    .where(and(eq(frameItems.frameId, frameId), inArray(frameItems.id, [...ids])));
}

/** Numbers items from 1 in this order. */
export async function renumber(tx: Queries, frameId: string, ids: readonly string[]): Promise<void> {
  const places = sql.join(
    ids.map((id, index) => sql`(${id}::uuid, ${index + 1}::int)`),
    sql`, `,
  );
  await tx.execute(sql`
    update ${frameItems} set position = place.position from (values ${places}) as place (id, position)
    where ${frameItems.id} = place.id and ${frameItems.frameId} = ${frameId}`);
}

/** Records when items were first shown. */
export async function markShown(db: Queries, frameId: string, ids: readonly string[], shownAt: Date): Promise<void> {
  await db
    .update(frameItems)
    .set({ shownAt })
    .where(and(eq(frameItems.frameId, frameId), inArray(frameItems.id, [...ids]), isNull(frameItems.shownAt)));
}

/** Deletes what a friend sent to a frame. */
export async function deleteItemsOfSender(tx: Queries, frameId: string, friendshipId: string): Promise<void> {
  await tx.delete(frameItems).where(and(eq(frameItems.frameId, frameId), eq(frameItems.friendshipId, friendshipId)));
}

export async function deleteItemsBefore(db: Queries, before: Date): Promise<void> {
  await db.delete(frameItems).where(lt(frameItems.deletedAt, before));
}

/** Returns those ids that are albums of a member and not deleted. @param now also those of products that they have then */
export async function filterAlbums(
  db: Queries,
  userId: string,
  ids: readonly string[],
  now: Date | null,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const isOwn = eq(albums.ownerId, userId);
  const isTheirs = now === null ? isOwn : or(isOwn, isAlbumOfProductOf(db, userId, now));
  const rows = await db
    .select({ id: albums.id })
    .from(albums)
    .where(and(isTheirs, isNull(albums.deletedAt), inArray(albums.id, [...ids])));
  return rows.map(({ id }) => id);
}

/** Returns the names of the albums that the items of a frame show, by item; that of a product bears the product's name. */
export async function albumNames(
  db: Queries,
  frame: { readonly id: string; readonly ownerId: string },
  now: Date,
): Promise<Map<string, { readonly name: string; readonly product: Localized | null }>> {
  const rows = await db
    .select({ item: frameItems.id, album: albums, addedById: frameItems.addedById })
    .from(frameItems)
    .innerJoin(albums, itsAlbum(db, now))
    .where(and(eq(frameItems.frameId, frame.id), living));
  const isForeign = ({ album, addedById }: (typeof rows)[number]) => album.ownerId !== addedById;
  // Products are shown on the frames of those who have them alone.
  const products = rows.some(isForeign) ? await productsByAlbum(db, frame.ownerId, now) : null;
  return new Map(
    rows.map((row) => {
      const product = isForeign(row) ? products?.get(row.album.id) : undefined;
      return [row.item, { name: row.album.name, product: product?.name ?? null }];
    }),
  );
}

/** Records that a file is being made. Returns false if it is already, or has failed. */
export async function insertFrameFile(tx: Queries, row: typeof frameFiles.$inferInsert): Promise<boolean> {
  const rows = await tx.insert(frameFiles).values(row).onConflictDoNothing().returning({ id: frameFiles.mediaId });
  return rows.length > 0;
}

export function listFrameFiles(db: Queries, mediaIds: readonly string[]) {
  return db
    .select()
    .from(frameFiles)
    .where(inArray(frameFiles.mediaId, [...mediaIds]));
}

const isFile = (mediaId: string, variant: string) =>
  and(eq(frameFiles.mediaId, mediaId), eq(frameFiles.variant, variant));

export async function deleteFrameFile(tx: Queries, mediaId: string, variant: string): Promise<void> {
  await tx.delete(frameFiles).where(isFile(mediaId, variant));
}

/** Forgets a failure; a file that is being made stays. */
export async function deleteFailedFrameFile(tx: Queries, mediaId: string, variant: string): Promise<void> {
  await tx.delete(frameFiles).where(and(isFile(mediaId, variant), isNotNull(frameFiles.failureCode)));
}

export async function failFrameFile(tx: Queries, mediaId: string, variant: string, failureCode: string): Promise<void> {
  await tx.update(frameFiles).set({ failureCode }).where(isFile(mediaId, variant));
}
