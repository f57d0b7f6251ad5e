import {
  ApiError,
  type api,
  type InputOf,
  type PaymentMethod,
  type PaymentStart,
  type PaymentStep,
} from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { PayPalError } from '../../platform/payments/paypal/paypal-error.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/time.ts';
import { findOfferForSale } from '../catalogue/catalogue.sql.ts';
import { findLiveSubscription } from '../membership/membership.sql.ts';
import { requireOpen } from '../site/features.ts';
import { findUser, findUserForUpdate } from '../user/user.sql.ts';
import { beginAtPayPal } from './at-paypal.ts';
import { beginAtSunPay } from './at-sunpay.ts';
import { isEndedAtPayPal } from './billing.ts';
import { askProvider, isNoAnswer } from './check.ts';
import { NOT_STARTED } from './failure.ts';
import { PROVIDERS, type Provider, priceAt, targetOf, tdOf } from './offers.ts';
import { findByRequestKey, findPayment, findSold, listOpen, type PaymentRow, type Sold } from './payment.sql.ts';
import { insertPurchase } from './purchase.ts';
import { expire, isUngrantable, reportProblem, settle } from './settle.ts';
import { mayBePaidUnseen } from './unanswered.ts';

/** When a new payment is first looked at, should the buyer never come back. */
const FIRST_CHECK_MS = 2 * MINUTE_MS;
/** What is under way at a provider that was switched off is waited for so long: it may be switched on again. */
const OUT_OF_REACH_MS = 14 * DAY_MS;

/**
 * Makes the order and the payment of an offer, at the server's price, then begins it at the provider. A repeated call with
 * the same key continues the same payment. Of payments for one thing one is under way at a time: an earlier one that
 * nobody has approved ends, one that is not decided refuses the call [A59].
 * @throws ApiError `storeClosed`, `noOffer`, `alreadySubscribed`, `paymentPending`, `paymentMethodUnavailable`,
 *   `paymentNotStarted`
 */
export async function createPayment(
  context: Context,
  actor: Actor,
  { offer_id: offerId, method, key }: InputOf<typeof api.createPayment>,
): Promise<PaymentStart> {
  const { userId } = signedIn(actor);
  const sold = await findSold(context.db, offerId);
  if (!sold) throw new ApiError('noOffer');
  // Before the transaction, which holds a connection while the switches are read on another. What was begun goes on.
  if (!(await findByRequestKey(context.db, userId, key))) await requireOpen(context, 'store');
  await askAboutEarlier(context, userId, sold, key);
  const payment = await begin(context, actor, { userId, sold, method, key });
  return { td: tdOf(payment), order_id: payment.orderId ?? payment.id, step: await firstStep(context, payment, sold) };
}

/**
 * Asks about earlier payments for the same thing that the buyer may have made without coming back: at a page of the card
 * provider, or by approving a subscription, which PayPal then charges by itself. An order is charged by us only. One in
 * review is asked about too, before it makes way.
 * @throws ApiError `paymentPending` where the provider does not tell
 */
async function askAboutEarlier(context: Context, userId: string, sold: Sold, key: string): Promise<void> {
  for (const open of await listOpen(context.db, userId, targetOf(sold))) {
    if (open.requestKey === key) continue;
    if (!context[open.provider]) {
      // It was switched off: nobody can pay there, or be asked. What was paid before is found once it is back.
      context.log.warn({ paymentId: open.id }, 'An earlier payment is at a provider that is switched off');
      const age = context.clock.now().getTime() - open.createdAt.getTime();
      // Its money may have moved, which nobody will tell: it makes way, and an operator looks at it there.
      if (open.state === 'pending' && age > OUT_OF_REACH_MS) await reportProblem(context, open, 'outOfReach');
      continue;
    }
    if (!mayBePaidUnseen(open) && !isInReview(open)) continue;
    try {
      await askProvider(context, open);
    } catch (error) {
      if (!isNoAnswer(error)) throw error;
      context.log.warn({ err: error, paymentId: open.id }, 'The provider of an earlier payment could not be asked');
      throw pending();
    }
  }
}

/**
 * Whether a payment waits for an operator: its provider tells something else than was ordered. Neither is anything more
 * captured for it, nor is anything granted, so that it must not keep its buyer from buying again.
 */
const isInReview = ({ state, problem }: PaymentRow): boolean =>
  (state === 'created' || state === 'pending') && problem !== null;

