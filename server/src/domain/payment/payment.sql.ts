import { inLanguage, type Language } from '@framelift/contract';
import {
  and,
  asc,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  like,
  lt,
  lte,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { Queries, Tx } from '../../platform/db/open.ts';
import {
  offers,
  paymentEvents,
  payments,
  paypalPlans,
  plans,
  products,
  refunds,
  subscriptionReminders,
  subscriptions,
} from '../../platform/db/schema.ts';
import { afterPosition, newestFirst, type PageRequest } from '../../platform/paging.ts';
import { DAY_MS } from '../../platform/time.ts';
import type { SubscriptionRow } from '../membership/membership.sql.ts';
import { findUserForUpdate, type UserRow } from '../user/user.sql.ts';

export type PaymentRow = typeof payments.$inferSelect;
export type RefundRow = typeof refunds.$inferSelect;
export type PaymentEventRow = typeof paymentEvents.$inferSelect;

/** An offer with what it sells. */
export interface Sold {
  readonly offer: typeof offers.$inferSelect;
  readonly product: typeof products.$inferSelect | null;
  readonly plan: typeof plans.$inferSelect | null;
}

const selectSold = (db: Queries) =>
  db
    .select({ offer: offers, product: products, plan: plans })
    .from(offers)
    .leftJoin(products, eq(products.id, offers.productId))
    .leftJoin(plans, eq(plans.id, offers.planId))
    .$dynamic();

export async function findSold(db: Queries, offerId: number): Promise<Sold | undefined> {
  const [row] = await selectSold(db).where(eq(offers.id, offerId));
  return row;
}

/** Returns offers with what they sell, by their ids. */
export async function findAllSold(db: Queries, offerIds: readonly number[]): Promise<Map<number, Sold>> {
  if (offerIds.length === 0) return new Map();
  const rows = await selectSold(db).where(inArray(offers.id, [...offerIds]));
  return new Map(rows.map((row) => [row.offer.id, row]));
}

export async function findPayment(db: Queries, id: string): Promise<PaymentRow | undefined> {
  const [row] = await db.select().from(payments).where(eq(payments.id, id));
  return row;
}

/**
 * Locks a payment and its member, always the member first: purchases of one member wait for each other before they look
 * at the payments. The member is undefined once the account is gone.
 */
export async function lockPayment(
  tx: Tx,
  id: string,
): Promise<{ readonly payment: PaymentRow; readonly user: UserRow | undefined } | undefined> {
  const seen = await findPayment(tx, id);
  const user = seen?.userId ? await findUserForUpdate(tx, seen.userId) : undefined;
  const [payment] = await tx.select().from(payments).where(eq(payments.id, id)).for('update');
  return payment && { payment, user };
}

export async function insertPayment(tx: Queries, values: typeof payments.$inferInsert): Promise<PaymentRow> {
  const [row] = await tx.insert(payments).values(values).returning();
  if (!row) throw new Error('An insertion returned no row');
  return row;
}

export async function updatePayment(
  tx: Queries,
  id: string,
  values: Partial<typeof payments.$inferInsert>,
): Promise<PaymentRow> {
  const [row] = await tx.update(payments).set(values).where(eq(payments.id, id)).returning();
  if (!row) throw new Error(`The payment ${id} is gone`);
  return row;
}

export async function findByRequestKey(db: Queries, userId: string, key: string): Promise<PaymentRow | undefined> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.userId, userId), eq(payments.requestKey, key)));
  return row;
}

/** Returns the payments of a member for one thing that are not decided, and those that are paid but not granted. */
export function listOpen(db: Queries, userId: string, target: string): Promise<PaymentRow[]> {
  return db
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.userId, userId),
        eq(payments.target, target),
        inArray(payments.state, ['created', 'pending', 'paid']),
      ),
    )
    .orderBy(asc(payments.createdAt));
}

/** Returns the undecided charges of a subscription. */
export function countOpenCharges(db: Queries, subscriptionId: string): Promise<number> {
  return db.$count(
    payments,
    and(eq(payments.subscriptionId, subscriptionId), inArray(payments.state, ['created', 'pending', 'paid'])),
  );
}

/** Charges that failed and that we began: what a member tries in between uses up none of them. */
const isFailedCharge = and(
  eq(payments.route, 'charge'),
  inArray(payments.state, ['failed', 'expired']),
  isNull(payments.requestKey),
);

