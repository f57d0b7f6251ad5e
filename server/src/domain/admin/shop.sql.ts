import { LIMITS } from '@framelift/contract';
import { and, count, countDistinct, eq, gt, isNull, max, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Queries } from '../../platform/db/open.ts';
import { albumMedia, albums, media, offers, plans, products, stores, subscriptions } from '../../platform/db/schema.ts';
import { afterPlace, inOrder, type PageRequest, type Place } from '../../platform/paging.ts';
import { isCurrent } from '../user/current-plan.sql.ts';

export type OfferRow = typeof offers.$inferSelect;
type PlanRow = typeof plans.$inferSelect;

export function listManagedStoreRows(db: Queries, where?: SQL) {
  return db
    .select({ store: stores, products: count(products.id) })
    .from(stores)
    .leftJoin(products, eq(products.storeId, stores.id))
    .where(where)
    .groupBy(stores.id)
    .orderBy(...inOrder(stores.position, stores.id));
}

/** Returns a store, locked until the transaction ends. */
export async function findStoreForUpdate(tx: Queries, id: number) {
  const [row] = await tx.select().from(stores).where(eq(stores.id, id)).for('update');
  return row;
}

export async function insertStore(tx: Queries, values: typeof stores.$inferInsert): Promise<number> {
  return idOf(await tx.insert(stores).values(values).returning({ id: stores.id }));
}

export async function updateStore(tx: Queries, id: number, values: Partial<typeof stores.$inferInsert>): Promise<void> {
  await tx.update(stores).set(values).where(eq(stores.id, id));
}

/** How many members have the thing in the current row. */
function membersOf(db: Queries, column: PgColumn, thing: PgColumn, now: Date) {
  const having = db
    .select({ count: countDistinct(subscriptions.userId) })
    .from(subscriptions)
    .where(and(eq(column, thing), isCurrent(now)));
  return sql<number>`(${having})`.mapWith(Number);
}

function managedProducts(db: Queries, now: Date, where: SQL | undefined) {
  const inside = (ready: boolean) => {
    const isReady = sql`${media.resultRevision} is ${ready ? sql`not null` : sql`null`}`;
    const counted = db
      .select({ count: count() })
      .from(albumMedia)
      .innerJoin(media, eq(media.id, albumMedia.mediaId))
      .where(and(eq(albumMedia.albumId, products.albumId), isNull(media.deletedAt), isReady));
    return sql<number>`(${counted})`.mapWith(Number);
  };
  const forSale = db
    .select({ count: count() })
    .from(offers)
    .where(and(eq(offers.productId, products.id), isNull(offers.archivedAt)));
  return db
    .select({
      product: products,
      store: stores,
      album: albums,
      ready: inside(true),
      waiting: inside(false),
      offers: sql<number>`(${forSale})`.mapWith(Number),
      members: membersOf(db, subscriptions.productId, products.id, now),
    })
    .from(products)
    .innerJoin(stores, eq(stores.id, products.storeId))
    .leftJoin(albums, eq(albums.id, products.albumId))
    .where(where)
    .$dynamic();
}
export type ManagedProductRow = Awaited<ReturnType<typeof managedProducts>>[number];

/** Returns a page of the products of one store or of all, also those that are not on show. */
export function listManagedProductRows(
  db: Queries,
  now: Date,
  storeId: number | null,
  { after, limit }: PageRequest<Place>,
): Promise<ManagedProductRow[]> {
  const ofStore = storeId === null ? undefined : eq(products.storeId, storeId);
  return managedProducts(db, now, and(ofStore, afterPlace(after, products.position, products.id)))
    .orderBy(...inOrder(products.position, products.id))
    .limit(limit);
}

export async function findManagedProduct(db: Queries, now: Date, id: number): Promise<ManagedProductRow | undefined> {
  const [row] = await managedProducts(db, now, eq(products.id, id));
  return row;
}

/** Returns a product, locked until the transaction ends. */
export async function findProductForUpdate(tx: Queries, id: number) {
  const [row] = await tx.select().from(products).where(eq(products.id, id)).for('update');
  return row;
}

export async function insertProduct(tx: Queries, values: typeof products.$inferInsert): Promise<number> {
  return idOf(await tx.insert(products).values(values).returning({ id: products.id }));
}

export async function updateProduct(
  tx: Queries,
  id: number,
  values: Partial<typeof products.$inferInsert>,
): Promise<void> {
  await tx.update(products).set(values).where(eq(products.id, id));
}

/** Returns plans that bring something. */
export function listManagedPlanRows(db: Queries, now: Date, where?: SQL) {
  return db
    .select({ plan: plans, members: membersOf(db, subscriptions.planId, plans.id, now) })
    .from(plans)
    .where(and(gt(plans.id, LIMITS.planIds.nonMember), where))
    .orderBy(plans.id);
}

/** Returns a plan, locked until the transaction ends. */
export async function findPlanForUpdate(tx: Queries, id: number): Promise<PlanRow | undefined> {
  const [row] = await tx.select().from(plans).where(eq(plans.id, id)).for('update');
  return row;
}

/** Adds a plan under the next id. Called with the table locked. */
export async function insertPlan(tx: Queries, values: Omit<typeof plans.$inferInsert, 'id'>): Promise<number> {
  await tx.execute(sql`lock table ${plans} in share row exclusive mode`);
  const [last] = await tx.select({ id: max(plans.id) }).from(plans);
  const id = (last?.id ?? 0) + 1;
  await tx.insert(plans).values({ ...values, id });
  return id;
}

export async function updatePlan(tx: Queries, id: number, values: Partial<typeof plans.$inferInsert>): Promise<void> {
  await tx.update(plans).set(values).where(eq(plans.id, id));
}

/** Returns a page of offers, archived ones included, without the price of having no plan. */
export function listManagedOfferRows(
  db: Queries,
  where: SQL | undefined,
  { after, limit }: PageRequest<Place>,
): Promise<OfferRow[]> {
  return db
    .select()
    .from(offers)
    .where(and(sql`${offers.priceUsd} > 0`, where, afterPlace(after, offers.position, offers.id)))
    .orderBy(...inOrder(offers.position, offers.id))
    .limit(limit);
}

/** Returns an offer, locked until the transaction ends. */
export async function findOfferForUpdate(tx: Queries, id: number): Promise<OfferRow | undefined> {
  const [row] = await tx
    .select()
    .from(offers)
    .where(and(eq(offers.id, id), sql`${offers.priceUsd} > 0`))
    .for('update');
  return row;
}

export async function insertOffer(tx: Queries, values: typeof offers.$inferInsert): Promise<OfferRow> {
  return first(await tx.insert(offers).values(values).returning());
}

export async function updateOffer(
  tx: Queries,
  id: number,
  values: Partial<typeof offers.$inferInsert>,
): Promise<OfferRow> {
  return first(await tx.update(offers).set(values).where(eq(offers.id, id)).returning());
}

function first<T>([row]: readonly T[]): T {
  if (row === undefined) throw new Error('A write returned no row');
  return row;
}

const idOf = (rows: readonly { readonly id: number }[]): number => first(rows).id;
