import type { Localized } from '@framelift/contract';
import { and, eq, gte, inArray, lt, type SQL } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { offers, orders, payments, products } from '../../platform/db/schema.ts';
import { afterPosition, newestFirst, type PageRequest } from '../../platform/paging.ts';

export type OrderRow = typeof orders.$inferSelect;

export interface OrderFilter {
  readonly types: readonly number[];
  /** Half-open interval; null is all time. */
  readonly span: { readonly from: Date; readonly to: Date } | null;
}

function matching(ownerId: string, { types, span }: OrderFilter): SQL | undefined {
  return and(
    eq(orders.ownerId, ownerId),
    inArray(orders.type, [...types]),
    span ? and(gte(orders.createdAt, span.from), lt(orders.createdAt, span.to)) : undefined,
  );
}

/** Returns a page, newest first, starting after `after` [A97]. */
export function listOrderRows(
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

/** Returns all orders of one owner, newest first. */
export function exportOrders(db: Queries, ownerId: string) {
  const { id, type, name, costs, currency, createdAt } = orders;
  return db
    .select({ id, type, name, costs, currency, createdAt })
    .from(orders)
    .where(eq(orders.ownerId, ownerId))
    .orderBy(...newestFirst(createdAt, id));
}

/** What an order is paid with, and what it bought. */
export interface PurchaseRow {
  readonly paymentId: string;
  readonly state: (typeof payments.$inferSelect)['state'];
  readonly points: number | null;
  /** Of the product: its album may have a working title. */
  readonly productName: Localized | null;
}

/** Returns the purchases of orders by the ids of the orders. */
export async function listPurchases(db: Queries, orderIds: readonly string[]): Promise<Map<string, PurchaseRow>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .select({
      orderId: payments.orderId,
      paymentId: payments.id,
      state: payments.state,
      points: offers.points,
      productName: products.name,
    })
    .from(payments)
    .innerJoin(offers, eq(offers.id, payments.offerId))
    .leftJoin(products, eq(products.id, offers.productId))
    .where(inArray(payments.orderId, [...orderIds]));
  return new Map(rows.flatMap(({ orderId, ...row }) => (orderId === null ? [] : [[orderId, row] as const])));
}
