import { and, eq, exists, inArray, isNotNull, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Queries } from '../../platform/db/open.ts';
import { albumMedia, albums, media, products, stores, subscriptions } from '../../platform/db/schema.ts';
import { isCurrent } from '../user/current-plan.sql.ts';

/** Albums of the products that a member has at this time. @param userId a value, or a column of the outer query */
function itsAlbums(db: Queries, userId: string | PgColumn, now: Date) {
  return db
    .select({ id: albums.id })
    .from(subscriptions)
    .innerJoin(products, eq(products.id, subscriptions.productId))
    .innerJoin(albums, eq(albums.id, products.albumId))
    .where(and(eq(subscriptions.userId, userId), isCurrent(now), isNull(albums.deletedAt)));
}

/** A condition on albums: those of products that the member has. They belong to an operator. */
export function isAlbumOfProductOf(db: Queries, userId: string | PgColumn, now: Date): SQL {
  return inArray(albums.id, itsAlbums(db, userId, now));
}

/** Whether a media lies in a product that the member has. */
export function liesInProductOf(db: Queries, mediaId: SQLWrapper, userId: string | PgColumn, now: Date): SQL {
  // By the albums in which the media lies: where the member is a column, `in` would read all that they have for each media.
  const inside = db
    .select({ one: sql`1` })
    .from(albumMedia)
    .where(and(eq(albumMedia.mediaId, mediaId), inArray(albumMedia.albumId, itsAlbums(db, userId, now))));
  return exists(inside);
}

/** A condition on media: what lies in the products that the member has, once it was converted. */
export function isMediaOfProductOf(db: Queries, userId: string | PgColumn, now: Date): SQL | undefined {
  return and(liesInProductOf(db, media.id, userId, now), isNotNull(media.resultRevision));
}

/** Returns the products that a member has, with their albums. @param mediaId only those in which it lies */
export function listProductsOf(db: Queries, userId: string, now: Date, mediaId?: string) {
  const withMedia = db
    .select({ id: albumMedia.albumId })
    .from(albumMedia)
    .where(mediaId === undefined ? undefined : eq(albumMedia.mediaId, mediaId));
  return db
    .select({ albumId: products.albumId, id: products.id, name: products.name, store: stores.name })
    .from(subscriptions)
    .innerJoin(products, eq(products.id, subscriptions.productId))
    .innerJoin(stores, eq(stores.id, products.storeId))
    .where(
      and(
        eq(subscriptions.userId, userId),
        isCurrent(now),
        isNotNull(products.albumId),
        mediaId === undefined ? undefined : inArray(products.albumId, withMedia),
      ),
    )
    .orderBy(products.id);
}
export type ProductOf = Awaited<ReturnType<typeof listProductsOf>>[number];

/** Returns the products that a member has by their albums. Of several with one album, the first. */
export async function productsByAlbum(db: Queries, userId: string, now: Date): Promise<Map<string, ProductOf>> {
  const products = new Map<string, ProductOf>();
  for (const row of await listProductsOf(db, userId, now))
    if (row.albumId !== null && !products.has(row.albumId)) products.set(row.albumId, row);
  return products;
}

/** Returns whether an album is the content of a product. */
export async function isAlbumInProduct(db: Queries, albumId: string): Promise<boolean> {
  return (await db.$count(products, eq(products.albumId, albumId))) > 0;
}

/** Returns whether one of these media lies in a product. */
export async function isMediaInProduct(db: Queries, mediaIds: readonly string[]): Promise<boolean> {
  const rows = await db
    .select({ id: products.id })
    .from(products)
    .innerJoin(albumMedia, eq(albumMedia.albumId, products.albumId))
    .where(inArray(albumMedia.mediaId, [...mediaIds]))
    .limit(1);
  return rows.length > 0;
}
