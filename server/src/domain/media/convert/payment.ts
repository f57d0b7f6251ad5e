import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/open.ts';
import { chargeConversion, returnConversion } from '../../points/prices.ts';
import { type MediaRow, updateMedia } from '../media.sql.ts';
import { hasCompleted, wasCancelledInWork } from './conversion.sql.ts';

/**
 * Charges the price of a locked media for its first conversion, in the transaction that accepts it. What follows is free
 * until the price is returned.
 * @throws ApiError `notEnoughPoints`, `notEnoughFreePoints`
 */
export async function pay(
  context: Context,
  tx: Tx,
  { id, ownerId, name, price, payWith }: Pick<MediaRow, 'id' | 'ownerId' | 'name' | 'price' | 'payWith'>,
  conversionId: string,
): Promise<void> {
  const paidWith = await chargeConversion(context, tx, { id: conversionId, ownerId, name, price, payWith });
  await updateMedia(tx, id, { paidFor: conversionId, paidWith });
}

/**
 * Returns the price of a locked media that came to nothing, by a failure or by the member, who has used what they cancel
 * while it runs. Converting it again is charged again. What was delivered once stays paid, whatever becomes of a later
 * conversion, and so is what was used: a retry that is cancelled before it begins brings nothing back.
 */
export async function returnPayment(
  context: Context,
  tx: Tx,
  { id, ownerId, name, price, paidFor, paidWith }: MediaRow,
  reason: 'failed' | 'cancelled',
): Promise<void> {
  if (paidFor === null || paidWith === null || (await hasCompleted(tx, id))) return;
  if (reason === 'cancelled' && (await wasCancelledInWork(tx, id, paidFor))) return;
  await returnConversion(context, tx, { id: paidFor, ownerId, name, price, kind: paidWith });
  await updateMedia(tx, id, { paidFor: null, paidWith: null });
}
