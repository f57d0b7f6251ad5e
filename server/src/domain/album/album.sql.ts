import { and, count, desc, eq, inArray, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { albumMedia, albums, frameItems, media, mediaAssets } from '../../platform/db/schema.ts';
import { afterPosition, newestFirst, type PageRequest } from '../../platform/paging.ts';
import { isAlbumOfProductOf } from '../membership/entitlement.sql.ts';

export type AlbumRow = typeof albums.$inferSelect;

export interface AlbumView {
  readonly album: AlbumRow;
  readonly quantity: number;
  /** Cover of the chosen picture, or of the newest one that has one. */
  readonly cover: { readonly mediaId: string; readonly key: string } | null;
}

/**
 * Join condition for the media of the current album row; deleted ones are excluded until they are restored. In an album
 * of somebody else, which is that of a product, a member sees what was converted.
 */
const insideFor = (userId: string) =>
  and(
    eq(albumMedia.albumId, albums.id),
    isNull(media.deletedAt),
    or(eq(albums.ownerId, userId), isNotNull(media.resultRevision)),
  );

function views(db: Queries, userId: string, where: SQL | undefined) {
  const inside = insideFor(userId);
  const filled = db
    .select({ quantity: count().as('quantity') })
    .from(albumMedia)
    .innerJoin(media, eq(media.id, albumMedia.mediaId))
    .where(inside)
    .as('filled');
  const front = db
    .select({ mediaId: sql`${media.id}`.as('front_id'), key: sql`${mediaAssets.objectKey}`.as('front_key') })
    .from(albumMedia)
    .innerJoin(media, eq(media.id, albumMedia.mediaId))
    .innerJoin(mediaAssets, and(eq(mediaAssets.mediaId, media.id), eq(mediaAssets.role, 'cover')))
    .where(inside)
    .orderBy(desc(sql`${media.id} is not distinct from ${albums.coverMediaId}`), desc(media.createdAt), desc(media.id))
    .limit(1)
    .as('front');
  return db
    .select({
      album: albums,
      quantity: sql<number>`${filled.quantity}`.mapWith(Number),
      frontId: sql<string | null>`${front.mediaId}`,
      frontKey: sql<string | null>`${front.key}`,
    })
    .from(albums)
    .leftJoinLateral(filled, sql`true`)
    .leftJoinLateral(front, sql`true`)
    .where(where)
    .orderBy(...newestFirst(albums.createdAt, albums.id))
    .$dynamic();
}

type Row = Awaited<ReturnType<typeof views>>[number];
const viewOf = ({ album, quantity, frontId, frontKey }: Row): AlbumView => ({
  album,
  quantity,
  cover: frontId && frontKey ? { mediaId: frontId, key: frontKey } : null,
});

const living = (ownerId: string) => and(eq(albums.ownerId, ownerId), isNull(albums.deletedAt));

/** The albums of a member, and those of the products that they have. */
const shown = (db: Queries, userId: string, now: Date) =>
  and(isNull(albums.deletedAt), or(eq(albums.ownerId, userId), isAlbumOfProductOf(db, userId, now)));

/** Returns a page of the albums that a member may look at, newest first, starting after `after`. */
export async function listAlbumViews(
  db: Queries,
  userId: string,
  now: Date,
  { after, limit }: PageRequest,
): Promise<AlbumView[]> {
  const where = and(shown(db, userId, now), afterPosition(after, albums.createdAt, albums.id));
  return (await views(db, userId, where).limit(limit)).map(viewOf);
}

/** Returns an album that a member may look at. */
export async function findAlbum(db: Queries, userId: string, now: Date, id: string): Promise<AlbumView | undefined> {
  return (await views(db, userId, and(shown(db, userId, now), eq(albums.id, id)))).map(viewOf)[0];
}

/** Returns an album of this owner, even a deleted one, locked until the transaction ends. */
export async function findAlbumForUpdate(tx: Queries, ownerId: string, id: string): Promise<AlbumRow | undefined> {
  const [row] = await tx
    .select()
    .from(albums)
    .where(and(eq(albums.ownerId, ownerId), eq(albums.id, id)))
    .for('update');
  return row;
}

export function countAlbums(tx: Queries, ownerId: string): Promise<number> {
  return tx.$count(albums, living(ownerId));
}

export async function insertAlbum(tx: Queries, row: typeof albums.$inferInsert): Promise<void> {
  await tx.insert(albums).values(row);
}

export async function updateAlbum(tx: Queries, id: string, values: Partial<typeof albums.$inferInsert>): Promise<void> {
  await tx.update(albums).set(values).where(eq(albums.id, id));
}

export async function insertAlbumMedia(tx: Queries, albumId: string, ids: readonly string[]): Promise<void> {
  await tx
    .insert(albumMedia)
    .values(ids.map((mediaId) => ({ albumId, mediaId })))
    .onConflictDoNothing();
}

export async function deleteAlbumMedia(tx: Queries, albumId: string, ids: readonly string[]): Promise<void> {
  await tx.delete(albumMedia).where(and(eq(albumMedia.albumId, albumId), inArray(albumMedia.mediaId, [...ids])));
}

/** Returns whether a media is in an album and not deleted. */
export async function isAlbumMedia(tx: Queries, albumId: string, mediaId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: media.id })
    .from(albumMedia)
    .innerJoin(media, eq(media.id, albumMedia.mediaId))
    .where(and(eq(albumMedia.albumId, albumId), eq(albumMedia.mediaId, mediaId), isNull(media.deletedAt)));
  return rows.length > 0;
}

/** Returns a condition on media: those in this album. @param ready whether only what was converted */
export function isInAlbum(db: Queries, albumId: string, ready: boolean): SQL | undefined {
  const ids = db.select({ id: albumMedia.mediaId }).from(albumMedia).where(eq(albumMedia.albumId, albumId));
  return and(inArray(media.id, ids), ready ? isNotNull(media.resultRevision) : undefined);
}

export async function deleteAlbumsBefore(db: Queries, time: Date): Promise<void> {
  await db.delete(albums).where(lte(albums.deletedAt, time));
}

/** Returns all albums of one owner, deleted ones included, with the ids of their media. */
export function exportAlbums(db: Queries, ownerId: string) {
  return db
    .select({
      id: albums.id,
      name: albums.name,
      createdAt: albums.createdAt,
      deletedAt: albums.deletedAt,
      media: sql<
        string[]
      >`coalesce(array_agg(${albumMedia.mediaId}) filter (where ${albumMedia.mediaId} is not null), '{}')`,
    })
    .from(albums)
    .leftJoin(albumMedia, eq(albumMedia.albumId, albums.id))
    .where(eq(albums.ownerId, ownerId))
    .groupBy(albums.id)
    .orderBy(...newestFirst(albums.createdAt, albums.id));
}

/** Returns whether an album was sent to the frame of a friend, which shows what is added to it. */
export async function isOnFrameOfFriend(tx: Queries, albumId: string): Promise<boolean> {
  const sent = and(eq(frameItems.albumId, albumId), isNotNull(frameItems.friendshipId), isNull(frameItems.deletedAt));
  return (await tx.select({ id: frameItems.id }).from(frameItems).where(sent).limit(1)).length > 0;
}
