import { type Language, LIMITS, type PaymentInfo, type PaymentMethod, type PaymentStart } from '@framelift/contract';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { albumListQuery } from './albums.ts';
import { call } from './client.ts';
import { paged } from './paged.ts';
import { refreshPoints } from './points.ts';
import { QUIET } from './query-client.ts';

/** First part of the keys of all queries about payments, and of those about what the member has subscribed to. */
const PAYMENTS = 'payments';
export const SUBSCRIPTIONS = 'subscriptions';
/** The server asks the provider about a payment no more often. */
const ASK_MS = 5000;

/** The ways to pay that are set up; none where the operator takes no payments. */
export const paymentMethodsQuery = queryOptions({
  queryKey: ['payment-methods'],
  queryFn: ({ signal }) => call('paymentMethods', { signal }),
  staleTime: 5 * 60_000,
  meta: QUIET,
});

export const isDecided = ({ pay_result }: PaymentInfo): boolean => pay_result !== LIMITS.paymentResult.orderCreated;

/** A payment of the member as the server knows it, asked for again until it is decided. */
export const paymentQuery = (td: string) =>
  queryOptions({
    queryKey: [PAYMENTS, td],
    queryFn: ({ signal }) => call('payment', { params: { td }, signal }),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data && isDecided(state.data) ? false : ASK_MS),
    meta: QUIET,
  });

/** All payments of the member, newest first, with names in one language. */
export const paymentListQuery = (language: Language) =>
  paged([PAYMENTS, 'list', language], (at, signal) => call('payments', { input: at, signal }));

interface Purchase {
  readonly offerId: number;
  readonly method: PaymentMethod;
  /** The same for a repeated call, which then continues the same payment. */
  readonly key: string;
}

/** Begins a payment and returns what the browser does next. @throws CallError */
export function createPayment({ offerId, method, key }: Purchase): Promise<PaymentStart> {
  return call('createPayment', { input: { offer_id: offerId, method, key } });
}

/** Gives up a payment that nobody has approved; of any other it tells what became of it. */
export const cancelPayment = mutationOptions({
  mutationFn: (td: string) => call('cancelPayment', { input: { td } }),
  onSuccess: (payment, td, _result, { client }) => client.setQueryData(paymentQuery(td).queryKey, payment),
  meta: QUIET,
});

/** Refreshes all that a purchase, its refund or a change of a plan may have changed for the member. */
export async function refreshPurchases(queries: QueryClient): Promise<void> {
  const changed = [PAYMENTS, SUBSCRIPTIONS, 'product', 'products', 'orders', 'album', 'videos'];
  await Promise.all([
    refreshPoints(queries),
    ...changed.map((key) => queries.invalidateQueries({ queryKey: [key] })),
    queries.invalidateQueries({ queryKey: albumListQuery.queryKey }),
  ]);
}
