import { ORDER_TYPE } from '@framelift/contract';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { insertOrder, moveOrdersWithMedia } from './order.sql.ts';

interface Upload {
  readonly ownerId: string;
  readonly name: string;
}

/** Every upload is an order, made in the transaction that stores it. Answers its id. */
export async function orderUpload(
  { ids }: Context,
  tx: Tx,
  { ownerId, name }: Upload,
  createdAt: Date,
): Promise<string> {
  const id = ids.uuid();
  // The price of a conversion.
  const price = { costs: 0, currency: 'points' };
  await insertOrder(tx, { id, ownerId, type: ORDER_TYPE.uploaded, name, ...price, createdAt });
  return id;
}

/** Makes the orders of what one user has uploaded another's. */
export function moveOrders(tx: Tx, fromId: string, toId: string): Promise<void> {
  return moveOrdersWithMedia(tx, fromId, toId);
}
