import { and, eq, gt, inArray, isNull, not, or, type SQL } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { plans, subscriptions } from '../../platform/db/schema.ts';

/**
 * Whether the current subscription counts at this time. One that renews counts until its payment has failed, which
 * suspends it: nobody loses anything while a charge is under way.
 */
export function isCurrent(now: Date): SQL | undefined {
  return and(
    eq(subscriptions.state, 'active'),
    or(
      isNull(subscriptions.paidUntil),
      gt(subscriptions.paidUntil, now),
      and(subscriptions.renews, not(subscriptions.cancelAtEnd)),
    ),
  );
}

/** Returns the plan of a member, archived ones included; undefined without one. */
export async function findCurrentPlan(
  db: Queries,
  userId: string,
  now: Date,
): Promise<typeof plans.$inferSelect | undefined> {
  return (await findCurrentPlans(db, [userId], now)).get(userId);
}

/** Returns the plans of several members, by id of the member. */
export async function findCurrentPlans(
  db: Queries,
  userIds: readonly string[],
  now: Date,
): Promise<Map<string, typeof plans.$inferSelect>> {
  const rows = await db
    .select({ userId: subscriptions.userId, plan: plans })
    .from(subscriptions)
    .innerJoin(plans, eq(plans.id, subscriptions.planId))
    .where(and(inArray(subscriptions.userId, [...userIds]), eq(subscriptions.kind, 'plan'), isCurrent(now)));
  return new Map(rows.map(({ userId, plan }) => [userId, plan]));
}
