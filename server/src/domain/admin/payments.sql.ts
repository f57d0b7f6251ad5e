import type { Currency, ManagedPaymentFilter, ManagedSubscriptionFilter } from '@framelift/contract';
import { and, count, desc, eq, gte, inArray, isNotNull, isNull, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { payments, refunds, subscriptions, users } from '../../platform/db/schema.ts';
import { afterPosition, newestFirst, type PageRequest } from '../../platform/paging.ts';
import { idOfTd, PROVIDERS } from '../payment/offers.ts';
import { CODE_MS } from '../payment/unanswered.ts';
import { memberNamed, UUID } from './users.sql.ts';

const owner = { id: users.id, name: users.name, email: sql<string>`coalesce(${users.email}, '')` };

/** As `isUnanswered` of `payment/unanswered.ts`. */
function isUnanswered(before: Date): SQL | undefined {
  const { state, route, pendingReason, createdAt, unansweredSince } = payments;
  return and(
    or(eq(state, 'pending'), and(eq(state, 'created'), ne(route, 'order'))),
    lte(unansweredSince, before),
    // Null until something is known: `<>` would leave it out.
    or(sql`${pendingReason} is distinct from 'code'`, lte(createdAt, new Date(before.getTime() - CODE_MS))),
  );
}

function hasProblem(problem: NonNullable<ManagedPaymentFilter['problem']>, unanswered: Date): SQL | undefined {
  if (problem === 'unanswered') return isUnanswered(unanswered);
  return problem === 'yes' ? isNotNull(payments.problem) : isNull(payments.problem);
}

/** Returns a page of all payments, newest first. */
export function listAllPayments(
  db: Queries,
  { q, member, subscription, state, method, problem, from, to }: ManagedPaymentFilter,
  unanswered: Date,
  { after, limit }: PageRequest,
) {
  return selectPayments(
    db,
    and(
      q === undefined ? undefined : named(db, q),
      member === undefined ? undefined : eq(payments.userId, member),
      subscription === undefined ? undefined : eq(payments.subscriptionId, subscription),
      state && eq(payments.state, state),
      method && eq(payments.provider, PROVIDERS[method]),
      problem && hasProblem(problem, unanswered),
      from === undefined ? undefined : gte(payments.createdAt, new Date(from)),
      to === undefined ? undefined : lt(payments.createdAt, new Date(to)),
      afterPosition(after, payments.createdAt, payments.id),
    ),
  )
    .orderBy(...newestFirst(payments.createdAt, payments.id))
    .limit(limit);
}

export async function findAnyPayment(db: Queries, id: string) {
  const [row] = await selectPayments(db, eq(payments.id, id));
  return row;
}

function selectPayments(db: Queries, where: SQL | undefined) {
  return db
    .select({ payment: payments, owner })
    .from(payments)
    .leftJoin(users, eq(users.id, payments.userId))
    .where(where)
    .$dynamic();
}

/** Any whole number of a payment, here or at the provider, or a part of its member's name or address. */
function named(db: Queries, q: string): SQL | undefined {
  const id = idOfTd(q.toLowerCase()) ?? (UUID.test(q) ? q.toLowerCase() : null);
  if (id) {
    const { orderId, subscriptionId, userId } = payments;
    return or(...[payments.id, orderId, subscriptionId, userId].map((column) => eq(column, id)));
  }
  const { paymentId, providerRefundId } = refunds;
  const refunded = db.select({ paymentId }).from(refunds).where(eq(providerRefundId, q));
  const { providerCaptureId, providerOrderId } = payments;
  return or(eq(providerCaptureId, q), eq(providerOrderId, q), inArray(payments.id, refunded), memberNamed(q));
}

/** Returns the refunds of a payment with the names of their operators, oldest first. */
export function listNamedRefunds(db: Queries, paymentId: string) {
  return db
    .select({ refund: refunds, by: users.name })
    .from(refunds)
    .leftJoin(users, eq(users.id, refunds.actorId))
    .where(eq(refunds.paymentId, paymentId))
    .orderBy(refunds.createdAt, refunds.id);
}

/** Returns the newest payment of each subscription, by its id. */
export async function findLastPayments(db: Queries, ids: readonly string[]) {
  const { subscriptionId, createdAt, id } = payments;
  const rows = await db
    .selectDistinctOn([subscriptionId], {
      ...{ subscriptionId, id, state: payments.state, createdAt },
      code: sql<string | null>`coalesce(${payments.failureCode}, ${payments.pendingReason})`,
    })
    .from(payments)
    .where(inArray(subscriptionId, [...ids]))
    .orderBy(subscriptionId, desc(createdAt), desc(id));
  return new Map(rows.map((row) => [row.subscriptionId, row]));
}

/** Returns how many charges of each subscription failed since what is paid ended, by its id. */
export async function countFailures(db: Queries, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .select({ id: subscriptions.id, failed: count() })
    .from(payments)
    .innerJoin(subscriptions, eq(subscriptions.id, payments.subscriptionId))
    .where(
      and(
        inArray(subscriptions.id, [...ids]),
        inArray(payments.state, ['failed', 'expired']),
        gte(payments.createdAt, subscriptions.paidUntil),
      ),
    )
    .groupBy(subscriptions.id);
  return new Map(rows.map(({ id, failed }) => [id, failed]));
}

/** Counts what needs an operator: problems, silence since before `unanswered`, what is paid before `since` and not granted. */
export async function countTroubles(db: Queries, { since, unanswered }: { since: Date; unanswered: Date }) {
  const { state, problem, paidAt } = payments;
  return {
    problems: await db.$count(payments, isNotNull(problem)),
    unanswered: await db.$count(payments, isUnanswered(unanswered)),
    ungranted: await db.$count(payments, and(eq(state, 'paid'), isNull(problem), lt(paidAt, since))),
  };
}

/** Returns what came, and what went back, in each currency since a time. */
export async function sumTakings(db: Queries, since: Date) {
  const total = (amount: SQL | typeof payments.amount | typeof refunds.amount) =>
    sql<number>`sum(${amount})`.mapWith(Number);
  const paid = await db
    .select({ currency: payments.currency, total: total(payments.amount) })
    .from(payments)
    .where(gte(payments.paidAt, since))
    .groupBy(payments.currency);
  const back = await db
    .select({ currency: payments.currency, total: total(refunds.amount) })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(and(eq(refunds.state, 'completed'), gte(refunds.endedAt, since)))
    .groupBy(payments.currency);
  const sum = (rows: typeof paid, currency: Currency) => rows.find((row) => row.currency === currency)?.total ?? 0;
  const currencies = [...new Set([...paid, ...back].map(({ currency }) => currency))].sort();
  return currencies.map((currency) => ({ currency, paid: sum(paid, currency), refunded: sum(back, currency) }));
}

/** Returns a page of the subscriptions of all members, newest first. */
export function listAllSubscriptions(
  db: Queries,
  { q, member, kind, state }: ManagedSubscriptionFilter,
  now: Date,
  { after, limit }: PageRequest,
) {
  const { createdAt, id } = subscriptions;
  return db
    .select({ subscription: subscriptions, owner })
    .from(subscriptions)
    .innerJoin(users, eq(users.id, subscriptions.userId))
    .where(
      and(
        q === undefined ? undefined : memberNamed(q),
        member === undefined ? undefined : eq(subscriptions.userId, member),
        kind && eq(subscriptions.kind, kind),
        state && inState(state, now),
        afterPosition(after, createdAt, id),
      ),
    )
    .orderBy(...newestFirst(createdAt, id))
    .limit(limit);
}

function inState(state: NonNullable<ManagedSubscriptionFilter['state']>, now: Date): SQL | undefined {
  const { state: is, paidUntil, renews, cancelAtEnd } = subscriptions;
  switch (state) {
    case 'due':
      return and(eq(is, 'active'), lte(paidUntil, now), eq(renews, true), eq(cancelAtEnd, false));
    case 'cancelled':
      return and(eq(is, 'active'), eq(cancelAtEnd, true));
    default:
      return eq(is, state);
  }
}
