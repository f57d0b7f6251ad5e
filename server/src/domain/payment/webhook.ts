import type { Context } from '../../context.ts';
import type { WebhookDelivery, WebhookEvent, WebhookSubject } from '../../platform/payments/paypal/webhook.ts';
import { SunPayCallbackError } from '../../platform/payments/sunpay/client.ts';
import { DAY_MS, HOUR_MS } from '../../platform/time.ts';
import { isGone, requirePayPal } from './at-paypal.ts';
import { newsOf } from './at-sunpay.ts';
import { syncBilling } from './billing.ts';
import { askProvider, isNoAnswer } from './check.ts';
import { isPaid } from './machine.ts';
import { idOfTd } from './offers.ts';
import {
  claimEvent,
  countForgery,
  findLook,
  findPayment,
  findPaymentBy,
  findRefundBy,
  finishEvent,
  keepLook,
  type PaymentRow,
} from './payment.sql.ts';
import { runRefund } from './refunds.ts';
import { reportProblem, settle } from './settle.ts';

/**
 * Takes a delivery of PayPal. Its content is only a hint: whatever it is about is read from PayPal. An event is handled
 * once [A63]; one that could not be handled to the end is delivered again.
 * @returns the HTTP status to answer
 * @throws PayPalError and errors of the database, for which PayPal repeats the delivery
 */
export async function receivePayPalWebhook(
  context: Context,
  delivery: WebhookDelivery,
): Promise<200 | 400 | 404 | 503> {
  const { paypal, db, clock } = context;
  if (!paypal) return 404;
  const verdict = await paypal.verifyWebhook(delivery);
  if (verdict.kind === 'unverifiable') return 503;
  if (verdict.kind !== 'valid') {
    await countForgery(db, 'paypal', clock.now());
    return 400;
  }
  await handleOnce(context, verdict.event);
  return 200;
}

async function handleOnce(context: Context, event: WebhookEvent): Promise<void> {
  const { db, clock, log } = context;
  const id = `paypal:${event.id}`;
  const { subject, type } = event;
  if (!(await claimEvent(db, { id, type, body: { ...subject }, receivedAt: clock.now() }))) return;
  const payment = await handle(context, event);
  await finishEvent(db, id, clock.now(), payment?.id ?? null);
  log.info({ type, paymentId: payment?.id ?? null }, 'PayPal told of an event');
}

/** PayPal lists the events of 30 days; a look exactly at their beginning would already be too early when it arrives. */
const LISTED_MS = 30 * DAY_MS - HOUR_MS;
/** An event may be listed a little later than it happened. */
const OVERLAP_MS = HOUR_MS;

/**
 * Handles the events of PayPal that were not delivered: it repeats a delivery for three days only, and of a dispute
 * nothing else tells. Each look begins where the last one that handled everything ended.
 * @throws PayPalError
 */
export async function handleMissedEvents(context: Context): Promise<void> {
  const { paypal, db, clock, log } = context;
  if (!paypal) return;
  const now = clock.now();
  const last = await findLook(db);
  const from = Math.max(now.getTime() - LISTED_MS, (last?.getTime() ?? 0) - OVERLAP_MS);
  let isDone = true;
  for (const event of await paypal.listEvents(new Date(from), now)) {
    try {
      await handleOnce(context, event);
    } catch (err) {
      isDone = false;
      log.warn({ err, type: event.type }, 'A missed event of PayPal could not be handled now');
    }
  }
  if (isDone) await keepLook(db, now);
}

async function handle(context: Context, { type, subject }: WebhookEvent): Promise<PaymentRow | undefined> {
  const { db } = context;
  switch (subject.kind) {
    case 'order':
    case 'capture': {
      const payment = await paymentOf(context, subject);
      if (payment) await askProvider(context, payment);
      return payment;
    }
    case 'sale':
      if (subject.subscriptionId === null) return undefined;
      await syncBilling(context, subject.subscriptionId);
      return findPaymentBy(db, { captureId: subject.saleId }, 'paypal');
    case 'subscription':
      await syncBilling(context, subject.subscriptionId);
      return findPaymentBy(db, { providerOrderId: subject.subscriptionId }, 'paypal');
    case 'refund':
      return handleRefund(context, type, subject);
    case 'dispute': {
      let payment: PaymentRow | undefined;
      for (const captureId of subject.captureIds) {
        const disputed = await paymentOfCapture(context, captureId).catch((error: unknown) => {
          if (isGone(error)) return undefined;
          throw error;
        });
        if (disputed) await reportProblem(context, disputed, 'disputed');
        payment ??= disputed;
      }
      return payment;
    }
    default:
      return undefined;
  }
}

