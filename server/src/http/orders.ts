import { api } from '@framelift/contract';
import { getOrder, getOrders } from '../domain/order/orders.ts';
import type { Mount } from './endpoint.ts';

export function mountOrders(mount: Mount): void {
  mount(api.orders, ({ context, actor, input }) => getOrders(context, actor, input));
  mount(api.order, ({ context, actor, params }) => getOrder(context, actor, params));
}
