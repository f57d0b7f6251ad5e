import { z } from 'zod';
import { MEMBERS } from './actors.ts';
import { defineEndpoint, HOUR_SECONDS, MINUTE_SECONDS } from './endpoint.ts';
import { cursor, id, smallId, time } from './fields.ts';
import { LIMITS } from './limits.ts';
import { currencyCode, moneyAmount, paymentStates } from './money.ts';
import { productSubscription } from './shop.ts';

export const PAYMENT_METHODS = ['paypal', 'card'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];
export const paymentMethod = z.enum(PAYMENT_METHODS);

/** The number of a payment, at the providers too. */
export const td = z.string().regex(/^[0-9a-f]{32}$/);

/** The four signed fields of SunPay. */
export const cardFields = z.strictObject({
  web: z.string().max(32),
  send_time: z.string().max(17),
  rsamsg: z.string().max(20_000),
  check_value: z.string().max(64),
});
export type CardFields = z.output<typeof cardFields>;

/**
 * What the browser does next: open `url`; post `fields` as a form to `action`; or send `fields` to `sunpayToken` within
 * two minutes, and open the page that it answers. The codes of the card routes are those of `LIMITS.payment`.
 */
export const paymentStep = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('redirect'), url: z.string() }),
  z.strictObject({
    kind: z.literal('form'),
    route: z.literal(LIMITS.payment.cardRouteCode),
    action: z.string(),
    fields: cardFields,
  }),
  z.strictObject({ kind: z.literal('token'), route: z.literal(LIMITS.payment.tokenRouteCode), fields: cardFields }),
]);
export type PaymentStep = z.output<typeof paymentStep>;

export const paymentStart = z.strictObject({ td, order_id: id, step: paymentStep });
export type PaymentStart = z.output<typeof paymentStart>;

export const payResult = z.literal(Object.values(LIMITS.paymentResult));
export type PayResult = z.output<typeof payResult>;

/**
 * Why a payment brought nothing. `declined` by the bank, the card provider or PayPal; `needsOwner` and `noCard` are those of
 * renewals: the bank wants its owner to confirm, and no card is stored. `cancelled` by the buyer or with the plan, `replaced`
 * by a newer payment for the same thing, `expired` without being paid. `providerUnreachable` was never begun or carried out
 * by the provider. `inReview`: what the provider tells is not what was ordered, or there is nothing to give for it; an
 * operator looks at it, and the same thing can be bought again.
 */
export const PAYMENT_FAILURES = [
  ...(['declined', 'needsOwner', 'noCard', 'cancelled', 'replaced', 'expired'] as const),
  ...(['providerUnreachable', 'inReview'] as const),
] as const;
export type PaymentFailure = (typeof PAYMENT_FAILURES)[number];
export const paymentFailure = z.enum(PAYMENT_FAILURES);

/** A payment of the caller, as the server knows it. */
export const payment = z.strictObject({
  td,
  order_id: id.nullable(),
  state: paymentStates,
  /** 10 paid and granted, 11 failed, expired or refunded, 12 not decided yet. */
  pay_result: payResult,
  /** What the provider calls the money that came. */
  transaction_id: z.string().nullable(),
  method: paymentMethod,
  offer_id: smallId,
  kind: z.enum(['product', 'plan', 'points']),
  product_id: smallId.nullable(),
  plan_id: smallId.nullable(),
  points: z.int().nullable(),
  name: z.string(),
  costs: moneyAmount,
  currency: currencyCode,
  /** In the same minor units. */
  refunded: moneyAmount,
  /** Whether it waits for the buyer to pay with a code that the card provider mailed. */
  awaits_code: z.boolean(),
  /** Why nothing came of it; null while it is under way, and for one that was paid. */
  failure: paymentFailure.nullable(),
  date: time,
});
export type PaymentInfo = z.output<typeof payment>;

