import {
  ApiError,
  type api,
  type InputOf,
  type OutputOf,
  type PaymentStart,
  type SubscriptionInfo,
} from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { type Page, paged } from '../../platform/paging.ts';
import { PayPalError } from '../../platform/payments/paypal/paypal-error.ts';
import { MINUTE_MS } from '../../platform/time.ts';
import { checkProductSubscription, saveFreeProduct } from '../catalogue/products.ts';
import {
  findLiveSubscription,
  findSubscription,
  type SubscriptionRow,
  type Target,
  updateSubscription,
} from '../membership/membership.sql.ts';
import { endSubscription, setCancelAtEnd } from '../membership/subscriptions.ts';
import { findUserForUpdate } from '../user/user.sql.ts';
import { requirePayPal } from './at-paypal.ts';
import { isEndedAtPayPal, reportUnstopped, stopAtPayPal, suspendAtPayPal, syncBilling } from './billing.ts';
import { askProvider, isNoAnswer } from './check.ts';
import { createPayment, pending } from './create.ts';
import { alignBilling, stopBilling } from './jobs.ts';
import { methodOf, nameOf, priceAt } from './offers.ts';
import {
  claimEvent,
  countPayAttempts,
  findAllSold,
  findNames,
  findPayment,
  findPaymentBy,
  findSold,
  listOwnSubscriptions,
  listPayPalRefs,
  type PaymentRow,
  type Sold,
} from './payment.sql.ts';
import { getOwnPayment, presentOne } from './payments.ts';
import { beginCharge, nextCharge, sendCharge } from './renewals.ts';
import { tellAdmins } from './unanswered.ts';

type Subscribe = InputOf<typeof api.plan_subscribe>;

/**
 * Saves a free product, answers a product that was paid for, or begins its payment by card.
 * @throws ApiError those of `createPayment`, `productNotFound`, `noOrder`, `transactionFailed`, `subscribeFailed`
 */
export async function subscribeToProduct(
  context: Context,
  actor: Actor,
  input: Subscribe,
): Promise<OutputOf<typeof api.product_subscribe>> {
  const { target: productId } = input;
  let payment: PaymentStart | null = null;
  if (input.check_required) payment = await payByCard(context, actor, { kind: 'product', productId }, input);
  else if (input.resource_id !== null) await requirePaid(context, actor, `product:${productId}`, input.resource_id);
  // Nothing was paid: only what is free.
  else return { ...(await saveFreeProduct(context, actor, input)), payment };
  return { ...(await checkProductSubscription(context, actor, input)), payment };
}

/**
 * Answers the plan that was paid for, or begins its payment by card.
 * @throws ApiError those of `createPayment`, `noOrder`, `transactionFailed`, `subscribeFailed`
 */
export async function subscribeToPlan(
  context: Context,
  actor: Actor,
  input: Subscribe,
): Promise<OutputOf<typeof api.plan_subscribe>> {
  const target = { kind: 'plan' } as const;
  let payment: PaymentStart | null = null;
  if (input.check_required) payment = await payByCard(context, actor, target, input);
  else if (input.resource_id !== null) await requirePaid(context, actor, 'plan', input.resource_id);
  else throw new ApiError('subscribeFailed');
  const row = await findLiveSubscription(context.db, signedIn(actor).userId, target);
  return { subscription: row ? await presentSubscription(context, actor, row) : null, payment };
}

async function payByCard(
  context: Context,
  actor: Actor,
  target: Target,
  { target: id, product_solution: offerId }: Subscribe,
): Promise<PaymentStart> {
  const sold = offerId === null ? undefined : await findSold(context.db, offerId);
  const isAsked = target.kind === 'plan' ? sold?.offer.planId === id : sold?.offer.productId === id;
  if (!sold || !isAsked) throw new ApiError('noOffer');
  return createPayment(context, actor, { offer_id: sold.offer.id, method: 'card', key: context.ids.uuid() });
}

