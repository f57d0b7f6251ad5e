import type { Media } from '@framelift/contract';
import type { Context } from '../../context.ts';
import { DELETE_GRACE_MS } from './lifecycle/lifecycle.ts';
import { listMediaOfOrders } from './media.sql.ts';
import { presentMedia } from './media.ts';

/** Pictures and videos of each of these orders, oldest first; a deleted one as long as it can be brought back. */
export async function mediaOfOrders(context: Context, orderIds: readonly string[]): Promise<Map<string, Media[]>> {
  const all = new Map<string, Media[]>();
  const since = new Date(context.clock.now().getTime() - DELETE_GRACE_MS);
  for (const view of await listMediaOfOrders(context.db, orderIds)) {
    const { orderId, deletedAt } = view.media;
    if (orderId === null || (deletedAt && deletedAt <= since)) continue;
    all.set(orderId, [...(all.get(orderId) ?? []), presentMedia(view)]);
  }
  return all;
}
