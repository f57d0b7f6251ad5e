import {
  type api,
  type CardFields,
  type Language,
  LIMITS,
  type OutputOf,
  type PaymentInfo,
  type PaymentMethod,
  type PaymentStart,
  type Solution,
  type SubscriptionInfo,
} from '@framelift/contract';
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
export function createPayment({ offerId, method, key }: Purchase, signal: AbortSignal): Promise<PaymentStart> {
  return call('createPayment', { input: { offer_id: offerId, method, key }, signal });
}

/** Sends the signed fields of a card payment on. Code 00 has the page on which the card is entered. @throws CallError */
export function requestCardPage(fields: CardFields, signal: AbortSignal): Promise<OutputOf<typeof api.sunpayToken>> {
  return call('sunpayToken', { input: fields, signal });
}

/** Whether a plan was cancelled at PayPal itself: it cannot be resumed, only bought again, also before its end. */
export const isEndedAtPayPal = ({ kind, method, cancel_at_end, renews }: SubscriptionInfo): boolean =>
  kind === 'plan' && method === 'paypal' && cancel_at_end && !renews;

/** Asks whether the member has what an offer sells. Points can be bought any number of times. @throws CallError */
export async function hasAlready({ product_id, plan_id }: Solution): Promise<boolean> {
  if (product_id !== null)
    return (await call('check_product_subscribe', { input: { target: product_id } })).isSubscribed;
  if (plan_id === null || (await call('getCurrentPlan')).plan.id !== plan_id) return false;
  const { data } = await call('subscriptions', { input: {} });
  return !data.some(isEndedAtPayPal);
}

/**
 * Has the server capture what the buyer approved at PayPal. Only the td counts: the server reads order, amount and result
 * from PayPal itself. It can be repeated.
 */
export const checkoutQuery = (td: string) =>
  queryOptions({
    // Not one of those that are asked again after a change: it is a demand.
    queryKey: ['checkout', td],
    queryFn: ({ signal }) => {
      const hints = { projectId: '', payment_amount: '', payment_currency: 'USD', capture_status: 'APPROVED' };
      return call('checkout_order', { input: { ...hints, resourceId: td, details: null }, signal });
    },
    staleTime: Number.POSITIVE_INFINITY,
    meta: QUIET,
  });

/**
 * Completes a payment that the server has verified: takes over the subscription that it granted. Nothing is granted by
 * this call. @throws CallError
 */
export async function completePayment({ td, kind, method, ...bought }: PaymentInfo): Promise<void> {
  if (kind === 'points') return;
  if (method === 'card') {
    await call('setSubscriptionAvailability', { input: { order_id: td, is_available: true } });
    return;
  }
  const paid = { product_solution: bought.offer_id, resource_id: td, check_required: false };
  if (kind === 'product') await call('product_subscribe', { input: { ...paid, target: bought.product_id ?? 0 } });
  else await call('plan_subscribe', { input: { ...paid, target: bought.plan_id ?? 0 } });
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
