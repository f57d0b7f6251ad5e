import { getOrder, getOrders } from '../domain/order/orders.ts';
import type { Handlers } from './endpoint.ts';

export const orderHandlers = {
  orders: ({ context, actor, input }) => getOrders(context, actor, input),
  order: ({ context, actor, params }) => getOrder(context, actor, params),
} satisfies Partial<Handlers>;