/** Returns how many of our charges of a subscription failed since its paid period ended. */
export function countFailedCharges(db: Queries, subscriptionId: string, since: Date): Promise<number> {
  const isOfPlan = eq(payments.subscriptionId, subscriptionId);
  return db.$count(payments, and(isOfPlan, isFailedCharge, gte(payments.createdAt, since)));
}

/** Returns what has ended, or goes on, at this subscription of PayPal. */
export async function findByProviderRef(db: Queries, ref: string): Promise<SubscriptionRow | undefined> {
  const [row] = await db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.provider, 'paypal'), eq(subscriptions.providerRef, ref)));
  return row;
}

/** Returns the last payment that is known of a subscription at PayPal whose first one is paid. */
export async function findLastCharge(
  db: Queries,
  { id, subscriptionId }: Pick<PaymentRow, 'id' | 'subscriptionId'>,
  ref: string,
): Promise<PaymentRow | undefined> {
  const isLater =
    subscriptionId && and(eq(payments.subscriptionId, subscriptionId), like(payments.providerOrderId, `${ref}:%`));
  const [row] = await db
    .select()
    .from(payments)
    .where(and(isNotNull(payments.paidAt), or(eq(payments.id, id), isLater || undefined)))
    .orderBy(desc(payments.paidAt))
    .limit(1);
  return row;
}

/** Forgets a subscription at PayPal that charges nothing any more. */
export async function forgetProviderRef(db: Queries, ref: string): Promise<void> {
  await db
    .update(subscriptions)
    .set({ providerRef: null })
    .where(
      and(eq(subscriptions.state, 'ended'), eq(subscriptions.provider, 'paypal'), eq(subscriptions.providerRef, ref)),
    );
}

/** How a member or a provider names a payment. */
export type PaymentName =
  | { readonly id: string }
  | { readonly orderId: string }
  | { readonly providerOrderId: string }
  | { readonly captureId: string };

export async function findPaymentBy(
  db: Queries,
  name: PaymentName,
  provider?: PaymentRow['provider'],
): Promise<PaymentRow | undefined> {
  const named =
    'id' in name
      ? eq(payments.id, name.id)
      : 'orderId' in name
        ? eq(payments.orderId, name.orderId)
        : 'providerOrderId' in name
          ? eq(payments.providerOrderId, name.providerOrderId)
          : eq(payments.providerCaptureId, name.captureId);
  const [row] = await db
    .select()
    .from(payments)
    .where(and(named, provider && eq(payments.provider, provider)))
    .limit(1);
  return row;
}

export function listOwnPayments(db: Queries, userId: string, { after, limit }: PageRequest): Promise<PaymentRow[]> {
  return db
    .select()
    .from(payments)
    .where(and(eq(payments.userId, userId), afterPosition(after, payments.createdAt, payments.id)))
    .orderBy(...newestFirst(payments.createdAt, payments.id))
    .limit(limit);
}

/** Returns everything that a member paid or tried to, newest first. */
export function exportPayments(db: Queries, userId: string) {
  const { id, offerId, provider, state, amount, currency, refunded, createdAt, paidAt } = payments;
  return db
    .select({ id, offerId, provider, state, amount, currency, refunded, createdAt, paidAt })
    .from(payments)
    .where(eq(payments.userId, userId))
    .orderBy(...newestFirst(createdAt, id));
}

/** Returns the payments whose provider is to be asked by now, or whose grant was interrupted. */
export function listDue(db: Queries, now: Date, limit: number): Promise<Pick<PaymentRow, 'id'>[]> {
  return db
    .select({ id: payments.id })
    .from(payments)
    .where(lte(payments.nextCheckAt, now))
    .orderBy(payments.nextCheckAt)
    .limit(limit);
}

/** Postpones the next check of a payment and returns it, unless another process did so first, or changed its state. */
export async function claimCheck(
  db: Queries,
  { id, state }: Pick<PaymentRow, 'id' | 'state'>,
  { now, next, unless }: { readonly now: Date; readonly next: Date | null; readonly unless: Date },
): Promise<PaymentRow | undefined> {
  const [row] = await db
    .update(payments)
    .set({ checkedAt: now, nextCheckAt: next, checks: sql`${payments.checks} + 1` })
    .where(
      and(
        eq(payments.id, id),
        eq(payments.state, state),
        or(isNull(payments.checkedAt), lte(payments.checkedAt, unless)),
      ),
    )
    .returning();
  return row;
}