/** A plan or a product that the caller has. */
export const subscriptionInfo = z.strictObject({
  id,
  kind: z.enum(['plan', 'product']),
  plan_id: smallId.nullable(),
  product_id: smallId.nullable(),
  offer_id: smallId.nullable(),
  name: z.string(),
  icon: z.string(),
  state: z.enum(['pending', 'active', 'suspended', 'ended']),
  /** Null without an end. */
  paid_until: time.nullable(),
  cancel_at_end: z.boolean(),
  /** False for what is paid once, and for a plan that its member has cancelled at PayPal: that cannot be undone. */
  renews: z.boolean(),
  method: paymentMethod.nullable(),
  /** What will be charged by itself, and when; null if nothing will. A suspended plan by card is tried again. */
  next_charge: z.strictObject({ at: time, costs: moneyAmount, currency: currencyCode }).nullable(),
  /** What is open of a suspended plan: `payNow` charges it. */
  due: z.strictObject({ costs: moneyAmount, currency: currencyCode }).nullable(),
  date: time,
});
export type SubscriptionInfo = z.output<typeof subscriptionInfo>;

/** Answer of `plan_subscribe`: what the caller has now, and how to pay where that comes first. */
export const planSubscription = z.strictObject({
  subscription: subscriptionInfo.nullable(),
  payment: paymentStart.nullable(),
});

const subscribe = z.strictObject({
  /** The product or plan. */
  target: smallId,
  /** The chosen solution. */
  product_solution: smallId.nullable().default(null),
  /** The payment: its td, or what the provider calls it. */
  resource_id: z.string().max(200).nullable().default(null),
  /** True begins a payment by card, whose result decides. */
  check_required: z.boolean().default(false),
});
const startErrors = [
  'storeClosed',
  'noOffer',
  'alreadySubscribed',
  'paymentPending',
  'paymentMethodUnavailable',
  'paymentNotStarted',
] as const;
/** Each call may make an order at a provider. */
const startLimits = [{ by: 'user', max: 30, seconds: HOUR_SECONDS }] as const;
const askLimits = [{ by: 'user', max: 120, seconds: MINUTE_SECONDS }] as const;

