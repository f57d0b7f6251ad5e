import type { Context } from '../../context.ts';
import type { PayPalSubscription, PayPalTransaction } from '../../platform/payments/paypal/answers.ts';
import { PayPalError } from '../../platform/payments/paypal/paypal-error.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/time.ts';
import { type SubscriptionRow, updateSubscription } from '../membership/membership.sql.ts';
import { endSubscription, suspendSubscription } from '../membership/subscriptions.ts';
import { findUserForUpdate } from '../user/user.sql.ts';
import { APPROVAL_MS, isGone, requirePayPal } from './at-paypal.ts';
import { alignBilling, stopBilling } from './jobs.ts';
import { isPaid } from './machine.ts';
import {
  findByProviderRef,
  findLastCharge,
  findPayment,
  findPaymentBy,
  findSold,
  forgetProviderRef,
  listReportedCaptures,
  type PaymentRow,
} from './payment.sql.ts';
import { insertPurchase } from './purchase.ts';
import { reportProblem, settle, tellOfPayment } from './settle.ts';

/** How far back charges are looked for. PayPal tries each for two weeks at most. */
export const LOOK_BACK_MS = 100 * DAY_MS;
/** PayPal is asked about a renewal of which nothing was heard for this time. */
export const SILENCE_MS = HOUR_MS;
const MONEY_CAME: readonly PayPalTransaction['status'][] = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'];

/**
 * Reads a subscription and its charges from PayPal, and settles every charge that is not known: the first one is the
 * payment that was begun here, each later one a renewal. Repeatable and safe at the same time, because a charge belongs
 * to one payment only.
 * @throws PayPalError
 */
export async function syncBilling(context: Context, ref: string): Promise<void> {
  const { db, clock } = context;
  const first = await findPaymentBy(db, { providerOrderId: ref }, 'paypal');
  if (first?.route !== 'billing') return;
  const paypal = requirePayPal(context);
  let told: PayPalSubscription;
  try {
    told = await paypal.getSubscription(ref);
  } catch (error) {
    if (!isGone(error)) throw error;
    // PayPal charges nothing for what it does not know, such as one of another account.
    await settle(context, first.id, [{ kind: 'expired' }]);
    return followStatus(context, first.id, {
      id: ref,
      status: 'CANCELLED',
      failedPayments: 0,
      outstanding: null,
      nextBillingAt: null,
    });
  }
  const now = clock.now().getTime();
  // After a long standstill of ours, back to the last charge that is known; to the beginning where none is.
  const known = isPaid(first) ? await findLastCharge(db, first, ref) : undefined;
  const since = Math.min(now - LOOK_BACK_MS, known?.paidAt?.getTime() ?? 0);
  const from = Math.max(first.createdAt.getTime(), since) - DAY_MS;
  const until = Math.max(now + DAY_MS, told.nextBillingAt?.getTime() ?? 0);
  const charges = await paypal.listTransactions(ref, new Date(from), new Date(until));
  charges.sort((a, b) => a.at.getTime() - b.at.getTime());
  for (const charge of charges) await settleCharge(context, first.id, ref, charge);
  await settleApproval(context, first.id, told, charges);
  await followStatus(context, first.id, told);
}

async function settleCharge(context: Context, firstId: string, ref: string, charge: PayPalTransaction): Promise<void> {
  const { db } = context;
  const { id: captureId, money, at } = charge;
  if (!money || !MONEY_CAME.includes(charge.status)) return;
  const known = await findPaymentBy(db, { captureId }, 'paypal');
  if (known && isPaid(known)) {
    // Perhaps not granted yet.
    if (known.state === 'paid') await settle(context, known.id, []);
    return;
  }
  const first = await findPayment(db, firstId);
  if (!first) return;
  // One in review stays that of the charge for which it was left to an operator: another one is a payment of its own.
  const reported = first.problem ? await listReportedCaptures(db, firstId) : [];
  if (reported.includes(captureId)) return;
  const isTaken = isPaid(first) || reported.length > 0;
  const payment = isTaken ? await beginRenewal(context, first, ref, charge) : first;
  await settle(context, payment.id, [{ kind: 'captured', captureId, money, at, isBack: charge.status === 'REFUNDED' }]);
}

const chargeOf = (ref: string, captureId: string) => `${ref}:${captureId}`;