/** Finds a payment by PayPal's order, by its capture, or by our number that the capture carries. */
async function paymentOf(
  context: Context,
  subject: Extract<WebhookSubject, { kind: 'order' | 'capture' }>,
): Promise<PaymentRow | undefined> {
  const { db } = context;
  const byOrder = (providerOrderId: string) => findPaymentBy(db, { providerOrderId }, 'paypal');
  if (subject.kind === 'order') return byOrder(subject.orderId);
  const { captureId, orderId } = subject;
  const known = (await findPaymentBy(db, { captureId }, 'paypal')) ?? (orderId ? await byOrder(orderId) : undefined);
  if (known) return known;
  const { customId } = await requirePayPal(context).getCapture(captureId);
  const id = customId === null ? null : idOfTd(customId);
  return id === null ? undefined : findPayment(db, id);
}

/**
 * Finds the payment that a capture has paid. One that is not known is looked for at PayPal first: its message may be slower.
 * The number that it carries names the first payment of a subscription, also if it has paid a later one.
 */
async function paymentOfCapture(context: Context, captureId: string): Promise<PaymentRow | undefined> {
  const find = () => findPaymentBy(context.db, { captureId }, 'paypal');
  const known = await find();
  if (known) return known;
  const named = await paymentOf(context, { kind: 'capture', captureId, orderId: null });
  if (!named) return undefined;
  await askProvider(context, named);
  return find();
}

async function handleRefund(
  context: Context,
  type: string,
  { refundId, captureId }: Extract<WebhookSubject, { kind: 'refund' }>,
): Promise<PaymentRow | undefined> {
  const { db } = context;
  const ours = await findRefundBy(db, refundId);
  if (type.startsWith('PAYMENT.REFUND.')) {
    if (ours) await runRefund(context, ours.id);
    return ours && findPayment(db, ours.paymentId);
  }
  const named = captureId ?? (type.endsWith('.REVERSED') ? refundId : null);
  const payment = ours
    ? await findPayment(db, ours.paymentId)
    : named === null
      ? undefined
      : await paymentOfCapture(context, named);
  if (!payment) return undefined;
  const paypal = requirePayPal(context);
  try {
    if (type.endsWith('.REVERSED')) {
      const { status } = await paypal.getCapture(named ?? '');
      if (status !== 'REFUNDED') await reportProblem(context, payment, 'reversed');
      else await settle(context, payment.id, [{ kind: 'reversed', reversalId: refundId }]);
      return payment;
    }
    const { status, money } = await paypal.getRefund(refundId);
    if (status === 'COMPLETED' && money?.currency === payment.currency) {
      await settle(context, payment.id, [{ kind: 'refund', refundId, amount: money.amount }]);
    }
  } catch (error) {
    if (!isGone(error)) throw error;
    // PayPal does not show it: an operator looks at it there.
    await reportProblem(context, payment, 'refundUnreadable');
  }
  return payment;
}

/**
 * Takes a message of the card provider: of its server, or brought back by the buyer's browser. One that is not signed by
 * it, or not for us, changes nothing. A late one is not believed either: SunPay is asked.
 * @returns the td of the payment, null for a message that was refused; and whether it is to be repeated, because SunPay did
 * not confirm it now
 * @throws errors of the database, for which SunPay repeats the message
 */
export async function receiveSunPayMessage(
  context: Context,
  body: unknown,
): Promise<{ readonly td: string | null; readonly isUnconfirmed: boolean }> {
  const { sunpay, db, clock, log } = context;
  const refused = { td: null, isUnconfirmed: false };
  if (!sunpay) return refused;
  const refuse = async (reason: string) => {
    log.warn({ reason }, 'A message of the card provider was refused');
    await countForgery(db, `sunpay:${reason}`, clock.now());
    return refused;
  };
  let message: ReturnType<typeof sunpay.verifyCallback>;
  try {
    message = sunpay.verifyCallback(body);
  } catch (error) {
    if (error instanceof SunPayCallbackError) return refuse(error.reason);
    throw error;
  }
  const id = idOfTd(message.td);
  const payment = id === null ? undefined : await findPayment(db, id);
  if (payment?.provider !== 'sunpay') return refuse('unknownOrder');
  const { td, tradeNo, result, amount, currency, isLate } = message;
  const eventId = `sunpay:${td}:${tradeNo}:${result}`;
  const told = { tradeNo, result, amount, currency };
  const event = { id: eventId, paymentId: payment.id, type: `card.${result}`, body: told, receivedAt: clock.now() };
  if (await claimEvent(db, event)) {
    const news = newsOf(context, message, payment.userId);
    if (isLate) {
      // First: the card of a plan is told by this message alone, and SunPay may confirm the money now or only later.
      if (news.kind === 'captured' && news.cardToken)
        await settle(context, payment.id, [{ kind: 'card', token: news.cardToken }]);
      try {
        await askProvider(context, payment);
      } catch (error) {
        if (!isNoAnswer(error)) throw error;
        log.warn({ err: error, paymentId: payment.id }, 'A late message of the card provider is not confirmed yet');
        return { td, isUnconfirmed: true };
      }
    }
    const confirmed = isLate ? isPaid((await findPayment(db, payment.id)) ?? payment) : true;
    if (confirmed) await settle(context, payment.id, [news]);
    await finishEvent(db, eventId, clock.now(), payment.id);
  }
  return { td, isUnconfirmed: false };
}
