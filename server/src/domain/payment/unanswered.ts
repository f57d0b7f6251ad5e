import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { DAY_MS, HOUR_MS } from '../../platform/time.ts';
import { notifyAdmins } from '../notification/notify.ts';
import { writeEvent } from './events.ts';
import { claimEvent, endChecks, findPayment, finishEvent, type PaymentRow, updatePayment } from './payment.sql.ts';

/** After this time without an answer operators are told, and may close a payment. */
const UNANSWERED_MS = HOUR_MS;
/** A code can be paid with for so long, whenever the buyer likes. */
export const CODE_MS = 8 * DAY_MS;

/** A silence that began before is long enough to concern operators. */
export const unansweredBefore = ({ clock }: Pick<Context, 'clock'>): Date =>
  new Date(clock.now().getTime() - UNANSWERED_MS);

/**
 * Whether a buyer who has not come back may have paid all the same: on a page of the card provider, or by approving a
 * subscription, which PayPal charges by itself. An order at PayPal is charged by us alone.
 */
export const mayBePaidUnseen = ({ state, route }: Pick<PaymentRow, 'state' | 'route'>): boolean =>
  state === 'created' && route !== 'order';

/**
 * Whether money may have moved of which the provider has told nothing for long. Of a code that is not told before it has
 * run out: until then its buyer may still pay. `isUnanswered` of `admin/payments.sql.ts` is the same as a query.
 */
export function isUnanswered(
  context: Pick<Context, 'clock'>,
  payment: Pick<PaymentRow, 'state' | 'route' | 'pendingReason' | 'createdAt' | 'unansweredSince'>,
): boolean {
  const { state, pendingReason, createdAt, unansweredSince } = payment;
  if ((state !== 'pending' && !mayBePaidUnseen(payment)) || unansweredSince === null) return false;
  const paidUntil = pendingReason === 'code' ? createdAt.getTime() + CODE_MS : 0;
  return Math.max(unansweredSince.getTime(), paidUntil) <= unansweredBefore(context).getTime();
}

/** Remembers since when the provider tells nothing about a payment, and leaves it to operators after some time. */
export async function noteAnswer(context: Context, id: string, isAnswered: boolean): Promise<void> {
  const { db, clock } = context;
  const payment = await findPayment(db, id);
  if (!payment) return;
  // It may answer questions, but not the call that takes the money.
  const isSilent = !isAnswered || (payment.state === 'pending' && payment.pendingReason === 'unknown');
  if (!isSilent) {
    if (payment.unansweredSince) await updatePayment(db, id, { unansweredSince: null });
  } else if (!payment.unansweredSince) await updatePayment(db, id, { unansweredSince: clock.now() });
  else if (isUnanswered(context, payment))
    await db.transaction((tx) => tellAdmins(context, tx, payment, 'paymentUnanswered'));
}

/** Looks for refunds of a payment no more, because its provider stays silent or switched off, and tells operators. */
export async function endLooks(context: Context, payment: PaymentRow): Promise<void> {
  await context.db.transaction(async (tx) => {
    await endChecks(tx, payment);
    await writeEvent(context, tx, payment.id, 'refunds.unasked', {});
    await tellAdmins(context, tx, payment, 'refundsUnasked');
  });
}

/** Once a day and provider: an outage concerns many payments. */
export async function tellAdmins(
  context: Context,
  tx: Tx,
  { provider }: Pick<PaymentRow, 'provider'>,
  type: 'paymentUnanswered' | 'refundsUnasked',
): Promise<void> {
  const now = context.clock.now();
  const id = `${type}:${provider}:${now.toISOString().slice(0, 10)}`;
  if (!(await claimEvent(tx, { id, type, body: {}, receivedAt: now }))) return;
  context.log.error({ provider, type }, 'A payment provider does not answer');
  await notifyAdmins(context, tx, type);
  await finishEvent(tx, id, now, null);
}