/** @throws ApiError `noOrder`, `paymentPending`, `transactionFailed` unless the named payment has granted the target */
async function requirePaid(context: Context, actor: Actor, target: string, name: string): Promise<void> {
  const payment = await getOwnPayment(context, actor, name);
  if (payment.target !== target) throw new ApiError('noOrder');
  const { state } = await presentOne(context, actor, payment.id);
  if (state === 'created' || state === 'pending' || state === 'paid') throw pending();
  if (state !== 'granted') throw new ApiError('transactionFailed');
}

export function listSubscriptions(
  context: Context,
  actor: Actor,
  { page, all }: InputOf<typeof api.subscriptions>,
): Promise<Page<SubscriptionInfo>> {
  const { userId } = signedIn(actor);
  return paged({
    cursor: page,
    read: (request) => listOwnSubscriptions(context.db, userId, { ...request, all: all === 'yes' }),
    positionOf: (row) => row,
    present: (rows) => presentSubscriptions(context, actor, rows),
  });
}

/**
 * Cancels the plan at the end of what is paid. One that is suspended, or has no end, ends now.
 * @throws ApiError `noSubscription`; `unsubscribeFailed` where PayPal does not confirm that it charges no more
 */
export async function cancelPlan(context: Context, actor: Actor): Promise<SubscriptionInfo> {
  const plan = await getPlan(context, actor);
  const { id, userId } = plan;
  // What has ended is stopped by itself, and charged money goes back; another month of what goes on would be taken.
  if (!plan.cancelAtEnd && !endsNow(context, plan)) await stopRenewing(context, plan);
  await context.db.transaction(async (tx) => {
    // A payment of it that is under way comes first or last.
    await findUserForUpdate(tx, userId);
    const row = await findSubscription(tx, id);
    if (row) await cancel(context, tx, row);
  });
  return presentSubscription(context, actor, await reread(context, id));
}

/** Cancels the plan of an account that is to be removed: nothing is charged until then. */
export async function cancelPlanOf(context: Context, tx: Tx, userId: string): Promise<void> {
  const row = await findLiveSubscription(tx, userId, { kind: 'plan' });
  // A plan that was given is charged by nobody, and stays if the member keeps the account.
  if (row?.provider) await cancel(context, tx, row);
}

/** Makes PayPal charge nothing more for an account that is about to be deleted. @throws PayPalError */
export async function stopChargesOf(context: Context, userId: string): Promise<void> {
  const refs = await listPayPalRefs(context.db, userId);
  // Without PayPal its account is the operator's to close; the member's must not stay because of it.
  if (!context.paypal && refs.length > 0)
    context.log.error({ refs }, 'Subscriptions at PayPal have to be cancelled there');
  else for (const ref of refs) await stopAtPayPal(context, ref);
}

/**
 * Makes PayPal charge no further month, before a member is told so. Operators hear of it where it does not.
 * @throws ApiError `unsubscribeFailed` if it refuses, or does not answer: the plan goes on
 */
async function stopRenewing(context: Context, { id, provider, providerRef: ref }: SubscriptionRow): Promise<void> {
  const { db, clock, log, paypal } = context;
  // Without PayPal nobody but the operator can stop it there, who is told when the job has failed for days.
  if (provider !== 'paypal' || !ref || !paypal) return;
  // It may stop without our hearing of it: PayPal is asked soon, and made to follow the plan if that goes on.
  await updateSubscription(db, id, { nextCheckAt: new Date(clock.now().getTime() + MINUTE_MS) });
  try {
    await suspendAtPayPal(context, ref);
  } catch (error) {
    if (!(error instanceof PayPalError)) throw error;
    log.warn({ err: error, debugId: error.debugId }, 'PayPal does not cancel a plan');
    const { status, isUnknown, name } = error;
    // It may refuse for good, such as after a change of the account: then only an operator can cancel the plan there.
    // 429: it asks for a pause, no more.
    const isRefused = !isUnknown && status !== null && status !== 429;
    if (isRefused) await reportUnstopped(context, ref, { wish: 'cancel', code: name });
    else await db.transaction((tx) => tellAdmins(context, tx, { provider }, 'paymentUnanswered'));
    throw new ApiError('unsubscribeFailed');
  }
}

