import { and, eq, gte, inArray, isNotNull, lt, type SQL } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { media, orders } from '../../platform/db/schema.ts';
import { afterPosition, newestFirst, type PageRequest } from '../../platform/paging.ts';

export type OrderRow = typeof orders.$inferSelect;

export interface OrderFilter {
  readonly types: readonly number[];
  /** The first moment of the time asked for and the first after it; null is all time. */
  readonly span: { readonly from: Date; readonly to: Date } | null;
}

function matching(ownerId: string, { types, span }: OrderFilter): SQL | undefined {
  return and(
    eq(orders.ownerId, ownerId),
    inArray(orders.type, [...types]),
    span ? and(gte(orders.createdAt, span.from), lt(orders.createdAt, span.to)) : undefined,
  );
}

/** Newest first, those after `after` [A97]. */
export function listOrders(
  db: Queries,
  ownerId: string,
  { after, limit, ...filter }: OrderFilter & PageRequest,
): Promise<OrderRow[]> {
  const { createdAt, id } = orders;
  return db
    .select()
    .from(orders)
    .where(and(matching(ownerId, filter), afterPosition(after, createdAt, id)))
    .orderBy(...newestFirst(createdAt, id))
    .limit(limit);
}

export function countOrders(db: Queries, ownerId: string, filter: OrderFilter): Promise<number> {
  return db.$count(orders, matching(ownerId, filter));
}

export async function findOrder(db: Queries, ownerId: string, id: string): Promise<OrderRow | undefined> {
  const [row] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.ownerId, ownerId), eq(orders.id, id)));
  return row;
}

export async function insertOrder(tx: Queries, row: typeof orders.$inferInsert): Promise<void> {
  await tx.insert(orders).values(row);
}

/** Orders whose media is gone stay behind: they are nothing that the new owner could look at. */
export async function moveOrdersWithMedia(tx: Queries, fromId: string, toId: string): Promise<void> {
  const alive = tx.select({ id: media.orderId }).from(media).where(isNotNull(media.orderId));
  await tx
    .update(orders)
    .set({ ownerId: toId })
    .where(and(eq(orders.ownerId, fromId), inArray(orders.id, alive)));
}

/** Everything of one owner. */
export function exportOrders(db: Queries, ownerId: string) {
  const { id, type, name, costs, currency, createdAt } = orders;
  return db
    .select({ id, type, name, costs, currency, createdAt })
    .from(orders)
    .where(eq(orders.ownerId, ownerId))
    .orderBy(...newestFirst(createdAt, id));
}