/** Plans no further check of a payment, unless its state has changed since it was claimed. */
export async function endChecks(db: Queries, { id, state }: Pick<PaymentRow, 'id' | 'state'>): Promise<void> {
  await db
    .update(payments)
    .set({ nextCheckAt: null })
    .where(and(eq(payments.id, id), eq(payments.state, state)));
}

/** Records an event. Returns false if one with this id has been handled to the end before. */
export async function claimEvent(db: Queries, event: typeof paymentEvents.$inferInsert): Promise<boolean> {
  await db.insert(paymentEvents).values(event).onConflictDoNothing();
  const [row] = await db.select().from(paymentEvents).where(eq(paymentEvents.id, event.id));
  return row?.handledAt === null;
}

/** A look at PayPal's list of events, kept among them. */
const LOOK = { id: 'paypal-events-listed', type: 'listed', body: {} };

/** Returns up to when PayPal's list of events is handled. */
export async function findLook(db: Queries): Promise<Date | undefined> {
  const [row] = await db.select().from(paymentEvents).where(eq(paymentEvents.id, LOOK.id));
  return row?.receivedAt;
}

export async function keepLook(db: Queries, at: Date): Promise<void> {
  const when = { receivedAt: at, handledAt: at };
  await db
    .insert(paymentEvents)
    .values({ ...LOOK, ...when })
    .onConflictDoUpdate({ target: paymentEvents.id, set: when });
}

/** Returns how many attempts to pay what is open have ended: those declined, and those accepted up to `before`. */
export function countPayAttempts(db: Queries, paymentId: string, before: Date): Promise<number> {
  const { type, receivedAt } = paymentEvents;
  const isAccepted = and(eq(type, 'payNow.accepted'), lte(receivedAt, before));
  return db.$count(
    paymentEvents,
    and(eq(paymentEvents.paymentId, paymentId), or(eq(type, 'payNow.declined'), isAccepted)),
  );
}

export async function finishEvent(db: Queries, id: string, at: Date, paymentId: string | null): Promise<void> {
  const set = { handledAt: at, ...(paymentId ? { paymentId } : {}) };
  await db.update(paymentEvents).set(set).where(eq(paymentEvents.id, id));
}

export function listEvents(db: Queries, paymentId: string): Promise<PaymentEventRow[]> {
  return db
    .select()
    .from(paymentEvents)
    .where(eq(paymentEvents.paymentId, paymentId))
    .orderBy(asc(paymentEvents.receivedAt), asc(paymentEvents.id));
}

/** Returns the ids of the money for which a payment was left to an operator. */
export async function listReportedCaptures(db: Queries, paymentId: string): Promise<string[]> {
  const { type, body } = paymentEvents;
  const captureId = sql<string>`${body} ->> 'captureId'`;
  const rows = await db
    .select({ captureId })
    .from(paymentEvents)
    .where(and(eq(paymentEvents.paymentId, paymentId), like(type, 'problem.%'), isNotNull(captureId)));
  return rows.map((row) => row.captureId);
}

/** Counts a refused message, in one row per kind and hour: strangers must not fill the database. */
export async function countForgery(db: Queries, kind: string, at: Date): Promise<void> {
  const id = `forged:${kind}:${at.toISOString().slice(0, 13)}`;
  const body = { count: 1 };
  await db
    .insert(paymentEvents)
    .values({ id, type: 'forged', body, receivedAt: at, handledAt: at })
    .onConflictDoUpdate({
      target: paymentEvents.id,
      set: { body: sql`jsonb_build_object('count', (${paymentEvents.body} ->> 'count')::int + 1)` },
    });
}

/** Deletes messages that belong to no payment. */
export async function deleteStrayEvents(db: Queries, before: Date): Promise<void> {
  await db.delete(paymentEvents).where(and(isNull(paymentEvents.paymentId), lt(paymentEvents.receivedAt, before)));
}

export async function insertRefund(tx: Queries, values: typeof refunds.$inferInsert): Promise<RefundRow> {
  const [row] = await tx.insert(refunds).values(values).returning();
  if (!row) throw new Error('An insertion returned no row');
  return row;
}

export async function updateRefund(
  tx: Queries,
  id: string,
  values: Partial<typeof refunds.$inferInsert>,
): Promise<void> {
  await tx.update(refunds).set(values).where(eq(refunds.id, id));
}