/** Makes the payment of a charge that PayPal began by itself. Its id follows from the charge: it is made once. */
async function beginRenewal(
  context: Context,
  first: PaymentRow,
  ref: string,
  { id: captureId }: PayPalTransaction,
): Promise<PaymentRow> {
  return context.db.transaction(async (tx) => {
    const user = first.userId ? await findUserForUpdate(tx, first.userId) : undefined;
    // Under the lock: another process may have settled this very charge since it was looked for, as the first one too.
    const known =
      (await findPaymentBy(tx, { captureId }, 'paypal')) ??
      (await findPaymentBy(tx, { providerOrderId: chargeOf(ref, captureId) }, 'paypal'));
    if (known) return known;
    const sold = await findSold(tx, first.offerId);
    if (!sold) throw new Error(`The offer ${first.offerId} of a payment is gone`);
    const plan = await findByProviderRef(tx, ref);
    return insertPurchase(context, tx, {
      ...{ userId: user?.id ?? null, sold, language: user?.language ?? first.language, checkAfterMs: MINUTE_MS },
      price: { amount: first.amount, currency: first.currency },
      ...{ provider: 'paypal', route: 'billing', state: 'pending', pendingReason: 'charged' },
      subscriptionId: plan?.id ?? first.subscriptionId,
      // Names the charge until it is settled, and keeps another process from making the same payment.
      providerOrderId: chargeOf(ref, captureId),
    });
  });
}

/**
 * Whether a plan was cancelled at PayPal itself: it lasts as long as it is paid, but nothing there can charge it any more.
 */
export function isEndedAtPayPal({ provider, cancelAtEnd, renews }: SubscriptionRow): boolean {
  return provider === 'paypal' && cancelAtEnd && !renews;
}

/** What the first payment waits for. */
async function settleApproval(
  context: Context,
  firstId: string,
  { status }: PayPalSubscription,
  charges: readonly PayPalTransaction[],
): Promise<void> {
  const first = await findPayment(context.db, firstId);
  if (!first || isPaid(first) || first.state === 'failed' || first.problem) return;
  const age = context.clock.now().getTime() - first.createdAt.getTime();
  if (charges.some((charge) => charge.status === 'DECLINED') || status === 'SUSPENDED') {
    // Nothing was granted, and nothing may be charged later.
    const stop = first.providerOrderId ?? '';
    await settle(context, first.id, [{ kind: 'declined', code: 'FIRST_CHARGE_DECLINED', stop }]);
  } else if (status === 'CANCELLED' || status === 'EXPIRED') {
    await settle(context, first.id, [{ kind: 'declined', code: status }]);
  } else if (status === 'ACTIVE' || status === 'APPROVED') {
    await settle(context, first.id, [{ kind: 'pending', reason: 'charging' }]);
  } else if (age > APPROVAL_MS) {
    await settle(context, first.id, [{ kind: 'expired' }]);
  }
}

/** Follows what became of the subscription at PayPal. */
async function followStatus(
  context: Context,
  firstId: string,
  told: Pick<PayPalSubscription, 'id' | 'status' | 'failedPayments' | 'outstanding' | 'nextBillingAt'>,
): Promise<void> {
  const { id: ref, status } = told;
  const { db } = context;
  const first = await findPayment(db, firstId);
  // One that is paid and not granted has no plan yet.
  if (!first || !isPaid(first) || first.state === 'paid') return;
  const plan = await findByProviderRef(db, ref);
  if (!plan || plan.state === 'ended') {
    // It has ended here, or another one has taken its place: nothing may be charged any more.
    if (status !== 'CANCELLED' && status !== 'EXPIRED') await context.jobs.enqueue(db, stopBilling, { ref });
    return;
  }
  await planCheck(context, plan, told.nextBillingAt);
  if (status === 'SUSPENDED' && !plan.cancelAtEnd) {
    const isUnpaid = told.failedPayments > 0 || (told.outstanding?.amount ?? 0) > 0;
    if (isUnpaid) await suspendUnpaid(context, plan, first);
    // It was suspended for a cancellation, which the member has taken back.
    else await context.jobs.enqueue(db, alignBilling, { ref });
  }
  if (status === 'CANCELLED' || status === 'EXPIRED')
    await db.transaction(async (tx) => {
      await findUserForUpdate(tx, plan.userId);
      const current = await findByProviderRef(tx, ref);
      // Another payment has taken it over meanwhile.
      if (!current) return;
      if (current.state === 'suspended') await endSubscription(context, tx, current.id);
      else await updateSubscription(tx, current.id, { cancelAtEnd: true, renews: false });
    });
}