const endsNow = ({ clock }: Context, { state, paidUntil }: SubscriptionRow): boolean =>
  state === 'suspended' || paidUntil === null || paidUntil <= clock.now();

async function cancel(context: Context, tx: Tx, row: SubscriptionRow): Promise<void> {
  const ref = row.provider === 'paypal' ? row.providerRef : null;
  if (endsNow(context, row)) return endPlanNow(context, tx, row);
  await setCancelAtEnd(tx, row.id, true);
  if (ref) await context.jobs.enqueue(tx, alignBilling, { ref });
}

/** Ends a plan at once, and what PayPal charges for it. */
async function endPlanNow(context: Context, tx: Tx, row: SubscriptionRow): Promise<void> {
  await endSubscription(context, tx, row.id);
  const ref = row.provider === 'paypal' ? row.providerRef : null;
  if (ref) await context.jobs.enqueue(tx, stopBilling, { ref });
}

/**
 * Lets a cancelled plan go on, before it has ended.
 * @throws ApiError `noSubscription`, `paymentMethodUnavailable` if the buyer has cancelled it at PayPal for good
 */
export async function resumePlan(context: Context, actor: Actor): Promise<SubscriptionInfo> {
  const row = await getPlan(context, actor);
  const ref = row.provider === 'paypal' ? row.providerRef : null;
  if (isEndedAtPayPal(row)) throw new ApiError('paymentMethodUnavailable');
  if (ref && row.cancelAtEnd) {
    const { status } = await asked(context, () => requirePayPal(context).getSubscription(ref));
    if (status === 'CANCELLED' || status === 'EXPIRED') throw new ApiError('paymentMethodUnavailable');
  }
  await context.db.transaction(async (tx) => {
    await setCancelAtEnd(tx, row.id, false);
    if (ref) await context.jobs.enqueue(tx, alignBilling, { ref });
  });
  return presentSubscription(context, actor, await reread(context, row.id));
}

/**
 * Charges a suspended plan again, and restores it at once if that succeeds [A75].
 * @throws ApiError `noSubscription`, `paymentPending`, `transactionFailed`
 */
export async function payNow(context: Context, actor: Actor): Promise<SubscriptionInfo> {
  const row = await getPlan(context, actor);
  if (row.state === 'suspended') {
    if (row.provider === 'sunpay') await payByToken(context, row);
    else if (row.providerRef) await payOutstanding(context, row, row.providerRef);
    else throw new ApiError('transactionFailed');
  }
  const now = await reread(context, row.id);
  if (now.state === 'suspended') throw pending();
  return presentSubscription(context, actor, now);
}

async function payByToken(context: Context, { id, token }: SubscriptionRow): Promise<void> {
  if (!token || !context.sunpay) throw new ApiError('transactionFailed');
  const begun = await beginCharge(context, id, context.ids.uuid());
  // Another charge is under way.
  if (!begun) throw pending();
  let payment = await sendCharge(context, begun);
  if (payment?.state === 'pending') {
    await asked(context, () => askProvider(context, payment as PaymentRow));
    payment = await findPayment(context.db, begun.id);
  }
  if (payment?.state === 'failed') throw new ApiError('transactionFailed');
}

/** PayPal carries out an accepted charge in this time. If the money is still open then, it has failed. */
const ACCEPTED_MS = 2 * MINUTE_MS;

