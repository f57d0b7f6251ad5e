import { and, count, desc, eq, inArray, isNotNull, isNull, lte, ne, type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { albumMedia, albums, media, users } from '../../platform/db/schema.ts';
import { afterPosition, newestFirst, type PageRequest } from '../../platform/paging.ts';

const MEDIA_DELETED = 3;

export type AlbumRow = typeof albums.$inferSelect;

export interface AlbumView {
  readonly album: AlbumRow;
  readonly quantity: number;
  /** Of the newest picture in it that has a cover. */
  readonly cover: { readonly mediaId: string; readonly key: string } | null;
}

/** What lies in the album of the row that is read: deleted pictures do not, and are back when they are restored. */
const inside = and(eq(albumMedia.albumId, albums.id), ne(media.status, MEDIA_DELETED));

function views(db: Queries, where: SQL | undefined) {
  const filled = db
    .select({ quantity: count().as('quantity') })
    .from(albumMedia)
    .innerJoin(media, eq(media.id, albumMedia.mediaId))
    .where(inside)
    .as('filled');
  const front = db
    .select({ mediaId: sql`${media.id}`.as('front_id'), key: sql`${media.coverKey}`.as('front_key') })
    .from(albumMedia)
    .innerJoin(media, eq(media.id, albumMedia.mediaId))
    .where(and(inside, isNotNull(media.coverKey)))
    .orderBy(desc(media.createdAt), desc(media.id))
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

/** Newest first, those after `after`. */
export async function listAlbums(db: Queries, ownerId: string, { after, limit }: PageRequest): Promise<AlbumView[]> {
  return (await views(db, and(living(ownerId), afterPosition(after, albums.createdAt, albums.id))).limit(limit)).map(
    viewOf,
  );
}

export async function findAlbum(db: Queries, ownerId: string, id: string): Promise<AlbumView | undefined> {
  return (await views(db, and(living(ownerId), eq(albums.id, id)))).map(viewOf)[0];
}

/** Deleted ones too, locked until the transaction ends. */
export async function lockAlbum(tx: Queries, ownerId: string, id: string): Promise<AlbumRow | undefined> {
  const [row] = await tx
    .select()
    .from(albums)
    .where(and(eq(albums.ownerId, ownerId), eq(albums.id, id)))
    .for('update');
  return row;
}

/** Locks the owner, so that counting and adding are one step. */
export async function countAlbums(tx: Queries, ownerId: string): Promise<number> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, ownerId)).for('no key update');
  return tx.$count(albums, living(ownerId));
}

export async function insertAlbum(tx: Queries, row: typeof albums.$inferInsert): Promise<void> {
  await tx.insert(albums).values(row);
}

export async function updateAlbum(tx: Queries, id: string, values: Partial<typeof albums.$inferInsert>): Promise<void> {
  await tx.update(albums).set(values).where(eq(albums.id, id));
}

/** Which of these are the owner's, uploaded and not deleted. */
export async function ownMediaAmong(tx: Queries, ownerId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .select({ id: media.id })
    .from(media)
    .where(
      and(
        eq(media.ownerId, ownerId),
        eq(media.uploadState, 'stored'),
        ne(media.status, MEDIA_DELETED),
        inArray(media.id, [...ids]),
      ),
    );
  return rows.map(({ id }) => id);
}

export async function putMedia(tx: Queries, albumId: string, ids: readonly string[]): Promise<void> {
  await tx
    .insert(albumMedia)
    .values(ids.map((mediaId) => ({ albumId, mediaId })))
    .onConflictDoNothing();
}

export async function takeMedia(tx: Queries, albumId: string, ids: readonly string[]): Promise<void> {
  await tx.delete(albumMedia).where(and(eq(albumMedia.albumId, albumId), inArray(albumMedia.mediaId, [...ids])));
}

export async function deleteAlbumsBefore(db: Queries, time: Date): Promise<void> {
  await db.delete(albums).where(lte(albums.deletedAt, time));
}

/** Everything of one owner, deleted ones and what lies in them included. */
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
