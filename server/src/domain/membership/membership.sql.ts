import { and, desc, eq, gt, inArray, isNull, lte, not, or, type SQL } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { type offers, plans, products, subscriptions } from '../../platform/db/schema.ts';
import { isCurrent } from '../user/current-plan.sql.ts';

export type SubscriptionRow = typeof subscriptions.$inferSelect;
export type OfferRow = typeof offers.$inferSelect;

/** A plan, or one product. */
export type Target = { readonly kind: 'plan' } | { readonly kind: 'product'; readonly productId: number };

const isLive = inArray(subscriptions.state, ['active', 'suspended']);

function ofTarget(userId: string, target: Target): SQL | undefined {
  const isTarget = target.kind === 'product' ? eq(subscriptions.productId, target.productId) : undefined;
  return and(eq(subscriptions.userId, userId), eq(subscriptions.kind, target.kind), isTarget, isLive);
}

/**
 * Returns the subscription of a member that has not ended. It may have run out a moment ago: see `isCurrent`. There is at
 * most one.
 */
export async function findLiveSubscription(
  db: Queries,
  userId: string,
  target: Target,
): Promise<SubscriptionRow | undefined> {
  const [row] = await db.select().from(subscriptions).where(ofTarget(userId, target));
  return row;
}

/** Returns those of these products that a member has at this time. */
export function listCurrentProducts(
  db: Queries,
  userId: string,
  productIds: readonly number[],
  now: Date,
): Promise<SubscriptionRow[]> {
  return db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), inArray(subscriptions.productId, [...productIds]), isCurrent(now)));
}

/** Returns whether a member has a product, or had it. */
export async function hasEverHad(db: Queries, userId: string, productId: number): Promise<boolean> {
  const isTheirs = and(eq(subscriptions.userId, userId), eq(subscriptions.productId, productId));
  return (await db.$count(subscriptions, isTheirs)) > 0;
}

/** Returns whether a member had a product for free that ended after this time. */
export async function hadFreeSince(db: Queries, userId: string, productId: number, since: Date): Promise<boolean> {
  const isTheirs = and(eq(subscriptions.userId, userId), eq(subscriptions.productId, productId));
  return (
    (await db.$count(subscriptions, and(isTheirs, isNull(subscriptions.offerId), gt(subscriptions.endedAt, since)))) > 0
  );
}

export async function findSubscription(db: Queries, id: string): Promise<SubscriptionRow | undefined> {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, id));
  return row;
}

export async function insertSubscription(
  tx: Queries,
  values: typeof subscriptions.$inferInsert,
): Promise<SubscriptionRow> {
  const [row] = await tx.insert(subscriptions).values(values).returning();
  if (!row) throw new Error('An insertion returned no row');
  return row;
}

export async function updateSubscription(
  tx: Queries,
  id: string,
  values: Partial<typeof subscriptions.$inferInsert>,
): Promise<SubscriptionRow> {
  const [row] = await tx.update(subscriptions).set(values).where(eq(subscriptions.id, id)).returning();
  if (!row) throw new Error(`The subscription ${id} is gone`);
  return row;
}

/** Returns subscriptions that ran out and will not be charged again, suspended ones that were cancelled among them. */
export function listRunOut(db: Queries, now: Date, limit: number): Promise<SubscriptionRow[]> {
  return db
    .select()
    .from(subscriptions)
    .where(and(isLive, lte(subscriptions.paidUntil, now), or(not(subscriptions.renews), subscriptions.cancelAtEnd)))
    .orderBy(subscriptions.paidUntil)
    .limit(limit);
}

/** Returns everything that a member has or had, newest first, without what the providers know of it. */
export function exportSubscriptions(db: Queries, userId: string) {
  return db
    .select({
      id: subscriptions.id,
      plan: plans.name,
      product: products.name,
      state: subscriptions.state,
      paidUntil: subscriptions.paidUntil,
      renews: subscriptions.renews,
      provider: subscriptions.provider,
      createdAt: subscriptions.createdAt,
      endedAt: subscriptions.endedAt,
    })
    .from(subscriptions)
    .leftJoin(plans, eq(plans.id, subscriptions.planId))
    .leftJoin(products, eq(products.id, subscriptions.productId))
    .where(eq(subscriptions.userId, userId))
    .orderBy(desc(subscriptions.createdAt), desc(subscriptions.id));
}