/** Returns the refunds of a payment, oldest first. */
export function listRefunds(db: Queries, paymentId: string): Promise<RefundRow[]> {
  return db
    .select()
    .from(refunds)
    .where(eq(refunds.paymentId, paymentId))
    .orderBy(asc(refunds.createdAt), asc(refunds.id));
}

export async function findRefund(db: Queries, id: string): Promise<RefundRow | undefined> {
  const [row] = await db.select().from(refunds).where(eq(refunds.id, id));
  return row;
}

export function listPendingRefunds(db: Queries, now: Date, limit: number): Promise<RefundRow[]> {
  return db
    .select()
    .from(refunds)
    .where(and(eq(refunds.state, 'pending'), lte(refunds.nextCheckAt, now)))
    .orderBy(asc(refunds.nextCheckAt))
    .limit(limit);
}

export async function findPayPalPlan(db: Queries, offerId: number): Promise<string | undefined> {
  const [row] = await db.select().from(paypalPlans).where(eq(paypalPlans.offerId, offerId));
  return row?.planId;
}

/** Keeps the first plan of an offer. Returns the one that is kept. */
export async function keepPayPalPlan(db: Queries, offerId: number, planId: string, createdAt: Date): Promise<string> {
  await db.insert(paypalPlans).values({ offerId, planId, createdAt }).onConflictDoNothing();
  return (await findPayPalPlan(db, offerId)) ?? planId;
}

export async function forgetPayPalPlan(db: Queries, offerId: number, planId: string): Promise<void> {
  await db.delete(paypalPlans).where(and(eq(paypalPlans.offerId, offerId), eq(paypalPlans.planId, planId)));
}

/**
 * Returns plans by card that go on and whose next charge is due: each failed one waits for its time after the end of what
 * is paid, and none begins beside another. Those that wait are left out here, so that they take nobody's turn.
 * @param waits in milliseconds, by the number of charges that failed
 */
export function listDueCharges(
  db: Queries,
  now: Date,
  waits: readonly number[],
  limit: number,
): Promise<SubscriptionRow[]> {
  const { paidUntil } = subscriptions;
  const ofPlan = eq(payments.subscriptionId, subscriptions.id);
  const failed = and(ofPlan, isFailedCharge);
  const open = and(ofPlan, inArray(payments.state, ['created', 'pending', 'paid']));
  const count = sql`(select count(*)::int from ${payments} where ${failed} and ${gte(payments.createdAt, paidUntil)})`;
  const wait = sql`(${sql.raw(`array[${waits.map((ms) => ms / 1000).join()}]`)})[${count} + 1] * interval '1 second'`;
  return db
    .select()
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.provider, 'sunpay'),
        goesOn(['active', 'suspended']),
        isNotNull(subscriptions.token),
        sql`${paidUntil} + ${wait} <= ${now}`,
        // After a long standstill nobody is charged for a plan that has been suspended for weeks.
        or(eq(subscriptions.state, 'active'), gt(paidUntil, new Date(now.getTime() - LATEST_CHARGE_MS))),
        sql`not exists (select 1 from ${payments} where ${open})`,
      ),
    )
    .orderBy(subscriptions.paidUntil)
    .limit(limit);
}

/** A suspended plan is charged by itself until so long after the end of what is paid. */
export const LATEST_CHARGE_MS = 8 * DAY_MS;

const goesOn = (states: SubscriptionRow['state'][]): SQL | undefined =>
  and(
    eq(subscriptions.kind, 'plan'),
    inArray(subscriptions.state, states),
    eq(subscriptions.renews, true),
    eq(subscriptions.cancelAtEnd, false),
  );

/**
 * Returns plans that PayPal should have renewed by `before`, of which nothing was heard, if it may be asked by now, and
 * those about which it is to be asked by now. Suspended ones too: they may have been paid by a call whose answer was lost.
 * @param since PayPal's charges are not looked for before it
 */
export function listOverdueBillings(
  db: Queries,
  now: Date,
  { since, before, limit }: { readonly since: Date; readonly before: Date; readonly limit: number },
): Promise<SubscriptionRow[]> {
  const { state, paidUntil, nextCheckAt } = subscriptions;
  const isDue = or(lte(paidUntil, before), isNotNull(nextCheckAt));
  const isAsked = or(eq(state, 'active'), gt(paidUntil, since));
  return db
    .select()
    .from(subscriptions)
    .where(and(isAtPayPal(now), goesOn(['active', 'suspended']), isDue, isAsked))
    .orderBy(sql`${nextCheckAt} nulls first`)
    .limit(limit);
}

