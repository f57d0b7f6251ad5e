import { Readable } from 'node:stream';
import {
  ApiError,
  type api,
  type InputOf,
  type ManagedPayment,
  type ManagedPaymentDetail,
  type ManagedPaymentFilter,
  type ManagedSubscription,
  toDecimal,
} from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import { csvHead, csvLine } from '../../platform/csv.ts';
import { ADMIN_PAGE_SIZE, type Page, paged, readAll } from '../../platform/paging.ts';
import { PayPalError } from '../../platform/payments/paypal/paypal-error.ts';
import { findSubscription } from '../membership/membership.sql.ts';
import { checkPayment, isNoAnswer } from '../payment/check.ts';
import { writeEvent } from '../payment/events.ts';
import { failureOf } from '../payment/failure.ts';
import { methodOf, nameOf, tdOf } from '../payment/offers.ts';
import {
  findAllSold,
  findPayment,
  findRefund,
  findSold,
  listEvents,
  lockPayment,
  type PaymentRow,
  type Sold,
  updatePayment,
} from '../payment/payment.sql.ts';
import { beginRefund, runRefund } from '../payment/refunds.ts';
import { closeUnanswered } from '../payment/settle.ts';
import { presentSubscriptions } from '../payment/subscribe.ts';
import { isUnanswered, unansweredBefore } from '../payment/unanswered.ts';
import { findPointEntry } from '../points/points.sql.ts';
import {
  countFailures,
  findAnyPayment,
  findLastPayments,
  listAllPayments,
  listAllSubscriptions,
  listNamedRefunds,
} from './payments.sql.ts';

type Row = Awaited<ReturnType<typeof listAllPayments>>[number];
const place = ({ payment }: Row) => payment;

/** Returns a page of all payments. @throws ApiError `invalidInput` for an invalid cursor */
export function listManagedPayments(
  context: Context,
  { language }: Actor,
  { page, ...filter }: InputOf<typeof api.managedPayments>,
): Promise<Page<ManagedPayment>> {
  const { db } = context;
  return paged({
    cursor: page,
    size: ADMIN_PAGE_SIZE,
    read: (request) => listAllPayments(db, filter, unansweredBefore(context), request),
    positionOf: place,
    present: async (rows) => {
      const sold = await findAllSold(
        db,
        rows.map(({ payment }) => payment.offerId),
      );
      return rows.map((row) => present(context, row, sold.get(row.payment.offerId), language));
    },
  });
}

/** Returns a payment with its history. @throws ApiError `paymentNotFound` */
export async function getManagedPayment(
  context: Context,
  { language }: Actor,
  { id }: { readonly id: string },
): Promise<ManagedPaymentDetail> {
  const { db } = context;
  const row = await findAnyPayment(db, id);
  if (!row) throw new ApiError('paymentNotFound');
  const { payment } = row;
  const events = await listEvents(db, id);
  const refunds = await listNamedRefunds(db, id);
  const sold = await findSold(db, payment.offerId);
  if (!sold) throw new Error(`The offer ${payment.offerId} of a payment is gone`);
  const { offer, plan } = sold;
  return {
    ...present(context, row, sold, language),
    order_id: payment.orderId,
    subscription_id: payment.subscriptionId,
    sold: { kind: offer.kind, points: offer.points ?? plan?.points ?? 0, months: offer.period },
    granted: await presentGranted(db, payment, sold),
    provider_order_id: payment.providerOrderId,
    next_check_at: payment.nextCheckAt?.toISOString() ?? null,
    events: events.map(({ id, type, body, receivedAt, handledAt }) => ({
      id,
      type,
      body,
      at: receivedAt.toISOString(),
      handled: handledAt !== null,
    })),
    refunds: refunds.map(({ refund: { id, amount, state, reason, failureCode, createdAt }, by }) => ({
      id,
      costs: amount,
      state,
      reason,
      by,
      code: failureCode,
      date: createdAt.toISOString(),
    })),
  };
}

