import { type Language, type Money, ORDER_TYPE } from '@framelift/contract';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import type { payments } from '../../platform/db/schema.ts';
import { insertOrder } from '../media/media.sql.ts';
import { nameOf, targetOf } from './offers.ts';
import { insertPayment, type PaymentRow, type Sold } from './payment.sql.ts';

type Values = Pick<
  typeof payments.$inferInsert,
  'provider' | 'route' | 'state' | 'pendingReason' | 'requestKey' | 'subscriptionId' | 'providerOrderId'
>;

export interface Purchase extends Values {
  /** Null once the account is gone: what is charged then has no order, and goes back. */
  readonly userId: string | null;
  readonly sold: Sold;
  readonly price: Money;
  readonly language: Language;
  /** When its provider is first asked, should nothing be heard. */
  readonly checkAfterMs: number;
}

/** Makes the order and the payment of a purchase, of a renewal, or of a charge that the provider began. */
export async function insertPurchase(
  { ids, clock }: Context,
  tx: Tx,
  { sold, price, checkAfterMs, userId, language, ...values }: Purchase,
): Promise<PaymentRow> {
  const createdAt = clock.now();
  const orderId = userId === null ? null : ids.uuid();
  if (orderId !== null && userId !== null) {
    const order = { id: orderId, ownerId: userId, type: ORDER_TYPE.purchased, name: nameOf(sold, language) };
    await insertOrder(tx, { ...order, costs: price.amount, currency: price.currency, createdAt });
  }
  return insertPayment(tx, {
    ...values,
    ...{ id: ids.uuid(), userId, orderId, offerId: sold.offer.id, target: targetOf(sold), language, createdAt },
    ...price,
    nextCheckAt: new Date(createdAt.getTime() + checkAfterMs),
  });
}
