import { ApiError } from '@framelift/contract';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, retryAt } from '../../platform/time.ts';
import { notifyAdmins } from '../notification/notify.ts';
import { isGone, requirePayPal } from './at-paypal.ts';
import { requireSunPay, SunPaySilence } from './at-sunpay.ts';
import { writeEvent } from './events.ts';
import { isPaid } from './machine.ts';
import { tdOf } from './offers.ts';
import {
  findPayment,
  findRefund,
  listRefunds,
  lockPayment,
  type PaymentRow,
  type RefundRow,
  updateRefund,
} from './payment.sql.ts';
import { insertPendingRefund, isUngrantable, reportProblem, settle } from './settle.ts';

const REPEAT_MS = 30 * DAY_MS;
/** PayPal knows a repeated call for 45 days. */
const KNOWN_MS = 44 * DAY_MS;

/**
 * Begins a refund in the caller's transaction; `runRefund` carries it out after the commit. All refunds of a payment that
 * did not fail are together never more than what was paid [A71].
 * @param amount null for all that is left
 * @throws ApiError `paymentNotFound`, `paymentNotRefundable`
 */
export async function beginRefund(
  context: Context,
  tx: Tx,
  refund: { id?: string; paymentId: string; amount: number | null; reason: string; actorId: string },
): Promise<RefundRow> {
  const { id = context.ids.uuid(), paymentId, amount, reason, actorId } = refund;
  const locked = await lockPayment(tx, paymentId);
  if (!locked) throw new ApiError('paymentNotFound');
  const { payment } = locked;
  const begun = isPaid(payment) && (await insertPendingRefund(context, tx, payment, { id, amount, reason, actorId }));
  if (!begun) throw new ApiError('paymentNotRefundable');
  return begun;
}

/**
 * Carries out a refund, or asks what became of it. Repeatable: PayPal knows a repeated one by its request id. SunPay has
 * no public call for it: the operator refunds in its console, and what is recorded here is their word.
 * @throws PayPalError
 */
export async function runRefund(context: Context, id: string): Promise<void> {
  const { db } = context;
  const refund = await findRefund(db, id);
  const payment = refund && (await findPayment(db, refund.paymentId));
  if (refund?.state !== 'pending' || !payment?.providerCaptureId) return;
  const { amount, providerRefundId, createdAt } = refund;
  if (payment.provider === 'sunpay') {
    await settle(context, payment.id, [{ kind: 'refund', refundId: `sunpay:${id}`, amount }]);
    return;
  }
  const paypal = requirePayPal(context);
  if (providerRefundId) {
    const { status } = await paypal.getRefund(providerRefundId);
    if (status === 'COMPLETED')
      await settle(context, payment.id, [{ kind: 'refund', refundId: providerRefundId, amount }]);
    if (status === 'FAILED' || status === 'CANCELLED') await failRefund(context, refund, status);
    return;
  }
  // The first call may have sent the money, and PayPal would send it again.
  if (context.clock.now().getTime() - createdAt.getTime() > KNOWN_MS) return settleForgotten(context, payment, refund);
  const money = { amount, currency: payment.currency };
  const outcome = await paypal.refundCapture(payment.providerCaptureId, { requestId: `refund:${id}`, money });
  switch (outcome.kind) {
    case 'completed':
      await settle(context, payment.id, [{ kind: 'refund', refundId: outcome.refund.id, amount }]);
      return;
    case 'pending':
      await updateRefund(db, id, { providerRefundId: outcome.refund.id });
      return;
    case 'refused':
      await failRefund(context, refund, outcome.issue);
      // The money may have gone back already, by hand at PayPal.
      await askAboutRefunds(context, payment);
      await sendBackRest(context, payment.id);
      return;
    default:
      context.log.warn({ err: outcome.error, refundId: id }, 'The outcome of a refund is unknown');
  }
}

/**
 * Asks whether money of a payment went back of which no message told: an operator can refund at the provider too,
 * and a bank can take it back. PayPal lists the refunds of an order. Of a charge of a subscription it tells only that some
 * of it went back, or all, and with each refund how much had gone back by then: an operator looks at a part that we do not
 * know. SunPay tells that money went back, not how much.
 * @throws PayPalError, SunPaySilence
 */
export async function askAboutRefunds(context: Context, payment: PaymentRow): Promise<void> {
  if ((await listRefunds(context.db, payment.id)).some(({ state }) => state === 'pending')) return;
  await readRefunds(context, payment);
}

/**
 * @returns whether the provider has told of all that went back, and nothing is on its way
 * @throws PayPalError, SunPaySilence
 */
