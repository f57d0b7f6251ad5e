import type { ManagedPaymentFilter, ManagedSubscriptionFilter } from '@framelift/contract';
import { and, eq, gte, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { payments, subscriptions, users } from '../../platform/db/schema.ts';
import { afterPosition, newestFirst, type PageRequest } from '../../platform/paging.ts';
import { idOfTd, PROVIDERS } from '../payment/offers.ts';
import { memberNamed } from './users.sql.ts';

const owner = { id: users.id, name: users.name, email: sql<string>`coalesce(${users.email}, '')` };

/** Returns a page of all payments, newest first. */
export function listAllPayments(
  db: Queries,
  { q, state, method, problem, from, to }: ManagedPaymentFilter,
  { after, limit }: PageRequest,
) {
  return selectPayments(
    db,
    and(
      q === undefined ? undefined : named(q),
      state && eq(payments.state, state),
      method && eq(payments.provider, PROVIDERS[method]),
      problem && (problem === 'yes' ? isNotNull(payments.problem) : isNull(payments.problem)),
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

/** A whole number of a payment, here or at the provider, or a part of its member's name or address. */
function named(q: string): SQL | undefined {
  const id = idOfTd(q.toLowerCase());
  if (id) return eq(payments.id, id);
  return or(eq(payments.providerCaptureId, q), eq(payments.providerOrderId, q), memberNamed(q));
}

/** Returns a page of the subscriptions of all members, newest first. */
export function listAllSubscriptions(
  db: Queries,
  { q, kind, state }: ManagedSubscriptionFilter,
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
