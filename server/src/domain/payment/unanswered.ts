import type { Context } from '../../context.ts';
import { HOUR_MS } from '../../platform/time.ts';
import { notifyAdmins } from '../notification/notify.ts';
import { claimEvent, findPayment, finishEvent, type PaymentRow, updatePayment } from './payment.sql.ts';

/** After this time without an answer operators are told, and may close a payment. */
const UNANSWERED_MS = HOUR_MS;

/** A silence that began before is long enough to concern operators. */
export const unansweredBefore = ({ clock }: Pick<Context, 'clock'>): Date =>
  new Date(clock.now().getTime() - UNANSWERED_MS);

/** Whether money may have moved of which the provider has told nothing for long. A code is paid when the buyer likes. */
export const isUnanswered = (
  context: Pick<Context, 'clock'>,
  { state, pendingReason, unansweredSince }: Pick<PaymentRow, 'state' | 'pendingReason' | 'unansweredSince'>,
): boolean =>
  state === 'pending' &&
  pendingReason !== 'code' &&
  unansweredSince !== null &&
  unansweredSince <= unansweredBefore(context);

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
  else if (isUnanswered(context, payment)) await tellAdmins(context, payment);
}

/** Once a day and provider: an outage concerns many payments. */
async function tellAdmins(context: Context, { provider }: PaymentRow): Promise<void> {
  const now = context.clock.now();
  const id = `unanswered:${provider}:${now.toISOString().slice(0, 10)}`;
  await context.db.transaction(async (tx) => {
    if (!(await claimEvent(tx, { id, type: 'unanswered', body: {}, receivedAt: now }))) return;
    context.log.error({ provider }, 'A payment provider has not answered for long');
    await notifyAdmins(context, tx, 'paymentUnanswered');
    await finishEvent(tx, id, now, null);
  });
}
