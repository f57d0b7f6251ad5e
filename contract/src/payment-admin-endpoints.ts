import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { cursor, id, shortText, time, timeAnywhere } from './fields.ts';
import { LIMITS } from './limits.ts';
import { currencyCode, moneyAmount, paymentStates } from './money.ts';
import { paymentFailure, paymentMethod, subscriptionInfo, td } from './payment-endpoints.ts';

const member = z.strictObject({ id, name: z.string(), email: z.string() }).nullable();
const searched = z.string().trim().min(1).max(LIMITS.searchLength).optional();

/** A payment as operators see it. `member` is null once the account is gone. */
export const managedPayment = z.strictObject({
  id,
  td,
  state: paymentStates,
  /** Why it needs an operator, such as `amountMismatch`; null for most. */
  problem: z.string().nullable(),
  /** Since when the provider has told nothing about one that is under way; null for less than an hour. */
  unanswered_since: time.nullable(),
  method: paymentMethod,
  /** `order` and `billing` at PayPal, `cash`, `token` and `charge` (a renewal) by card. */
  route: z.enum(['order', 'billing', 'cash', 'token', 'charge']),
  member,
  name: z.string(),
  costs: moneyAmount,
  currency: currencyCode,
  refunded: moneyAmount,
  transaction_id: z.string().nullable(),
  /** What its member is told about a failure. */
  failure: paymentFailure.nullable(),
  /** The provider's code of a failure, or why it is not decided. */
  code: z.string().nullable(),
  date: time,
  paid_at: time.nullable(),
  granted_at: time.nullable(),
});
export type ManagedPayment = z.output<typeof managedPayment>;

export const managedPaymentDetail = managedPayment.extend({
  order_id: id.nullable(),
  subscription_id: id.nullable(),
  /** What was sold. `points` come with a pack, or with each month of a plan. */
  sold: z.strictObject({
    kind: z.enum(['product', 'plan', 'points']),
    points: z.int().nonnegative(),
    months: z.int().nullable(),
  }),
  /** What it gave, and what a full refund took back. Nothing before it is granted. */
  granted: z.strictObject({
    points: z.int().nonnegative(),
    points_back: z.int().nonnegative(),
    subscription: z.strictObject({ state: subscriptionInfo.shape.state, paid_until: time.nullable() }).nullable(),
  }),
  /** What the provider calls its order or subscription. */
  provider_order_id: z.string().nullable(),
  next_check_at: time.nullable(),
  /** What happened, oldest first: our states, and what the provider told. */
  events: z.array(
    z.strictObject({
      id: z.string(),
      type: z.string(),
      body: z.record(z.string(), z.unknown()),
      at: time,
      handled: z.boolean(),
    }),
  ),
  refunds: z.array(
    z.strictObject({
      id,
      costs: moneyAmount,
      state: z.enum(['pending', 'completed', 'failed']),
      /** Typed by an operator, or a code: `refundedAtProvider`, `reversed`, or the problem for which it was sent back. */
      reason: z.string(),
      /** Name of the operator; null for a refund that the provider or this server began. */
      by: z.string().nullable(),
      code: z.string().nullable(),
      date: time,
    }),
  ),
});
export type ManagedPaymentDetail = z.output<typeof managedPaymentDetail>;

export const managedPaymentFilter = z.strictObject({
  /** Part of a name or an address, or any whole number of it: td, order, subscription, capture, refund, at both sides. */
  q: searched,
  member: id.optional(),
  subscription: id.optional(),
  state: paymentStates.optional(),
  method: paymentMethod.optional(),
  /** `unanswered`: its money may have moved, but the provider has told nothing about it for an hour. */
  problem: z.enum(['yes', 'no', 'unanswered']).optional(),
  /** Half-open interval: `to` is excluded. */
  from: timeAnywhere.optional(),
  to: timeAnywhere.optional(),
});
export type ManagedPaymentFilter = z.output<typeof managedPaymentFilter>;