/** Payments. What the browser claims about money is never believed: the server asks the provider. */
export const paymentApi = {
  paymentMethods: defineEndpoint({
    name: 'paymentMethods',
    method: 'GET',
    path: '/paymentMethods',
    summary: 'The ways to pay that are set up, and whether they are test ones, in which no money moves.',
    actors: MEMBERS,
    output: z.array(z.strictObject({ method: paymentMethod, currency: currencyCode, sandbox: z.boolean() })),
  }),
  createPayment: defineEndpoint({
    name: 'createPayment',
    method: 'POST',
    path: '/createPayment',
    summary:
      'Makes an order for one offer and begins its payment. `key` is a new UUID for each purchase: a repeated call with it continues the same one. An earlier payment for the same thing that nobody has approved ends.',
    actors: MEMBERS,
    input: z.strictObject({ offer_id: smallId, method: paymentMethod, key: id }),
    output: paymentStart,
    errors: startErrors,
    rateLimits: startLimits,
  }),
  payment: defineEndpoint({
    name: 'payment',
    method: 'GET',
    path: '/payment/{td}',
    params: z.strictObject({ td }),
    summary: 'A payment of the caller. One that is not decided is asked about at the provider, at most every 5 s.',
    actors: MEMBERS,
    output: payment,
    errors: ['noOrder'],
    rateLimits: askLimits,
  }),
  payments: defineEndpoint({
    name: 'payments',
    method: 'GET',
    path: '/payments',
    kind: 'list',
    summary: "The caller's payments, newest first.",
    actors: MEMBERS,
    input: z.strictObject({ page: cursor.optional() }),
    output: payment,
  }),
  cancelPayment: defineEndpoint({
    name: 'cancelPayment',
    method: 'POST',
    path: '/cancelPayment',
    summary:
      'Ends a payment that nobody has approved, one by a code, or one in review. Of any other it answers what became of it.',
    actors: MEMBERS,
    input: z.strictObject({ td }),
    output: payment,
    errors: ['noOrder', 'paymentPending'],
  }),
  checkout_order: defineEndpoint({
    name: 'checkout_order',
    method: 'POST',
    path: '/checkout_order',
    summary:
      'Captures what the buyer approved at PayPal. `resourceId` is the order or subscription at PayPal, or the td; everything else is a hint that is not believed.',
    actors: MEMBERS,
    input: z.strictObject({
      projectId: z.string().max(100),
      resourceId: z.string().min(1).max(100),
      payment_amount: z.union([z.string().max(30), z.number()]),
      payment_currency: z.string().max(10),
      capture_status: z.string().max(50),
      details: z.unknown(),
    }),
    output: z.strictObject({
      td,
      state: paymentStates,
      transaction_id: z.string().nullable(),
      pay_result: payResult,
    }),
    errors: ['noOrder'],
    rateLimits: askLimits,
  }),
  product_subscribe: defineEndpoint({
    name: 'product_subscribe',
    method: 'POST',
    path: '/product_subscribe',
    summary:
      'Saves a free product; answers a paid one that `resource_id` paid for; or, with `check_required`, begins its payment by card. It never grants by itself.',
    actors: MEMBERS,
    input: subscribe,
    output: productSubscription.extend({ payment: paymentStart.nullable() }),
    errors: [...startErrors, 'productNotFound', 'noOrder', 'transactionFailed', 'subscribeFailed'],
    rateLimits: startLimits,
  }),
  plan_subscribe: defineEndpoint({
    name: 'plan_subscribe',
    method: 'POST',
    path: '/plan_subscribe',
    summary:
      'Answers the plan that `resource_id` paid for; or, with `check_required`, begins its payment by card. It never grants by itself.',
    actors: MEMBERS,
    input: subscribe,
    output: planSubscription,
    errors: [...startErrors, 'noOrder', 'transactionFailed', 'subscribeFailed'],
    rateLimits: startLimits,
  }),
  setSubscriptionAvailability: defineEndpoint({
    name: 'setSubscriptionAvailability',
    method: 'POST',
    path: '/setSubscriptionAvailability',
    summary:
      'With true, succeeds once the server has itself verified the payment; with false, gives up one that nobody paid. `order_id` is the td or the id of the order.',
    actors: MEMBERS,
    input: z.strictObject({ order_id: z.string().max(36), is_available: z.boolean() }),
    output: z.strictObject({ order_id: z.string(), is_available: z.boolean() }),
    errors: ['noOrder', 'paymentPending', 'transactionFailed'],
    rateLimits: askLimits,
  }),
  sunpayToken: defineEndpoint({
    name: 'sunpayToken',
    method: 'POST',
    path: '/sunpayToken',
    summary:
      'Sends the signed fields of the card route 2 to the card provider: exactly those that were given to the caller, within two minutes, and once. Code 00 has the page to open.',
    actors: MEMBERS,
    input: cardFields,
    output: z.strictObject({
      code: z.string(),
      result: z.strictObject({ pay_code: z.string(), trade_no: z.string() }).nullable(),
    }),
    errors: ['transactionFailed', 'paymentMethodUnavailable'],
    rateLimits: startLimits,
  }),
  subscriptions: defineEndpoint({
    name: 'subscriptions',
    method: 'GET',
    path: '/subscriptions',
    kind: 'list',
    summary: 'The plan and the products of the caller, newest first; `all` with those that have ended.',
    actors: MEMBERS,
    input: z.strictObject({ page: cursor.optional(), all: z.enum(['yes', 'no']).default('no') }),
    output: subscriptionInfo,
  }),
  plan_unsubscribe: defineEndpoint({
    name: 'plan_unsubscribe',
    method: 'POST',
    path: '/plan_unsubscribe',
    summary:
      'Cancels the plan at the end of what is paid; a suspended or complimentary one at once. A repeated call succeeds.',
    actors: MEMBERS,
    output: subscriptionInfo,
    errors: ['noSubscription', 'unsubscribeFailed'],
    rateLimits: startLimits,
  }),
  resumeSubscription: defineEndpoint({
    name: 'resumeSubscription',
    method: 'POST',
    path: '/resumeSubscription',
    summary: 'Undoes `plan_unsubscribe` before the plan has ended.',
    actors: MEMBERS,
    output: subscriptionInfo,
    errors: ['noSubscription', 'paymentMethodUnavailable', 'paymentPending'],
    rateLimits: startLimits,
  }),
  payNow: defineEndpoint({
    name: 'payNow',
    method: 'POST',
    path: '/payNow',
    summary:
      'Charges a suspended plan again in the way it was paid before, and restores it at once if that succeeds. Two calls at once, and one after a lost answer, are one attempt; one after a refusal is a new one.',
    actors: MEMBERS,
    output: subscriptionInfo,
    errors: ['noSubscription', 'paymentPending', 'transactionFailed'],
    rateLimits: [{ by: 'user', max: 10, seconds: HOUR_SECONDS }],
  }),
} as const;
