import { randomInt } from 'node:crypto';
import { CURRENCIES, type Currency, currencyCode } from '@framelift/contract';
import { z } from 'zod';

/** All that the sandbox remembers. Times are milliseconds of its clock, amounts minor units. */

const time = z.number();
const text = z.string().nullable();
const money = { amount: z.number(), currency: currencyCode };
const pages = { locale: z.string(), brandName: z.string(), returnUrl: text, cancelUrl: text };

const order = z.object({
  ...money,
  ...pages,
  id: z.string(),
  status: z.enum(['CREATED', 'PAYER_ACTION_REQUIRED', 'APPROVED', 'COMPLETED', 'VOIDED']),
  createdAt: time,
  /** Whether it was created with a payment source, which changes its first status and the name of the link. */
  hasSource: z.boolean(),
  referenceId: z.string(),
  customId: text,
  invoiceId: text,
  description: text,
  /** What the buyer chose on the approval page. */
  payer: z.enum(['pays', 'declined', 'pending']).nullable(),
  captureId: text,
});
export type SandboxOrder = z.output<typeof order>;

/** A payment: of an order (a capture), or of a subscription (a sale of the first API). */
const payment = z.object({
  ...money,
  id: z.string(),
  orderId: text,
  subscriptionId: text,
  status: z.enum(['COMPLETED', 'PENDING', 'DECLINED', 'PARTIALLY_REFUNDED', 'REFUNDED']),
  refunded: z.number(),
  customId: text,
  invoiceId: text,
  createdAt: time,
  /** When a pending one is decided, and how. */
  settlesAt: time.nullable(),
  settlesAs: z.enum(['COMPLETED', 'DECLINED']),
});
export type SandboxPayment = z.output<typeof payment>;

const refund = z.object({ ...money, id: z.string(), paymentId: z.string(), note: text, createdAt: time });
export type SandboxRefund = z.output<typeof refund>;

const plan = z.object({
  ...money,
  id: z.string(),
  productId: z.string(),
  name: z.string(),
  unit: z.enum(['DAY', 'WEEK', 'MONTH', 'YEAR']),
  count: z.number(),
  /** Failures in a row after which a subscription is suspended; 0 never. */
  threshold: z.number(),
  status: z.enum(['ACTIVE', 'INACTIVE', 'CREATED']),
});
export type SandboxPlan = z.output<typeof plan>;

const subscription = z.object({
  ...pages,
  id: z.string(),
  approvalToken: z.string(),
  planId: z.string(),
  customId: text,
  status: z.enum(['APPROVAL_PENDING', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED']),
  createdAt: time,
  /** Moment of the first payment, from which all others are counted. */
  anchor: time.nullable(),
  /** Periods begun since the anchor. */
  cycles: z.number(),
  nextAt: time.nullable(),
  retryAt: time.nullable(),
  retries: z.number(),
  failures: z.number(),
  lastFailureAt: time.nullable(),
  outstanding: z.number(),
  lastPaymentId: text,
  /** Whether the buyer's card pays. */
  pays: z.boolean(),
});
export type SandboxSubscription = z.output<typeof subscription>;

const event = z.object({
  id: z.string(),
  type: z.string(),
  /** Ascends with each event, for those of one moment. */
  number: z.number(),
  body: z.string(),
  createdAt: time,
  attempts: z.number(),
  /** Null once it is delivered or given up. */
  nextAt: time.nullable(),
  delivered: z.boolean(),
});
export type SandboxEvent = z.output<typeof event>;

const answered = z.object({ until: time, hash: z.string(), status: z.number(), body: z.unknown() });

const byId = <T>(schema: z.ZodType<T>) => z.record(z.string(), schema).default({});

export const sandboxState = z.object({
  /** Base of the API as its client calls it. */
  apiBase: z.string().default(''),
  /** How far the clock was set ahead. */
  aheadMs: z.number().default(0),
  /** Of the last event. */
  lastNumber: z.number().default(0),
  identity: z
    .object({ certificateId: z.string(), privateKey: z.string(), certificate: z.string() })
    .nullable()
    .default(null),
  orders: byId(order),
  payments: byId(payment),
  refunds: byId(refund),
  products: byId(z.object({ id: z.string(), name: z.string() })),
  plans: byId(plan),
  subscriptions: byId(subscription),
  events: byId(event),
  /** Answers to repeat, by `PayPal-Request-Id`. */
  answered: byId(answered),
});
export type SandboxState = z.output<typeof sandboxState>;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const KEPT = 1000;

/** Returns an id as PayPal's look: upper-case letters and digits. */
export function newId(length = 17): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

export function isoTime(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Returns an amount with all decimals of its minor unit, also for TWD, as a provider may write it. */
export function decimal(amount: number, currency: Currency): string {
  return (amount / 10 ** CURRENCIES[currency].exponent).toFixed(CURRENCIES[currency].exponent);
}

export function wireMoney({ amount, currency }: { amount: number; currency: Currency }) {
  return { currency_code: currency, value: decimal(amount, currency) };
}

/** Forgets answers that need not be repeated any more, and the oldest of everything that grows without an end. */
export function forgetOld(state: SandboxState, now: number): void {
  for (const [key, { until }] of Object.entries(state.answered)) if (until <= now) delete state.answered[key];
  for (const records of [state.orders, state.payments, state.refunds, state.events]) {
    const all: [string, { createdAt: number }][] = Object.entries(records);
    if (all.length <= KEPT) continue;
    all.sort(([, a], [, b]) => a.createdAt - b.createdAt);
    for (const [key] of all.slice(0, -KEPT)) delete records[key];
  }
}
