import { LIMITS } from '@framelift/contract';
import { and, desc, eq, exists, gt, inArray, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { albumMedia, albums, media, offers, plans, products, stores } from '../../platform/db/schema.ts';
import { afterPlace, inOrder, type PageRequest, type Place } from '../../platform/paging.ts';
import { type AssetKeys, assetKeysColumn } from '../media/asset.sql.ts';

export type StoreRow = typeof stores.$inferSelect;
export type ProductRow = typeof products.$inferSelect;

export interface ProductView {
  readonly product: ProductRow;
  readonly store: StoreRow;
}

/** A media of a product, with the number of all in its album. */
export interface ContentRow {
  readonly albumId: string;
  readonly quantity: number;
  readonly media: Pick<typeof media.$inferSelect, 'id' | 'mediaType'>;
  readonly keys: AssetKeys;
}

export function listStoreRows(db: Queries, { after, limit }: PageRequest<Place>): Promise<StoreRow[]> {
  return db
    .select()
    .from(stores)
    .where(and(eq(stores.isActive, true), afterPlace(after, stores.position, stores.id)))
    .orderBy(...inOrder(stores.position, stores.id))
    .limit(limit);
}

export async function findStore(db: Queries, id: number): Promise<StoreRow | undefined> {
  const [row] = await db.select().from(stores).where(eq(stores.id, id));
  return row;
}

/** The media of the current row is ready to be seen. */
const isReady = and(isNull(media.deletedAt), isNull(media.copyOf), isNotNull(media.resultRevision));

/** Products that everybody sees: activated ones of active stores, with something to see in their album. */
const isOnShow = (db: Queries) =>
  and(
    eq(products.isActivated, true),
    eq(stores.isActive, true),
    exists(
      db
        .select({ one: sql`1` })
        .from(albumMedia)
        .innerJoin(albums, eq(albums.id, albumMedia.albumId))
        .innerJoin(media, eq(media.id, albumMedia.mediaId))
        .where(and(eq(albumMedia.albumId, products.albumId), isNull(albums.deletedAt), isReady)),
    ),
  );

/** Returns a page of the products on show, of one store or of all. */
export function listProductViews(
  db: Queries,
  storeId: number | null,
  { after, limit }: PageRequest<Place>,
): Promise<ProductView[]> {
  const ofStore = storeId === null ? undefined : eq(products.storeId, storeId);
  return db
    .select({ product: products, store: stores })
    .from(products)
    .innerJoin(stores, eq(stores.id, products.storeId))
    .where(and(isOnShow(db), ofStore, afterPlace(after, products.position, products.id)))
    .orderBy(...inOrder(products.position, products.id))
    .limit(limit);
}

/** Returns a product whether or not it is on show. */
export async function findProductView(
  db: Queries,
  id: number,
): Promise<(ProductView & { readonly isOnShow: boolean }) | undefined> {
  const [row] = await db
    .select({ product: products, store: stores, isOnShow: sql<boolean>`coalesce(${isOnShow(db)}, false)` })
    .from(products)
    .innerJoin(stores, eq(stores.id, products.storeId))
    .where(eq(products.id, id));
  return row;
}

/**
 * Returns what lies in albums: the chosen cover first, then the newest. At most as many of each as a product shows.
 */
export async function listContents(db: Queries, albumIds: readonly string[]): Promise<ContentRow[]> {
  if (albumIds.length === 0) return [];
  const order = [
    desc(sql`${media.id} is not distinct from ${albums.coverMediaId}`),
    desc(media.createdAt),
    desc(media.id),
  ];
  const ranked = db
    .select({
      albumId: sql<string>`${albumMedia.albumId}`.as('album'),
      mediaId: sql<string>`${media.id}`.as('ranked_id'),
      rank: sql<number>`row_number() over (partition by ${albumMedia.albumId} order by ${sql.join(order, sql`, `)})`.as(
        'rank',
      ),
      quantity: sql<number>`count(*) over (partition by ${albumMedia.albumId})`.mapWith(Number).as('quantity'),
    })
    .from(albumMedia)
    .innerJoin(albums, eq(albums.id, albumMedia.albumId))
    .innerJoin(media, eq(media.id, albumMedia.mediaId))
    .where(and(inArray(albumMedia.albumId, [...albumIds]), isNull(albums.deletedAt), isReady))
    .as('ranked');
  return db
    .select({
      albumId: ranked.albumId,
      quantity: ranked.quantity,
      media: { id: media.id, mediaType: media.mediaType },
      keys: assetKeysColumn(),
    })
    .from(ranked)
    .innerJoin(media, eq(media.id, ranked.mediaId))
    .where(lte(ranked.rank, LIMITS.shop.shownMedia))
    .orderBy(ranked.albumId, ranked.rank);
}

/** Returns whether a media that is ready lies in an album. */
export async function isContent(db: Queries, albumId: string, mediaId: string): Promise<boolean> {
  const rows = await db
    .select({ id: media.id })
    .from(albumMedia)
    .innerJoin(albums, eq(albums.id, albumMedia.albumId))
    .innerJoin(media, eq(media.id, albumMedia.mediaId))
    .where(and(eq(albumMedia.albumId, albumId), eq(media.id, mediaId), isNull(albums.deletedAt), isReady));
  return rows.length > 0;
}

/** An offer with what it is of. */
export interface OfferView {
  readonly offer: typeof offers.$inferSelect;
  readonly product: ProductRow | null;
  readonly plan: typeof plans.$inferSelect | null;
}

/** Offers that are for sale: of products on show, and of plans and packs that were not archived. */
function forSale(db: Queries, where: SQL | undefined) {
  return db
    .select({ offer: offers, product: products, plan: plans })
    .from(offers)
    .leftJoin(products, eq(products.id, offers.productId))
    .leftJoin(stores, eq(stores.id, products.storeId))
    .leftJoin(plans, eq(plans.id, offers.planId))
    .where(
      and(
        isNull(offers.archivedAt),
        or(
          eq(offers.kind, 'points'),
          and(eq(offers.kind, 'plan'), isNull(plans.archivedAt)),
          and(eq(offers.kind, 'product'), isOnShow(db)),
        ),
        where,
      ),
    )
    .$dynamic();
}

/** Which offers are listed: of one kind and one product, or all that cost something. */
export interface OfferFilter {
  readonly kind: OfferView['offer']['kind'] | null;
  readonly productId?: number | undefined;
}

/** Returns a page of the offers for sale. */
export function listOffersForSale(
  db: Queries,
  { kind, productId }: OfferFilter,
  { after, limit }: PageRequest<Place>,
): Promise<OfferView[]> {
  const where = and(
    kind === null ? gt(offers.priceUsd, 0) : eq(offers.kind, kind),
    productId === undefined ? undefined : eq(offers.productId, productId),
    afterPlace(after, offers.position, offers.id),
  );
  return forSale(db, where)
    .orderBy(...inOrder(offers.position, offers.id))
    .limit(limit);
}

/**
 * Returns an offer that can be bought now: for sale, for more than nothing, and of a product that is not free. Undefined
 * for any other id.
 */
export async function findOfferForSale(db: Queries, id: number): Promise<OfferView | undefined> {
  const where = and(eq(offers.id, id), gt(offers.priceUsd, 0), or(isNull(products.id), eq(products.hasFree, false)));
  const [view] = await forSale(db, where);
  return view;
}
