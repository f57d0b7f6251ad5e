import {
  ApiError,
  type api,
  type InputOf,
  MEDIA_STATUS,
  type Media,
  ORDER_CATEGORIES,
  type Order,
} from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { type Page, paged } from '../../platform/paging.ts';
import { mediaOfOrders } from '../media/of-orders.ts';
import { lastDays } from './days.ts';
import { countOrders, exportOrders, findOrder, listOrders, type OrderRow } from './order.sql.ts';

/** A page of the caller's orders, newest first. @throws ApiError `invalidInput` for a cursor not of ours */
export async function getOrders(
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
    read: (request) => listOrders(db, userId, { ...filter, ...request }),
    positionOf: (row) => row,
    present: (rows) => present(context, rows),
  });
  return { ...list, total: await countOrders(db, userId, filter) };
}

/** One order of the caller. @throws ApiError `noOrder`, for another member's as for one that never was */
export async function getOrder(context: Context, actor: Actor, { id }: { readonly id: string }): Promise<Order> {
  const row = await findOrder(context.db, signedIn(actor).userId, id);
  const [order] = row ? await present(context, [row]) : [];
  if (!order) throw new ApiError('noOrder');
  return order;
}

/** Everything that we keep of the caller's orders. */
export function ordersForExport(context: Context, actor: Actor): ReturnType<typeof exportOrders> {
  return exportOrders(context.db, signedIn(actor).userId);
}

async function present(context: Context, rows: readonly OrderRow[]): Promise<Order[]> {
  const media = await mediaOfOrders(
    context,
    rows.map(({ id }) => id),
  );
  return rows.map(({ id, name, type, costs, currency, createdAt }) => {
    const own = media.get(id) ?? [];
    return {
      id,
      name,
      type: type as Order['type'],
      costs,
      currency,
      date: createdAt.toISOString(),
      progress: progressOf(own),
      media: own,
      // Nothing can be bought yet.
      product: null,
      solution_order: null,
    };
  });
}

/** Of what is not deleted; nothing is left to do where nothing is left. */
function progressOf(media: readonly Media[]): number {
  const left = media.filter(({ status }) => status !== MEDIA_STATUS.deleted);
  if (left.length === 0) return 100;
  return Math.floor(left.reduce((sum, { progress }) => sum + progress, 0) / left.length);
}