/** Streams the matching payments as CSV. The export is recorded in the audit log. */
export async function exportManagedPayments(
  context: Context,
  auditActor: AuditActor,
  filter: ManagedPaymentFilter,
): Promise<Readable> {
  const { db } = context;
  const after = { searched: Boolean(filter.q), from: filter.from, to: filter.to };
  await db.transaction((tx) => writeAudit(context, tx, auditActor, { action: 'payments.exported', after }));
  async function* lines() {
    yield csvHead([
      ...['td', 'date', 'state', 'method', 'email', 'item', 'amount', 'refunded', 'currency'],
      ...['transaction', 'paidAt', 'grantedAt', 'problem', 'code'],
    ]);
    const known = new Map<number, Sold | undefined>();
    const unanswered = unansweredBefore(context);
    for await (const row of readAll((part) => listAllPayments(db, filter, unanswered, part), place)) {
      const { offerId } = row.payment;
      if (!known.has(offerId)) known.set(offerId, await findSold(db, offerId));
      const one = present(context, row, known.get(offerId), 'en');
      yield csvLine([
        ...[one.td, one.date, one.state, one.method, one.member?.email ?? null, one.name],
        ...[decimal(one.costs, one.currency), decimal(one.refunded, one.currency), one.currency],
        ...[one.transaction_id, one.paid_at, one.granted_at, one.problem, one.code],
      ]);
    }
  }
  return Readable.from(lines());
}

/**
 * Asks the provider about a payment now, and grants what it confirms. `clear` marks its problem as dealt with.
 * @throws ApiError `paymentNotFound`; `providerSilent` if the provider does not answer
 */
export async function repairPayment(
  context: Context,
  auditActor: AuditActor,
  { id, clear, reason }: InputOf<typeof api.repairPayment>,
): Promise<ManagedPaymentDetail> {
  const { db } = context;
  await db.transaction(async (tx) => {
    const row = await findAnyPayment(tx, id);
    if (!row) throw new ApiError('paymentNotFound');
    const { problem, userId } = row.payment;
    if (clear) await updatePayment(tx, id, { problem: null });
    // The reason is in the audit log, which forgets it with the account.
    await writeEvent(context, tx, id, 'repaired', { problem, cleared: clear });
    const subject = userId ? { subjectId: userId } : {};
    const change = { before: { problem }, after: { reason, problem: clear ? null : problem } };
    await writeAudit(context, tx, auditActor, {
      action: 'payment.repaired',
      ...subject,
      target: tdOf(row.payment),
      ...change,
    });
  });
  try {
    await checkPayment(context, id, 0);
  } catch (error) {
    if (!isNoAnswer(error)) throw error;
    context.log.warn({ err: error, paymentId: id }, 'The provider could not be asked for an operator');
    throw new ApiError('providerSilent');
  }
  return getManagedPayment(context, auditActor.actor, { id });
}

/**
 * Records that a payment whose provider has been silent for long was not charged, as an operator has seen there. The
 * provider is asked once more before: what it tells counts. Money that is found later is taken for what it is.
 * @throws ApiError `paymentNotFound`; `paymentNotClosable` where the provider has answered
 */
export async function closePayment(
  context: Context,
  auditActor: AuditActor,
  { id, reason }: InputOf<typeof api.closePayment>,
): Promise<ManagedPaymentDetail> {
  const { db } = context;
  if (!(await findPayment(db, id))) throw new ApiError('paymentNotFound');
  try {
    await checkPayment(context, id, 0);
  } catch (error) {
    if (!isNoAnswer(error)) throw error;
  }
  await db.transaction(async (tx) => {
    const closed = await closeUnanswered(context, tx, id);
    if (!closed) {
      // A repeated call, or that of another operator.
      if ((await findPayment(tx, id))?.failureCode === 'notCharged') return;
      throw new ApiError('paymentNotClosable');
    }
    // The reason is in the audit log, which forgets it with the account.
    const { before, after } = closed;
    await writeEvent(context, tx, id, 'closed', { since: before.unansweredSince });
    await writeAudit(context, tx, auditActor, {
      action: 'payment.closed',
      ...(before.userId ? { subjectId: before.userId } : {}),
      target: tdOf(before),
      before: { state: before.state },
      after: { state: after.state, reason },
    });
  });
  return getManagedPayment(context, auditActor.actor, { id });
}

/**
 * Refunds a payment, in part or all that is left. The refund is recorded before PayPal is asked, so that a lost answer is
 * found by the reconciliation. A repeated call with the same key goes on with the same refund.
 * @throws ApiError `paymentNotFound`, `paymentNotRefundable`, `refundRefused`
 */
