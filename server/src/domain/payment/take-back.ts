import { addMonths } from '@framelift/contract';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { findSubscription, updateSubscription } from '../membership/membership.sql.ts';
import { endSubscription } from '../membership/subscriptions.ts';
import { findPointEntry } from '../points/points.sql.ts';
import { changePoints } from '../points/points.ts';
import { findUser } from '../user/user.sql.ts';
import { writeEvent } from './events.ts';
import { stopBilling } from './jobs.ts';
import { findSold, type PaymentRow } from './payment.sql.ts';

/**
 * Takes back what a payment granted whose money went back in full: its months, and its points as far as there are any.
 * What was spent already is written into the history. The member is locked.
 */
export async function takeBack(context: Context, tx: Tx, payment: PaymentRow): Promise<void> {
  const { userId } = payment;
  const sold = await findSold(tx, payment.offerId);
  if (!sold || userId === null) return;
  const { offer } = sold;
  if (payment.subscriptionId !== null)
    await takeMonths(context, tx, payment, payment.subscriptionId, offer.period ?? 1);
  const [given, returned] =
    offer.kind === 'points' ? (['pack', 'packRefunded'] as const) : (['plan', 'planRefunded'] as const);
  const entry = { userId, kind: 'points', reference: payment.id } as const;
  const granted = (await findPointEntry(tx, { ...entry, reason: given }))?.amount ?? 0;
  if (granted === 0) return;
  const left = (await findUser(tx, userId))?.points ?? 0;
  const taken = Math.min(granted, left);
  await changePoints(context, tx, { ...entry, reason: returned, amount: -taken });
  await writeEvent(context, tx, payment.id, 'takenBack', { points: taken, spent: granted - taken });
}

async function takeMonths(context: Context, tx: Tx, { paidAt }: PaymentRow, id: string, months: number): Promise<void> {
  const row = await findSubscription(tx, id);
  if (!row || row.state === 'ended' || row.paidUntil === null) return;
  const paidUntil = addMonths(row.paidUntil, -months, row.anchorDay);
  // The clock may have been set back since the payment, whose months must not seem to be ahead.
  const now = Math.max(context.clock.now().getTime(), paidAt?.getTime() ?? 0);
  if (paidUntil.getTime() > now) {
    await updateSubscription(tx, id, { paidUntil });
    return;
  }
  await endSubscription(context, tx, id);
  const ref = row.provider === 'paypal' ? row.providerRef : null;
  if (ref) await context.jobs.enqueue(tx, stopBilling, { ref });
}
