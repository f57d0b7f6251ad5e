import type { Language } from '@framelift/contract';
import type { Context } from '../../context.ts';
import type { CaptureOutcome, PayPalOrder } from '../../platform/payments/paypal/answers.ts';
import type { PayPal } from '../../platform/payments/paypal/paypal.ts';
import { PayPalError } from '../../platform/payments/paypal/paypal-error.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/time.ts';
import { NOT_STARTED } from './failure.ts';
import { nameOf, tdOf } from './offers.ts';
import {
  findPayPalPlan,
  forgetPayPalPlan,
  keepPayPalPlan,
  type PaymentRow,
  type Sold,
  updatePayment,
} from './payment.sql.ts';
import { type News, settle } from './settle.ts';

/** Buyers approve within this time; PayPal gives them six hours. */
export const APPROVAL_MS = 6 * HOUR_MS + 10 * MINUTE_MS;
/** An order that was never made at PayPal is given up after this time. */
const LOST_MS = 10 * MINUTE_MS;

/** @throws PayPalError, unknown if PayPal is not set up: whoever pays in another way is not concerned */
export function requirePayPal({ paypal }: Pick<Context, 'paypal'>): PayPal {
  if (!paypal) throw new PayPalError('PayPal is not set up', { isUnknown: true, name: 'NOT_SET_UP' });
  return paypal;
}

/** Whether PayPal says that it has no such thing. The 404 of a proxy, or of a wrong address, says nothing. */
export const isGone = (error: unknown): boolean =>
  error instanceof PayPalError && error.status === 404 && error.name === 'RESOURCE_NOT_FOUND';

/** Returns where the buyer comes back to. */
function pagesOf({ settings }: Context, payment: PaymentRow) {
  const result = `${settings.publicUrl}/tradeResult?td=${tdOf(payment)}`;
  return { returnUrl: result, cancelUrl: `${result}&cancelled=1` };
}

/**
 * Makes the order, or the subscription, at PayPal and returns the address at which the buyer approves it. A repeated call
 * has the same request id and makes no second one.
 * @throws PayPalError
 */
export async function beginAtPayPal(context: Context, payment: PaymentRow, sold: Sold): Promise<string> {
  if (payment.approveUrl) return payment.approveUrl;
  const made =
    payment.route === 'billing' ? await subscribe(context, payment, sold) : await order(context, payment, sold);
  if (!made.approveUrl) throw new PayPalError('PayPal names no page to approve', { isUnknown: true });
  await updatePayment(context.db, payment.id, { providerOrderId: made.id, approveUrl: made.approveUrl });
  return made.approveUrl;
}

function order(context: Context, payment: PaymentRow, sold: Sold) {
  const { amount, currency, language } = payment;
  return requirePayPal(context).createOrder({
    ...pagesOf(context, payment),
    requestId: `payment:${tdOf(payment)}:create`,
    money: { amount, currency },
    customId: tdOf(payment),
    invoiceId: tdOf(payment),
    description: nameOf(sold, language),
    language,
  });
}

async function subscribe(context: Context, payment: PaymentRow, sold: Sold) {
  const { language } = payment;
  const request = { ...pagesOf(context, payment), customId: tdOf(payment), language };
  const requestId = `payment:${tdOf(payment)}:subscribe`;
  const planId = await planAtPayPal(context, payment, sold);
  try {
    return await requirePayPal(context).createSubscription({ ...request, planId, requestId });
  } catch (error) {
    if (!isGone(error)) throw error;
    // The plan belongs to another account of PayPal: the operator has changed it, or has gone live.
    await forgetPayPalPlan(context.db, sold.offer.id, planId);
    const anew = await planAtPayPal(context, payment, sold);
    return requirePayPal(context).createSubscription({ ...request, planId: anew, requestId: `${requestId}:2` });
  }
}

/** Returns PayPal's plan of an offer, made if missing. Of two made at once one is used. */
async function planAtPayPal(context: Context, { id, amount, currency }: PaymentRow, sold: Sold): Promise<string> {
  const { db, clock } = context;
  const known = await findPayPalPlan(db, sold.offer.id);
  if (known) return known;
  const paypal = requirePayPal(context);
  const name = nameOf(sold, 'en' satisfies Language) || `Offer ${sold.offer.id}`;
  const request = `offer:${sold.offer.id}:${id}`;
  const product = await paypal.createProduct({ requestId: `${request}:product`, name, description: name });
  const money = { amount, currency };
  const plan = await paypal.createPlan({ requestId: `${request}:plan`, productId: product.id, name, money });
  return keepPayPalPlan(db, sold.offer.id, plan.id, clock.now());
}

/** Asks PayPal about an order, and captures what the buyer has approved. @throws PayPalError */
export async function askAboutOrder(context: Context, payment: PaymentRow): Promise<readonly News[]> {
  const age = context.clock.now().getTime() - payment.createdAt.getTime();
  if (payment.providerOrderId === null) return age > LOST_MS ? [{ kind: 'declined', code: NOT_STARTED }] : [];
  const paypal = requirePayPal(context);
  let order: PayPalOrder;
  try {
    order = await paypal.getOrder(payment.providerOrderId);
  } catch (error) {
    if (isGone(error)) return [{ kind: 'expired' }];
    throw error;
  }
  if (order.outcome) return newsOf(order.outcome);
  if (order.status === 'VOIDED') return [{ kind: 'expired' }];
  // Nothing is captured for one in review: it may make way for another payment at any time.
  const isOpen = (payment.state === 'created' || payment.state === 'pending') && payment.problem === null;
  if (order.status === 'APPROVED' && isOpen) return capture(context, payment, order);
  return age > APPROVAL_MS ? [{ kind: 'expired' }] : [];
}

/**
 * Takes the money of an approved order. The payment is pending before the call: nobody can cancel it or pay again while
 * the answer is under way. Every attempt has the same request id, so that PayPal captures once [A58][A60].
 */
async function capture(context: Context, payment: PaymentRow, order: PayPalOrder): Promise<readonly News[]> {
  const { amount, currency } = payment;
  if (order.customId !== tdOf(payment) || order.money?.amount !== amount || order.money.currency !== currency) {
    context.log.error({ paymentId: payment.id }, 'An order at PayPal is not the one that was made');
    const isOurs = order.customId === tdOf(payment);
    const problem = order.money?.currency === currency ? 'amountMismatch' : 'foreignCurrency';
    return [{ kind: 'foreign', problem: isOurs ? problem : 'foreignOrder', orderId: order.id }];
  }
  const marked = await settle(context, payment.id, [{ kind: 'pending', reason: 'capturing' }]);
  if (marked?.state !== 'pending') return [];
  const paypal = requirePayPal(context);
  const outcome = await paypal.captureOrder(order.id, `payment:${tdOf(payment)}:capture`);
  if (outcome.kind === 'alreadyCaptured') {
    const read = await paypal.getOrder(order.id);
    return read.outcome ? newsOf(read.outcome) : [{ kind: 'pending', reason: 'unknown' }];
  }
  return newsOf(outcome);
}

function newsOf(outcome: CaptureOutcome): readonly News[] {
  switch (outcome.kind) {
    case 'completed': {
      const { id: captureId, money, status } = outcome.capture;
      return [{ kind: 'captured', captureId, money, isBack: status === 'REFUNDED' }];
    }
    case 'pending':
      return [{ kind: 'pending', reason: outcome.reason }];
    case 'declined':
      return [{ kind: 'declined', code: outcome.issue }];
    default:
      // Not a failure: the money may have moved [A59].
      return [{ kind: 'pending', reason: 'unknown' }];
  }
}