async function payOutstanding(context: Context, { id }: SubscriptionRow, ref: string): Promise<void> {
  const { db, clock, paypal } = context;
  const first = await findPaymentBy(db, { providerOrderId: ref }, 'paypal');
  if (!paypal || !first) throw new ApiError('transactionFailed');
  const told = await asked(context, () => paypal.getSubscription(ref));
  if (told.status === 'CANCELLED' || told.status === 'EXPIRED') throw new ApiError('transactionFailed');
  if (told.outstanding && told.outstanding.amount > 0) {
    const now = clock.now();
    // A double click, and a press after a lost answer, repeat one attempt [A60]; one after a refusal is another.
    const attempt = await countPayAttempts(db, first.id, new Date(now.getTime() - ACCEPTED_MS));
    const requestId = `payNow:${id}:${attempt}`;
    // Whatever becomes of the answer, PayPal is asked for the charge soon.
    await updateSubscription(db, id, { nextCheckAt: new Date(now.getTime() + MINUTE_MS) });
    const note = 'The member pays what is open.';
    const outcome = await paypal.captureOutstanding(ref, { requestId, money: told.outstanding, note });
    if (outcome.kind === 'unknown') throw pending();
    const isDeclined = outcome.kind === 'declined';
    const type = isDeclined ? 'payNow.declined' : 'payNow.accepted';
    const body = isDeclined ? { code: outcome.issue } : {};
    const at = clock.now();
    await claimEvent(db, { id: `own:${requestId}`, paymentId: first.id, type, body, receivedAt: at, handledAt: at });
    if (isDeclined) throw new ApiError('transactionFailed');
  }
  await asked(context, async () => {
    const { status } = await paypal.getSubscription(ref);
    if (status === 'SUSPENDED') await paypal.activateSubscription(ref, 'The member has paid.');
    await syncBilling(context, ref);
  });
}

/** @throws ApiError `paymentPending` where the provider does not answer: the reconciliation finds what was begun */
async function asked<T>({ log }: Context, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (!isNoAnswer(error)) throw error;
    const debugId = error instanceof PayPalError ? error.debugId : null;
    log.warn({ err: error, debugId }, 'The provider of a plan could not be asked');
    throw pending();
  }
}

async function getPlan({ db }: Context, actor: Actor): Promise<SubscriptionRow> {
  const row = await findLiveSubscription(db, signedIn(actor).userId, { kind: 'plan' });
  if (!row) throw new ApiError('noSubscription');
  return row;
}

async function reread({ db }: Context, id: string): Promise<SubscriptionRow> {
  const row = await findSubscription(db, id);
  if (!row) throw new ApiError('noSubscription');
  return row;
}

async function presentSubscription(context: Context, actor: Actor, row: SubscriptionRow): Promise<SubscriptionInfo> {
  const [info] = await presentSubscriptions(context, actor, [row]);
  if (!info) throw new ApiError('noSubscription');
  return info;
}

/** Returns subscriptions as their members see them, in the same order. */
export async function presentSubscriptions(
  context: Context,
  { language }: Actor,
  rows: readonly SubscriptionRow[],
): Promise<SubscriptionInfo[]> {
  const { db } = context;
  const offers = await findAllSold(
    db,
    rows.flatMap(({ offerId }) => offerId ?? []),
  );
  const unsold = rows.filter(({ offerId }) => offerId === null);
  const names = await findNames(
    db,
    unsold.map(({ id }) => id),
    language,
  );
  const attempts = new Map<string, Date | null>();
  for (const row of rows) attempts.set(row.id, await nextCharge(context, row));
  return rows.map((row) => {
    const sold = offers.get(row.offerId ?? 0);
    const name = sold ? nameOf(sold, language) : (names.get(row.id) ?? '');
    return present(row, sold, { name, chargeAt: attempts.get(row.id) ?? null });
  });
}

function present(
  row: SubscriptionRow,
  sold: Sold | undefined,
  { name, chargeAt }: { readonly name: string; readonly chargeAt: Date | null },
): SubscriptionInfo {
  const price = sold && row.provider ? priceAt(sold, row.provider) : null;
  const sum = price && { costs: price.amount, currency: price.currency };
  return {
    id: row.id,
    kind: row.kind,
    plan_id: row.planId,
    product_id: row.productId,
    offer_id: row.offerId,
    name,
    icon: sold?.plan?.icon ?? sold?.offer.icon ?? '',
    state: row.state,
    paid_until: row.paidUntil?.toISOString() ?? null,
    cancel_at_end: row.cancelAtEnd,
    renews: row.renews,
    method: row.provider && methodOf(row.provider),
    next_charge: chargeAt && sum ? { at: chargeAt.toISOString(), ...sum } : null,
    due: row.state === 'suspended' ? sum : null,
    date: row.createdAt.toISOString(),
  };
}