interface Purchase {
  readonly userId: string;
  readonly sold: Sold;
  readonly method: PaymentMethod;
  readonly key: string;
}

async function begin(context: Context, actor: Actor, { userId, sold, method, key }: Purchase): Promise<PaymentRow> {
  const provider = PROVIDERS[method];
  return context.db.transaction(async (tx) => {
    const user = await findUserForUpdate(tx, userId);
    if (!user) throw new ApiError('tokenExpired');
    const same = await findByRequestKey(tx, userId, key);
    if (same) return continued(same, sold, provider);
    const price = priceAt(sold, provider);
    await requireForSale(context, tx, userId, sold);
    if (!price || !context[provider]) throw new ApiError('paymentMethodUnavailable');
    const target = targetOf(sold);
    for (const open of await listOpen(tx, userId, target)) {
      // Its money goes back.
      if (isUngrantable(open)) continue;
      if (open.state !== 'created' && !isInReview(open)) throw pending();
      await expire(context, tx, open, 'replaced');
    }
    return insertPurchase(context, tx, {
      ...{ userId, sold, price, language: actor.language, requestKey: key, checkAfterMs: FIRST_CHECK_MS },
      ...{ provider, route: routeOf(sold, provider), state: 'created' },
    });
  });
}

/** A key belongs to one purchase: it is neither changed nor begun anew once it is decided. */
function continued(payment: PaymentRow, sold: Sold, provider: Provider): PaymentRow {
  if (payment.offerId !== sold.offer.id || payment.provider !== provider) {
    throw new ApiError('invalidInput', ['key: belongs to another purchase']);
  }
  if (payment.state === 'created') return payment;
  if (payment.state === 'failed' || payment.state === 'expired') throw new ApiError('noOffer');
  throw payment.state === 'pending' ? pending() : new ApiError('alreadySubscribed');
}

export function pending(): ApiError {
  return new ApiError('paymentPending', [], { retryAfter: 5 });
}

function routeOf({ offer }: Sold, provider: Provider): PaymentRow['route'] {
  if (provider === 'paypal') return offer.kind === 'plan' ? 'billing' : 'order';
  // Only route 2 keeps the card, which the renewals of a plan need.
  return offer.kind === 'plan' ? 'token' : 'cash';
}

async function requireForSale({ clock }: Context, tx: Tx, userId: string, { offer, product, plan }: Sold) {
  if (!(await findOfferForSale(tx, offer.id))) throw new ApiError('noOffer');
  if (product) {
    const live = await findLiveSubscription(tx, userId, { kind: 'product', productId: product.id });
    if (live && (live.paidUntil === null || live.paidUntil > clock.now())) throw new ApiError('alreadySubscribed');
  }
  if (plan) {
    const live = await findLiveSubscription(tx, userId, { kind: 'plan' });
    // One that was cancelled at PayPal cannot be resumed there: it goes on by buying it again.
    if (live?.planId !== plan.id || live.state !== 'active' || isEndedAtPayPal(live)) return;
    const isOver = live.paidUntil !== null && live.paidUntil <= clock.now() && (!live.renews || live.cancelAtEnd);
    if (!isOver) throw new ApiError('alreadySubscribed');
  }
}

async function firstStep(context: Context, payment: PaymentRow, sold: Sold): Promise<PaymentStep> {
  if (payment.provider === 'sunpay') {
    const user = await findUser(context.db, payment.userId ?? '');
    if (!user) throw new ApiError('tokenExpired');
    // Switched off since the payment was made.
    if (!context.sunpay) throw new ApiError('paymentMethodUnavailable');
    return beginAtSunPay(context, context.sunpay, payment, sold, user);
  }
  try {
    const url = await beginAtPayPal(context, payment, sold);
    // Ended meanwhile by a newer one.
    if ((await findPayment(context.db, payment.id))?.state === 'expired') throw pending();
    return { kind: 'redirect', url };
  } catch (error) {
    if (!(error instanceof PayPalError)) throw error;
    context.log.warn({ err: error, paymentId: payment.id, debugId: error.debugId }, 'PayPal did not begin a payment');
    // No page was shown, so that nothing can be paid. One without an answer is continued by the same key.
    if (!error.isUnknown)
      await settle(context, payment.id, [
        { kind: 'declined', code: `${NOT_STARTED}:${error.issues[0] ?? error.name}` },
      ]);
    throw new ApiError('paymentNotStarted');
  }
}