export const managedSubscription = subscriptionInfo.extend({
  member,
  /** The newest payment of it that was begun; null for one that was given. */
  last_payment: z.strictObject({ id, state: paymentStates, code: z.string().nullable(), date: time }).nullable(),
  /** Charges that failed since what is paid ended. */
  failed_charges: z.int().nonnegative(),
});
export type ManagedSubscription = z.output<typeof managedSubscription>;

const managedSubscriptionFilter = z.strictObject({
  q: searched,
  member: id.optional(),
  kind: subscriptionInfo.shape.kind.optional(),
  /** `due` has passed its paid period and goes on, `cancelled` ends with it. */
  state: z.enum(['active', 'suspended', 'due', 'cancelled', 'ended']).optional(),
});
export type ManagedSubscriptionFilter = z.output<typeof managedSubscriptionFilter>;

const byId = z.strictObject({ id });
/** Told to nobody but the other operators. */
const why = shortText.refine((text) => text !== '', 'must not be empty');

/** Admin endpoints for payments. Every change is audited. */
export const paymentAdminApi = {
  managedPayments: defineEndpoint({
    name: 'managedPayments',
    method: 'GET',
    path: '/managedPayments',
    kind: 'list',
    summary: 'Lists all payments, newest first.',
    actors: ['admin'],
    input: managedPaymentFilter.extend({ page: cursor.optional() }),
    output: managedPayment,
  }),
  managedPaymentsCsv: defineEndpoint({
    name: 'managedPaymentsCsv',
    method: 'GET',
    path: '/managedPaymentsCsv',
    kind: 'file',
    summary: 'Exports the same payments as CSV, safe to open in a spreadsheet. Recorded in the audit log.',
    actors: ['admin'],
    input: managedPaymentFilter,
    output: z.unknown(),
  }),
  managedPayment: defineEndpoint({
    name: 'managedPayment',
    method: 'GET',
    path: '/managedPayment/{id}',
    params: byId,
    summary: 'One payment with its history and its refunds.',
    actors: ['admin'],
    output: managedPaymentDetail,
    errors: ['paymentNotFound'],
  }),
  repairPayment: defineEndpoint({
    name: 'repairPayment',
    method: 'POST',
    path: '/repairPayment',
    summary:
      'Asks the provider about a payment now, and grants what it confirms; `clear` marks its problem as dealt with. Never grants what the provider has not confirmed.',
    actors: ['admin'],
    input: z.strictObject({ id, clear: z.boolean().default(false), reason: why }),
    output: managedPaymentDetail,
    errors: ['paymentNotFound', 'providerSilent'],
  }),
  closePayment: defineEndpoint({
    name: 'closePayment',
    method: 'POST',
    path: '/closePayment',
    summary:
      'Records that a payment whose provider has been silent for an hour was not charged, as an operator has seen in its console. The provider is asked once more before. Money that it tells of later is taken for what it is.',
    actors: ['admin'],
    input: z.strictObject({ id, reason: why }),
    output: managedPaymentDetail,
    errors: ['paymentNotFound', 'paymentNotClosable'],
  }),
  refundPayment: defineEndpoint({
    name: 'refundPayment',
    method: 'POST',
    path: '/refundPayment',
    summary:
      'Refunds an amount in minor units, or all that is left (null). All of it takes back what was granted, as far as it is there. Payments by card are refunded in the console of the provider first: here it is recorded. `key` is a new UUID for each refund: a repeated call with it continues the same one.',
    actors: ['admin'],
    input: z.strictObject({ id, key: id, costs: moneyAmount.nullable(), reason: why }),
    output: managedPaymentDetail,
    errors: ['paymentNotFound', 'paymentNotRefundable', 'refundRefused'],
  }),
  managedSubscriptions: defineEndpoint({
    name: 'managedSubscriptions',
    method: 'GET',
    path: '/managedSubscriptions',
    kind: 'list',
    summary: 'Lists the plans and products of all members, newest first.',
    actors: ['admin'],
    input: managedSubscriptionFilter.extend({ page: cursor.optional() }),
    output: managedSubscription,
  }),
} as const;
