import { LIMITS, MEDIA_STATUS, type ORDER_CATEGORIES, type Order } from '@framelift/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './client.ts';
import { paged } from './paged.ts';
import { QUIET } from './query-client.ts';
import { zone } from './zone.ts';

export type OrderCategory = keyof typeof ORDER_CATEGORIES;
/** `any` means no time limit. */
export type OrderDates = 'any' | keyof typeof LIMITS.orderDateDays;

const POLL_MS = 2000;

/** The member's orders, newest first. Days are counted in the time zone of this browser. */
export const orderListQuery = (category: OrderCategory, dates: OrderDates) =>
  paged(['orders', category, dates], (at, signal) =>
    call('orders', {
      input: {
        order_type: category,
        ...(dates !== 'any' && { dt_condition: `${LIMITS.orderDateDays[dates]}`, ...zone() }),
        ...at,
      },
      signal,
    }),
  );

const orderQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', id],
    queryFn: ({ signal }) => call('order', { params: { id }, signal }),
    meta: QUIET,
  });

const isRunning = ({ media }: Order) => media.some(({ status }) => status === MEDIA_STATUS.processing);

/** Returns an order of the list, kept up to date while any of its media is being converted. */
export function usePolledOrder(listed: Order): Order {
  const { data } = useQuery({
    ...orderQuery(listed.id),
    enabled: isRunning(listed),
    refetchInterval: ({ state }) => (isRunning(state.data ?? listed) ? POLL_MS : false),
  });
  return data && isRunning(listed) ? data : listed;
}
