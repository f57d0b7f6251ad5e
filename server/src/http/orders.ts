import { getOrder, listOrders } from '../domain/order/orders.ts';
import type { Handlers } from './endpoint.ts';

export const orderHandlers = {
  orders: ({ context, actor, input }) => listOrders(context, actor, input),
  order: ({ context, actor, params }) => getOrder(context, actor, params),
} satisfies Partial<Handlers>;