/** Returns subscriptions that have ended here while PayPal may still charge them, if it may be asked by now. */
export function listUnstopped(db: Queries, now: Date, limit: number): Promise<SubscriptionRow[]> {
  return db
    .select()
    .from(subscriptions)
    .where(and(isAtPayPal(now), eq(subscriptions.state, 'ended'), isNotNull(subscriptions.providerRef)))
    .orderBy(sql`${subscriptions.nextCheckAt} nulls first`)
    .limit(limit);
}

const isAtPayPal = (now: Date): SQL | undefined =>
  and(eq(subscriptions.provider, 'paypal'), or(isNull(subscriptions.nextCheckAt), lte(subscriptions.nextCheckAt, now)));

/** Returns what ends before `until` without going on, and was not reminded of. */
export function listEnding(db: Queries, now: Date, until: Date, limit: number): Promise<SubscriptionRow[]> {
  const reminded = db
    .select({ one: sql`1` })
    .from(subscriptionReminders)
    .where(
      and(
        eq(subscriptionReminders.subscriptionId, subscriptions.id),
        eq(subscriptionReminders.kind, 'ending'),
        eq(subscriptionReminders.paidUntil, subscriptions.paidUntil),
      ),
    );
  return db
    .select()
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.state, 'active'),
        or(eq(subscriptions.renews, false), eq(subscriptions.cancelAtEnd, true)),
        sql`${subscriptions.paidUntil} > ${now}`,
        lte(subscriptions.paidUntil, until),
        sql`not exists ${reminded}`,
      ),
    )
    .orderBy(subscriptions.paidUntil)
    .limit(limit);
}

/** Claims a reminder. Returns false if it was sent before. */
export async function claimReminder(
  tx: Queries,
  reminder: typeof subscriptionReminders.$inferInsert,
): Promise<boolean> {
  const rows = await tx.insert(subscriptionReminders).values(reminder).onConflictDoNothing().returning();
  return rows.length > 0;
}

export function listOwnSubscriptions(
  db: Queries,
  userId: string,
  { all, after, limit }: PageRequest & { readonly all: boolean },
): Promise<SubscriptionRow[]> {
  return db
    .select()
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.userId, userId),
        all ? undefined : ne(subscriptions.state, 'ended'),
        afterPosition(after, subscriptions.createdAt, subscriptions.id),
      ),
    )
    .orderBy(...newestFirst(subscriptions.createdAt, subscriptions.id))
    .limit(limit);
}

/** Returns the subscriptions at PayPal of a member that may still be charged. */
export async function listPayPalRefs(db: Queries, userId: string): Promise<string[]> {
  const rows = await db
    .select({ ref: subscriptions.providerRef })
    .from(subscriptions)
    .where(
      and(eq(subscriptions.userId, userId), eq(subscriptions.provider, 'paypal'), isNotNull(subscriptions.providerRef)),
    );
  return rows.flatMap(({ ref }) => ref ?? []);
}

/** Returns the payment to whose member exactly these signed fields were given, and not yet sent on. */
export async function findByFormHash(db: Queries, userId: string, formHash: string): Promise<PaymentRow | undefined> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.userId, userId), eq(payments.formHash, formHash)));
  return row;
}

/** Uses up signed fields. Returns false if they were used before, even at the same time. */
export async function spendForm(db: Queries, id: string, formHash: string): Promise<boolean> {
  const rows = await db
    .update(payments)
    .set({ formHash: null })
    .where(and(eq(payments.id, id), eq(payments.formHash, formHash), eq(payments.state, 'created')))
    .returning({ id: payments.id });
  return rows.length > 0;
}

/** Returns the names of what subscriptions are of, by the id of the subscription. */
export async function findNames(db: Queries, ids: readonly string[], language: Language): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: subscriptions.id, plan: plans.name, product: products.name })
    .from(subscriptions)
    .leftJoin(plans, eq(plans.id, subscriptions.planId))
    .leftJoin(products, eq(products.id, subscriptions.productId))
    .where(inArray(subscriptions.id, [...ids]));
  return new Map(
    rows.map(({ id, plan, product }) => [id, inLanguage(plan ?? product ?? { en: '', zh: '', ja: '' }, language)]),
  );
}

export async function findRefundBy(db: Queries, providerRefundId: string): Promise<RefundRow | undefined> {
  const [row] = await db.select().from(refunds).where(eq(refunds.providerRefundId, providerRefundId));
  return row;
}