async function readRefunds(context: Context, payment: PaymentRow): Promise<boolean> {
  const { id, providerCaptureId: captureId, providerOrderId } = payment;
  if (captureId === null) return false;
  if (payment.provider === 'sunpay') {
    const check = await requireSunPay(context).checkPayment({ td: tdOf(payment) });
    if (check.state === 'unknown') throw new SunPaySilence(check.reason);
    if (check.state === 'refunded')
      await settle(context, id, [{ kind: 'reversed', reversalId: `sunpay:${captureId}`, ifWhole: true }]);
    return false;
  }
  const paypal = requirePayPal(context);
  const status = await orGone(paypal.getCapture(captureId).then((capture) => capture.status));
  if (status !== 'COMPLETED' && status !== 'REFUNDED' && status !== 'PARTIALLY_REFUNDED') return false;
  const order = payment.route === 'order' ? await orGone(paypal.getOrder(providerOrderId ?? '')) : null;
  const listed = (order?.refunds ?? []).filter((refund) => refund.status !== 'FAILED' && refund.status !== 'CANCELLED');
  const completed = listed.flatMap(({ id: refundId, status: state, money }) =>
    state === 'COMPLETED' && money?.currency === payment.currency
      ? [{ kind: 'refund', refundId, amount: money.amount } as const]
      : [],
  );
  // One that is pending, or cannot be read, may be the one that is looked for.
  const isTold = order !== null && completed.length === listed.length;
  if (status === 'COMPLETED') return payment.route !== 'order' || (isTold && listed.length === 0);
  const settled = await settle(context, id, completed);
  if (status === 'REFUNDED') await settle(context, id, [{ kind: 'reversed', reversalId: `paypal:${captureId}` }]);
  // One that nothing was granted for is with an operator already.
  else if (settled?.state === 'granted' && (await hasUnknownRefund(context, settled)))
    await reportProblem(context, payment, 'refundUnreadable');
  return status === 'REFUNDED' || (isTold && listed.length > 0);
}

/**
 * Finds out what became of a refund that PayPal has forgotten. What did not go back is begun anew. An operator looks at what
 * PayPal does not tell clearly, and at a part of a subscription's charge, of which it does not tell whether it is this one.
 * @throws PayPalError
 */
async function settleForgotten(context: Context, payment: PaymentRow, refund: RefundRow): Promise<void> {
  const { db, clock, ids } = context;
  const { id, amount, reason, actorId } = refund;
  if (!(await readRefunds(context, payment))) return;
  await db.transaction(async (tx) => {
    const locked = await lockPayment(tx, payment.id);
    // It was found.
    if (!locked || (await findRefund(tx, id))?.state !== 'pending') return;
    await updateRefund(tx, id, { state: 'failed', failureCode: 'notSent', endedAt: clock.now() });
    await writeEvent(context, tx, payment.id, 'refund.failed', { code: 'notSent' });
    const anew = { id: ids.uuid(), amount, reason, actorId };
    if (!(await insertPendingRefund(context, tx, locked.payment, anew)))
      await notifyAdmins(context, tx, 'paymentProblem');
  });
}

/** Returns whether more of a payment of which a part went back is gone than what we know of, as far as PayPal tells. */
async function hasUnknownRefund(context: Context, { id, route, refunded }: PaymentRow): Promise<boolean> {
  if (refunded === 0 || route !== 'billing') return refunded === 0;
  const paypal = requirePayPal(context);
  for (const { state, providerRefundId } of await listRefunds(context.db, id)) {
    if (state !== 'completed' || providerRefundId === null) continue;
    const told = await orGone(paypal.getRefund(providerRefundId));
    if ((told?.total?.amount ?? 0) > refunded) return true;
  }
  return false;
}

/**
 * Sends back the rest of what can be given nothing, once it is known that a part went back by hand: PayPal has refused to
 * send back all of it. What it refused is not tried again.
 */
export async function sendBackRest(context: Context, id: string): Promise<void> {
  await context.db.transaction(async (tx) => {
    const locked = await lockPayment(tx, id);
    if (locked?.payment.provider !== 'paypal' || !isUngrantable(locked.payment)) return;
    const { amount, refunded, problem } = locked.payment;
    const left = amount - refunded;
    const rows = await listRefunds(tx, id);
    if (rows.some(({ state, amount: sum }) => state === 'pending' || (state === 'failed' && sum === left))) return;
    const refund = { id: context.ids.uuid(), amount: left, reason: problem ?? '', actorId: null };
    await insertPendingRefund(context, tx, locked.payment, refund);
  });
}

/** Returns null for what PayPal does not know, such as that of another account. */
async function orGone<T>(told: Promise<T>): Promise<T | null> {
  try {
    return await told;
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

async function failRefund(context: Context, { id, paymentId, actorId }: RefundRow, code: string): Promise<void> {
  const { db, clock } = context;
  await db.transaction(async (tx) => {
    await lockPayment(tx, paymentId);
    if ((await findRefund(tx, id))?.state !== 'pending') return;
    await updateRefund(tx, id, { state: 'failed', failureCode: code, endedAt: clock.now() });
    await writeEvent(context, tx, paymentId, 'refund.failed', { code });
    // The administrator of any other reads the answer.
    if (actorId === null) await notifyAdmins(context, tx, 'paymentProblem');
  });
}

/**
 * Repeats a refund whose answer was lost, or asks about one that takes its time, ever less often. An operator is
 * told of one that is not decided after a month; once PayPal has forgotten it, it is looked at a last time.
 * @throws PayPalError
 */
export async function repeatRefund(
  context: Context,
  { id, paymentId, createdAt }: RefundRow,
  now: Date,
): Promise<void> {
  const age = now.getTime() - createdAt.getTime();
  const isOver = age > REPEAT_MS;
  const nextCheckAt = retryAt(now, createdAt, { least: MINUTE_MS, most: 6 * HOUR_MS });
  await updateRefund(context.db, id, { nextCheckAt });
  try {
    await runRefund(context, id);
  } finally {
    if (isOver && (await findRefund(context.db, id))?.state === 'pending')
      await reportProblem(context, { id: paymentId }, 'refundUnanswered');
  }
  const last = age > KNOWN_MS ? null : new Date(createdAt.getTime() + KNOWN_MS + HOUR_MS);
  // Only now: a process that ends before must not leave it to nobody.
  if (isOver) await updateRefund(context.db, id, { nextCheckAt: last });
}