/** A plan that is paid ahead is charged all the same: PayPal is asked after its next charge, not when the plan runs out. */
async function planCheck({ db, clock }: Context, plan: SubscriptionRow, next: Date | null): Promise<void> {
  await db.transaction(async (tx) => {
    await findUserForUpdate(tx, plan.userId);
    const row = await findByProviderRef(tx, plan.providerRef ?? '');
    const now = clock.now();
    // One that is late is asked about already, and one that has ended is to be stopped at once.
    if (!row?.paidUntil || row.state === 'ended' || row.paidUntil <= now) return;
    const isAhead = next !== null && next < row.paidUntil;
    const nextCheckAt = isAhead ? new Date(Math.max(next.getTime(), now.getTime()) + SILENCE_MS) : null;
    await updateSubscription(tx, row.id, { nextCheckAt });
  });
}

async function suspendUnpaid(context: Context, { id, userId }: SubscriptionRow, first: PaymentRow): Promise<void> {
  await context.db.transaction(async (tx) => {
    const user = await findUserForUpdate(tx, userId);
    const plan = await findByProviderRef(tx, first.providerOrderId ?? '');
    if (!user || plan?.id !== id || plan.state !== 'active' || plan.cancelAtEnd) return;
    await suspendSubscription(context, tx, id);
    await tellOfPayment(context, tx, { ...first, paidAt: null, language: user.language }, user, 'renewalFailed', {});
  });
}

/**
 * Makes PayPal charge nothing more, whatever state the subscription is in, and settles what it charged before: nobody asks
 * about it later.
 * @throws PayPalError to be tried again
 */
export async function stopAtPayPal(context: Context, ref: string): Promise<void> {
  const paypal = requirePayPal(context);
  try {
    await paypal.cancelSubscription(ref, 'The membership has ended.');
  } catch (error) {
    if (!(error instanceof PayPalError) || error.isUnknown) throw error;
    if (!isGone(error)) {
      const { status } = await paypal.getSubscription(ref);
      // One that nobody has approved charges nothing, and cannot be cancelled.
      if (status !== 'CANCELLED' && status !== 'EXPIRED' && status !== 'APPROVAL_PENDING') throw error;
    }
  }
  await syncBilling(context, ref);
  await forgetProviderRef(context.db, ref);
}

/** Leaves a subscription that PayPal does not change to an operator. The history of its payment keeps the `body`. */
export async function reportUnstopped(context: Context, ref: string, body?: Record<string, unknown>): Promise<void> {
  context.log.error({ ref, ...body }, 'A subscription has to be changed at PayPal by hand');
  const first = await findPaymentBy(context.db, { providerOrderId: ref }, 'paypal');
  if (first) await reportProblem(context, first, 'notStopped', body);
}

/**
 * Lets PayPal charge a plan, or not, as the member wishes. A plan that is to end is suspended there, not cancelled, so that
 * the member can resume it; it is cancelled once it has ended.
 * @throws PayPalError
 */
export async function alignAtPayPal(context: Context, ref: string): Promise<void> {
  const plan = await findByProviderRef(context.db, ref);
  if (plan?.state !== 'active') return;
  if (plan.cancelAtEnd) await suspendAtPayPal(context, ref);
  else {
    const paypal = requirePayPal(context);
    const { status } = await paypal.getSubscription(ref);
    if (status === 'SUSPENDED') await paypal.activateSubscription(ref, 'The member resumed.');
  }
  // The member has changed their mind meanwhile, and what was done for it may have come first.
  const now = await findByProviderRef(context.db, ref);
  if (now && now.cancelAtEnd !== plan.cancelAtEnd) await alignAtPayPal(context, ref);
}

/**
 * Makes PayPal charge a plan no more that can still be resumed.
 * @throws PayPalError only while it still charges, as far as is known
 */
export async function suspendAtPayPal(context: Context, ref: string): Promise<void> {
  const paypal = requirePayPal(context);
  const isCharging = async () => {
    try {
      return (await paypal.getSubscription(ref)).status === 'ACTIVE';
    } catch (error) {
      // PayPal charges nothing for what it does not know.
      if (isGone(error)) return false;
      throw error;
    }
  };
  if (!(await isCharging())) return;
  try {
    await paypal.suspendSubscription(ref, 'The member cancelled.');
  } catch (error) {
    // Another call was faster, or only the answer was lost.
    if (!(error instanceof PayPalError) || (await isCharging())) throw error;
  }
}
