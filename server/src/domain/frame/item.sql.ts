import { LIMITS } from '@framelift/contract';
import { and, asc, desc, eq, exists, inArray, isNotNull, isNull, lt, max, or, type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import {
  albumMedia,
  albums,
  frameFiles,
  frameItems,
  frameSenders,
  frames,
  friendships,
  media,
  mediaAssets,
  users,
} from '../../platform/db/schema.ts';

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

/** Whether the media of the current row may play with the current item: it belongs to who added the item. */
const isShown = and(
  eq(media.ownerId, frameItems.addedById),
  eq(media.uploadState, 'stored'),
  isNull(media.deletedAt),
  isNull(media.copyOf),
);
/** Join conditions: albums that are not deleted, and the media of an item or of its album. */
const ownAlbum = and(
  eq(albums.id, frameItems.albumId),
  isNull(albums.deletedAt),
  eq(albums.ownerId, frameItems.addedById),
);
const itsMedia = sql`${media.id} = coalesce(${frameItems.mediaId}, ${albumMedia.mediaId})`;

/** The media of every item that plays: its own, or those of its album. */
const entries = (db: Queries, where: SQL | undefined) =>
  db
    .select({ item: frameItems, mediaId: media.id, addedBy: users.name })
    .from(frameItems)
    .innerJoin(frames, eq(frames.id, frameItems.frameId))
    .innerJoin(users, eq(users.id, frameItems.addedById))
    .leftJoin(albums, ownAlbum)
    .leftJoin(albumMedia, eq(albumMedia.albumId, albums.id))
    .innerJoin(media, itsMedia)
    .where(and(mayPlay(db), isShown, where))
    .$dynamic();

/** In the order in which a frame plays; an album as it is listed, newest first. */
const inOrder = [asc(frameItems.position), asc(frameItems.id), desc(media.createdAt), desc(media.id)];

/** Returns what a frame plays, in order, whether its files are ready or not. */
export function listEntries(db: Queries, frameId: string) {
  return entries(db, eq(frameItems.frameId, frameId))
    .orderBy(...inOrder)
    .limit(LIMITS.frames.playlist);
}
export type Entry = Awaited<ReturnType<typeof listEntries>>[number];

/** Returns whether an object is a file of a media, or of a copy of it, that a frame plays. */
export async function isPlayed(db: Queries, key: string, mediaId: string, frameId: string): Promise<boolean> {
  const [file] = await db
    .select({ played: sql<string>`coalesce(${media.copyOf}, ${media.id})` })
    .from(mediaAssets)
    .innerJoin(media, eq(media.id, mediaAssets.mediaId))
    .where(and(eq(mediaAssets.objectKey, key), eq(media.id, mediaId)))
    .limit(1);
  if (!file) return false;
  const isOpen = and(eq(frameItems.frameId, frameId), eq(media.id, file.played));
  return (await entries(db, isOpen).limit(1)).length > 0;
}

/** Returns the frames whose items show a media, or the media that it is a copy of. */
export async function listFramesOf(db: Queries, mediaId: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: frameItems.frameId })
    .from(frameItems)
    .leftJoin(albumMedia, eq(albumMedia.albumId, frameItems.albumId))
    .innerJoin(media, eq(media.id, mediaId))
    .where(
      and(living, sql`coalesce(${frameItems.mediaId}, ${albumMedia.mediaId}) = coalesce(${media.copyOf}, ${media.id})`),
    );
  return rows.map(({ id }) => id);
}

/** Returns a fingerprint per frame, which changes with everything that its playlist depends on. */
export async function frameFingerprints(db: Queries, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const made = sql`(
    select string_agg(concat_ws(' ', file.object_key, made.status, file.role), ',' order by file.id)
    from ${media} made left join ${mediaAssets} file on file.media_id = made.id
    where made.id = ${media.id} or made.copy_of = ${media.id}
  )`;
  const parts = [frameItems.id, frameItems.fit, media.id, media.name, media.status, media.revision, users.name, made];
  const rows = await db
    .select({
      id: frameItems.frameId,
      hash: sql<string>`md5(string_agg(concat_ws('|', ${sql.join(parts, sql`, `)}), ',' order by ${sql.join(inOrder, sql`, `)}))`,
    })
    .from(frameItems)
    .innerJoin(frames, eq(frames.id, frameItems.frameId))
    .innerJoin(users, eq(users.id, frameItems.addedById))
    .leftJoin(albums, ownAlbum)
    .leftJoin(albumMedia, eq(albumMedia.albumId, albums.id))
    .innerJoin(media, itsMedia)
    .where(and(inArray(frameItems.frameId, [...ids]), mayPlay(db), isShown))
    .groupBy(frameItems.frameId);
  const hashes = new Map(rows.map(({ id, hash }) => [id, hash]));
  const own = await db
    .select({
      id: frames.id,
      hash: sql<string>`md5(concat_ws('|', ${frames.name}, ${users.name}, ${users.restrictedAt}, ${frames.options}, ${frames.deviceTypeId}, ${frames.calibration}))`,
    })
    .from(frames)
    .innerJoin(users, eq(users.id, frames.ownerId))
    .where(inArray(frames.id, [...ids]));
  return new Map(own.map(({ id, hash }) => [id, `${hash} ${hashes.get(id) ?? ''}`]));
}

/** Returns the items of a frame in order, those that do not play any more included; deleted ones excluded. */
export function listItemRows(tx: Queries, frameId: string): Promise<FrameItemRow[]> {
  return tx
    .select()
    .from(frameItems)
    .where(and(eq(frameItems.frameId, frameId), living))
    .orderBy(asc(frameItems.position), asc(frameItems.id));
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

/** Returns those ids that are albums of this owner and not deleted. */
export async function filterOwnAlbums(db: Queries, ownerId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ id: albums.id })
    .from(albums)
    .where(and(eq(albums.ownerId, ownerId), isNull(albums.deletedAt), inArray(albums.id, [...ids])));
  return rows.map(({ id }) => id);
}

/** Returns the names of albums that are not deleted. */
export async function albumNames(db: Queries, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: albums.id, name: albums.name })
    .from(albums)
    .where(and(isNull(albums.deletedAt), inArray(albums.id, [...ids])));
  return new Map(rows.map(({ id, name }) => [id, name]));
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
  and(eq(frameFiles.mediaId, mediaId), sql`${frameFiles.variant} = ${variant}`);

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
