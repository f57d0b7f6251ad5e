import { LIMITS, MEDIA_STATUS, type ORDER_CATEGORIES, type Order } from '@framelift/contract';
import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './client.ts';
import { cursorOf } from './media.ts';

export type OrderCategory = keyof typeof ORDER_CATEGORIES;
/** `any` is all time. */
export type OrderDates = 'any' | keyof typeof LIMITS.orderDateDays;

const POLL_MS = 2000;

/** Some browsers cannot tell; the server then takes its own. */
function zone(): { time_zone?: string } {
  const name = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return name && name !== 'Etc/Unknown' ? { time_zone: name } : {};
}

/** One's own orders, newest first, a page at a time. Days are those of this browser. */
export const orderListQuery = (category: OrderCategory, dates: OrderDates) =>
  infiniteQueryOptions({
    queryKey: ['orders', category, dates],
    queryFn: ({ pageParam, signal }) =>
      call('orders', {
        input: {
          order_type: category,
          ...(dates !== 'any' && { dt_condition: `${LIMITS.orderDateDays[dates]}`, ...zone() }),
          ...(pageParam !== null && { page: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => cursorOf(page.next),
    // What was ordered, converted or deleted meanwhile must be there on every visit.
    refetchOnMount: 'always',
    meta: { quiet: true },
  });

const orderQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', id],
    queryFn: ({ signal }) => call('order', { params: { id }, signal }),
    meta: { quiet: true },
  });

const isRunning = ({ media }: Order) => media.some(({ status }) => status === MEDIA_STATUS.processing);

/** An order of the list, kept up to date while something of it is converted. */
export function usePolledOrder(listed: Order): Order {
  const { data } = useQuery({
    ...orderQuery(listed.id),
    enabled: isRunning(listed),
    refetchInterval: ({ state }) => (isRunning(state.data ?? listed) ? POLL_MS : false),
  });
  return data && isRunning(listed) ? data : listed;
}
