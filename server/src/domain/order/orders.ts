import {
  ApiError,
  type api,
  type InputOf,
  inLanguage,
  MEDIA_STATUS,
  type Media,
  ORDER_CATEGORIES,
  type Order,
} from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { type Page, paged } from '../../platform/paging.ts';
import { DELETE_GRACE_MS } from '../media/lifecycle/lifecycle.ts';
import { listMediaOfOrders } from '../media/media.sql.ts';
import { presentMedia } from '../media/media.ts';
import { lastDays } from './days.ts';
import { countOrders, findOrder, listOrderRows, listPurchases, type OrderRow } from './order.sql.ts';

/** Returns a page of the caller's orders, newest first. @throws ApiError `invalidInput` for an invalid cursor */
export async function listOrders(
  context: Context,
  actor: Actor,
  { page, order_type: category, dt_condition: days, time_zone: zone }: InputOf<typeof api.orders>,
): Promise<Page<Order> & { readonly total: number }> {
  const { db, clock } = context;
  const { userId } = signedIn(actor);
  const filter = {
    types: ORDER_CATEGORIES[category],
    span: days === undefined ? null : lastDays(clock.now(), Number(days), zone),
  };
  const list = await paged({
    cursor: page,
    read: (request) => listOrderRows(db, userId, { ...filter, ...request }),
    positionOf: (row) => row,
    present: (rows) => present(context, actor, rows),
  });
  return { ...list, total: await countOrders(db, userId, filter) };
}

/** Returns one order of the caller. @throws ApiError `noOrder`, for an unknown order and for another member's */
export async function getOrder(context: Context, actor: Actor, { id }: { readonly id: string }): Promise<Order> {
  const row = await findOrder(context.db, signedIn(actor).userId, id);
  const [order] = row ? await present(context, actor, [row]) : [];
  if (!order) throw new ApiError('noOrder');
  return order;
}

async function present(context: Context, { language }: Actor, rows: readonly OrderRow[]): Promise<Order[]> {
  const ids = rows.map(({ id }) => id);
  const media = await listPresentedMedia(context, ids);
  const purchases = await listPurchases(context.db, ids);
  return rows.map(({ id, name, type, costs, currency, createdAt }) => {
    const own = media.get(id) ?? [];
    const bought = purchases.get(id);
    return {
      id,
      name,
      type: type as Order['type'],
      costs,
      currency,
      date: createdAt.toISOString(),
      progress: progressOf(own),
      media: own,
      product: bought?.productName ? { album: { name: inLanguage(bought.productName, language) } } : null,
      solution_order: bought ? { order_id: bought.paymentId.replaceAll('-', '') } : null,
      ...(bought && { payment_state: bought.state }),
      ...(bought && bought.points !== null && { points: bought.points }),
    };
  });
}

/** Returns the media of each order, oldest first; deleted ones as long as they can be restored. */
async function listPresentedMedia(context: Context, orderIds: readonly string[]): Promise<Map<string, Media[]>> {
  const all = new Map<string, Media[]>();
  const since = new Date(context.clock.now().getTime() - DELETE_GRACE_MS);
  for (const view of await listMediaOfOrders(context.db, orderIds)) {
    const { orderId, deletedAt } = view.media;
    if (orderId === null || (deletedAt && deletedAt <= since)) continue;
    all.set(orderId, [...(all.get(orderId) ?? []), presentMedia(view)]);
  }
  return all;
}

/** Returns the percentage over the media that are not deleted; 100 if none is left. */
function progressOf(media: readonly Media[]): number {
  const left = media.filter(({ status }) => status !== MEDIA_STATUS.deleted);
  if (left.length === 0) return 100;
  return Math.floor(left.reduce((sum, { progress }) => sum + progress, 0) / left.length);
}