export async function refundPayment(
  context: Context,
  auditActor: AuditActor,
  { id, key, costs, reason }: InputOf<typeof api.refundPayment>,
): Promise<ManagedPaymentDetail> {
  const { db } = context;
  const refund = await db.transaction(async (tx) => {
    const actorId = signedIn(auditActor.actor).userId;
    const payment = (await lockPayment(tx, id))?.payment;
    const known = await findRefund(tx, key);
    if (!payment || (known && known.paymentId !== id)) throw new ApiError('paymentNotFound');
    if (known) return known;
    const begun = await beginRefund(context, tx, { id: key, paymentId: id, amount: costs, reason, actorId });
    const subject = payment.userId ? { subjectId: payment.userId } : {};
    const after = { costs: begun.amount, currency: payment.currency, reason };
    await writeAudit(context, tx, auditActor, {
      action: 'payment.refunded',
      ...subject,
      target: tdOf(payment),
      after,
    });
    return begun;
  });
  try {
    await runRefund(context, refund.id);
  } catch (error) {
    // It stays pending, and is repeated.
    if (!(error instanceof PayPalError)) throw error;
    context.log.warn({ err: error, refundId: refund.id }, 'A refund is not decided yet');
  }
  const done = await findRefund(db, refund.id);
  if (done?.state === 'failed') throw new ApiError('refundRefused', [], { values: { issue: done.failureCode ?? '' } });
  return getManagedPayment(context, auditActor.actor, { id });
}

/** Returns a page of the subscriptions of all members. @throws ApiError `invalidInput` for an invalid cursor */
export function listManagedSubscriptions(
  context: Context,
  actor: Actor,
  { page, ...filter }: InputOf<typeof api.managedSubscriptions>,
): Promise<Page<ManagedSubscription>> {
  return paged({
    cursor: page,
    size: ADMIN_PAGE_SIZE,
    read: (request) => listAllSubscriptions(context.db, filter, context.clock.now(), request),
    positionOf: ({ subscription }) => subscription,
    present: async (rows) => {
      const ids = rows.map(({ subscription }) => subscription.id);
      const [last, failures] = [await findLastPayments(context.db, ids), await countFailures(context.db, ids)];
      const presented = await presentSubscriptions(
        context,
        actor,
        rows.map(({ subscription }) => subscription),
      );
      return presented.map((info, index) => {
        const { id, state, code, createdAt } = last.get(info.id) ?? {};
        return {
          ...info,
          member: rows[index]?.owner ?? null,
          last_payment:
            id && state && createdAt ? { id, state, code: code ?? null, date: createdAt.toISOString() } : null,
          failed_charges: failures.get(info.id) ?? 0,
        };
      });
    },
  });
}

/** Returns what a payment gave to its member, and what a refund took back. */
async function presentGranted(
  db: Context['db'],
  { id: reference, userId, subscriptionId }: PaymentRow,
  { offer }: Sold,
): Promise<ManagedPaymentDetail['granted']> {
  const reasons = offer.kind === 'points' ? (['pack', 'packRefunded'] as const) : (['plan', 'planRefunded'] as const);
  const [points = 0, back = 0] = await Promise.all(
    reasons.map(async (reason) =>
      userId === null ? 0 : ((await findPointEntry(db, { userId, kind: 'points', reason, reference }))?.amount ?? 0),
    ),
  );
  const subscription = subscriptionId === null ? undefined : await findSubscription(db, subscriptionId);
  return {
    points,
    points_back: Math.abs(back),
    subscription: subscription
      ? { state: subscription.state, paid_until: subscription.paidUntil?.toISOString() ?? null }
      : null,
  };
}

function present(
  context: Context,
  { payment, owner }: Row,
  sold: Sold | undefined,
  language: Actor['language'],
): ManagedPayment {
  return {
    id: payment.id,
    td: tdOf(payment),
    state: payment.state,
    problem: payment.problem,
    unanswered_since: isUnanswered(context, payment) ? (payment.unansweredSince?.toISOString() ?? null) : null,
    method: methodOf(payment.provider),
    route: payment.route,
    member: owner?.id ? { ...owner, email: owner.email ?? '' } : null,
    name: sold ? nameOf(sold, language) : '',
    costs: payment.amount,
    currency: payment.currency,
    refunded: payment.refunded,
    transaction_id: payment.providerCaptureId,
    failure: failureOf(payment),
    code: payment.failureCode ?? payment.pendingReason,
    date: payment.createdAt.toISOString(),
    paid_at: payment.paidAt?.toISOString() ?? null,
    granted_at: payment.grantedAt?.toISOString() ?? null,
  };
}

/** Returns an amount as a plain decimal, which spreadsheets can add up; nothing is 0. */
function decimal(amount: number, currency: ManagedPayment['currency']): string {
  return amount === 0 ? '0' : toDecimal(amount, currency);
}
