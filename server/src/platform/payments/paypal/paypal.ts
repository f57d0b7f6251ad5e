import { type Language, type Money, toDecimal } from '@framelift/contract';
import { z } from 'zod';
import type { Log } from '../../log.ts';
import {
  type CaptureOutcome,
  capture,
  order,
  type PayPalCapture,
  type PayPalOrder,
  type PayPalRefund,
  type PayPalSubscription,
  type PayPalTransaction,
  type RefundOutcome,
  refund,
  subscription,
  transaction,
} from './answers.ts';
import { PayPalError } from './paypal-error.ts';
import { createTransport } from './transport.ts';
import {
  createWebhookVerifier,
  eventOf,
  type VerifiedWebhook,
  type WebhookDelivery,
  type WebhookEvent,
  webhookEvent,
} from './webhook.ts';

export interface NewPayPalOrder {
  /** `PayPal-Request-Id`, at most 108 characters: the same for every attempt to make this order. */
  readonly requestId: string;
  readonly money: Money;
  /** Our id of the order, at most 127 characters. */
  readonly customId: string;
  /** Unique among all that the account ever sold: PayPal refuses to capture it twice. At most 127 characters. */
  readonly invoiceId: string;
  /** Cut to PayPal's 127 characters. */
  readonly description: string;
  readonly language: Language;
  readonly returnUrl: string;
  readonly cancelUrl: string;
}

export interface NewPayPalRefund {
  readonly requestId: string;
  /** Null refunds all that is left. */
  readonly money: Money | null;
  readonly note?: string;
}

export interface NewPayPalSubscription {
  readonly requestId: string;
  readonly planId: string;
  readonly customId: string;
  readonly language: Language;
  readonly returnUrl: string;
  readonly cancelUrl: string;
}

/**
 * PayPal's REST API. Calls throw a PayPalError, whose `isUnknown` says that the call may have had its effect; those that
 * move money return an outcome instead and never throw.
 */
export interface PayPal {
  createOrder(input: NewPayPalOrder): Promise<PayPalOrder>;
  getOrder(id: string): Promise<PayPalOrder>;
  /** `alreadyCaptured`: read the order, its `outcome` is the result. */
  captureOrder(id: string, requestId: string): Promise<CaptureOutcome>;
  getCapture(id: string): Promise<PayPalCapture>;
  refundCapture(id: string, input: NewPayPalRefund): Promise<RefundOutcome>;
  getRefund(id: string): Promise<PayPalRefund>;
  createProduct(input: { requestId: string; name: string; description: string }): Promise<{ id: string }>;
  /** Creates an active plan that charges `money` each month until it is cancelled, and suspends at the first failure. */
  createPlan(input: { requestId: string; productId: string; name: string; money: Money }): Promise<{ id: string }>;
  createSubscription(input: NewPayPalSubscription): Promise<PayPalSubscription>;
  getSubscription(id: string): Promise<PayPalSubscription>;
  cancelSubscription(id: string, reason: string): Promise<void>;
  suspendSubscription(id: string, reason: string): Promise<void>;
  activateSubscription(id: string, reason: string): Promise<void>;
  /** Charges what failed payments left open. */
  captureOutstanding(id: string, input: { requestId: string; money: Money; note: string }): Promise<OutstandingOutcome>;
  listTransactions(id: string, from: Date, until: Date): Promise<PayPalTransaction[]>;
  /** Returns what happened in a time, delivered or not; PayPal keeps it for 30 days. */
  listEvents(from: Date, until: Date): Promise<WebhookEvent[]>;
  /** Judges a delivery to our webhook; never throws. */
  verifyWebhook(delivery: WebhookDelivery): Promise<VerifiedWebhook>;
}

const EVENTS = '/v1/notifications/webhooks-events';
const eventPage = z.looseObject({
  events: z.array(webhookEvent).default([]),
  links: z.array(z.looseObject({ rel: z.string(), href: z.string() })).default([]),
});

export type OutstandingOutcome =
  | { readonly kind: 'completed' | 'pending'; readonly transaction: PayPalTransaction | null }
  | { readonly kind: 'declined'; readonly issue: string }
  | { readonly kind: 'unknown'; readonly error: Error };

export interface PayPalAccount {
  /** Base of the REST API without a trailing slash. */
  readonly apiBase: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookId: string;
}

export interface PayPalOptions extends Omit<PayPalAccount, 'apiBase'> {
  /** Asked before each call: a test knows its port late. */
  apiBase(): string;
  /** Shown to the buyer on PayPal's pages. */
  readonly brandName: string;
  readonly log: Log;
  readonly clock: { now(): Date; elapsedMs(): number };
  readonly timeoutMs?: number;
}

/** As PayPal writes them; it chooses one itself for other languages. */
const LOCALES: Partial<Record<Language, string>> = { zh: 'zh-TW', en: 'en-US', ja: 'ja-JP' };
const TEXT_LENGTH = 127;

const created = z.looseObject({ id: z.string().min(1) });
const nothing = z.unknown().transform(() => undefined);

export function createPayPal(options: PayPalOptions): PayPal {
  const { brandName, clock } = options;
  const { call } = createTransport({ ...options, elapsedMs: () => clock.elapsedMs() });
  const verifyWebhook = createWebhookVerifier({ ...options, now: () => clock.now(), call });

  const orders = '/v2/checkout/orders';
  const subscriptions = '/v1/billing/subscriptions';
  const act = (id: string, action: string, reason: string) =>
    call({
      method: 'POST',
      path: `${subscriptions}/${encodeURIComponent(id)}/${action}`,
      body: { reason: cut(reason) },
      schema: nothing,
    });

  return {
    createOrder: ({ requestId, money, customId, invoiceId, description, language, returnUrl, cancelUrl }) =>
      call({
        method: 'POST',
        path: orders,
        requestId,
        whole: true,
        schema: order,
        body: {
          intent: 'CAPTURE',
          purchase_units: [
            {
              custom_id: customId,
              invoice_id: invoiceId,
              description: cut(description),
              amount: wire(money),
            },
          ],
          payment_source: {
            paypal: {
              experience_context: {
                brand_name: brandName,
                locale: LOCALES[language],
                shipping_preference: 'NO_SHIPPING',
                user_action: 'PAY_NOW',
                payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
                return_url: returnUrl,
                cancel_url: cancelUrl,
              },
            },
          },
        },
      }),
    getOrder: (id) => call({ method: 'GET', path: `${orders}/${encodeURIComponent(id)}`, schema: order }),
    async captureOrder(id, requestId) {
      const path = `${orders}/${encodeURIComponent(id)}/capture`;
      try {
        const { outcome } = await call({ method: 'POST', path, requestId, whole: true, schema: order });
        return outcome ?? unknown(new Error(`PayPal answers a capture of order ${id} without one`));
      } catch (error) {
        if (!isRefusal(error)) return unknown(error);
        if (error.issues.includes('ORDER_ALREADY_CAPTURED')) return { kind: 'alreadyCaptured' };
        return { kind: 'declined', issue: error.issues[0] ?? error.name, redirectUrl: error.redirectUrl };
      }
    },
    getCapture: (id) =>
      call({ method: 'GET', path: `/v2/payments/captures/${encodeURIComponent(id)}`, schema: capture }),
    async refundCapture(id, { requestId, money, note }) {
      const body = { ...(money ? { amount: wire(money) } : {}), ...(note ? { note_to_payer: cut(note) } : {}) };
      const path = `/v2/payments/captures/${encodeURIComponent(id)}/refund`;
      try {
        const made = await call({ method: 'POST', path, body, requestId, whole: true, schema: refund });
        if (made.status === 'FAILED' || made.status === 'CANCELLED') return { kind: 'refused', issue: made.status };
        return { kind: made.status === 'COMPLETED' ? 'completed' : 'pending', refund: made };
      } catch (error) {
        return isRefusal(error) ? { kind: 'refused', issue: error.issues[0] ?? error.name } : unknown(error);
      }
    },
    getRefund: (id) => call({ method: 'GET', path: `/v2/payments/refunds/${encodeURIComponent(id)}`, schema: refund }),
    createProduct: ({ requestId, name, description }) =>
      call({
        method: 'POST',
        path: '/v1/catalogs/products',
        requestId,
        body: { name: cut(name), description: cut(description), type: 'SERVICE', category: 'SOFTWARE' },
        schema: created,
      }),
    createPlan: ({ requestId, productId, name, money }) =>
      call({
        method: 'POST',
        path: '/v1/billing/plans',
        requestId,
        whole: true,
        body: {
          product_id: productId,
          name: cut(name),
          status: 'ACTIVE',
          billing_cycles: [
            {
              frequency: { interval_unit: 'MONTH', interval_count: 1 },
              tenure_type: 'REGULAR',
              sequence: 1,
              total_cycles: 0,
              pricing_scheme: { fixed_price: wire(money) },
            },
          ],
          payment_preferences: {
            auto_bill_outstanding: true,
            setup_fee_failure_action: 'CANCEL',
            payment_failure_threshold: 1,
          },
        },
        schema: created,
      }),
    createSubscription: ({ requestId, planId, customId, language, returnUrl, cancelUrl }) =>
      call({
        method: 'POST',
        path: subscriptions,
        requestId,
        whole: true,
        body: {
          plan_id: planId,
          custom_id: customId,
          application_context: {
            brand_name: brandName,
            locale: LOCALES[language],
            shipping_preference: 'NO_SHIPPING',
            user_action: 'SUBSCRIBE_NOW',
            return_url: returnUrl,
            cancel_url: cancelUrl,
          },
        },
        schema: subscription,
      }),
    getSubscription: (id) =>
      call({ method: 'GET', path: `${subscriptions}/${encodeURIComponent(id)}`, schema: subscription }),
    cancelSubscription: (id, reason) => act(id, 'cancel', reason),
    suspendSubscription: (id, reason) => act(id, 'suspend', reason),
    activateSubscription: (id, reason) => act(id, 'activate', reason),
    async captureOutstanding(id, { requestId, money, note }) {
      const path = `${subscriptions}/${encodeURIComponent(id)}/capture`;
      const body = { note: cut(note), capture_type: 'OUTSTANDING_BALANCE', amount: wire(money) };
      try {
        // An accepted one is answered without a body.
        const schema = transaction.optional();
        const made = (await call({ method: 'POST', path, body, requestId, schema })) ?? null;
        if (made?.status === 'DECLINED') return { kind: 'declined', issue: made.status };
        return { kind: made?.status === 'COMPLETED' ? 'completed' : 'pending', transaction: made };
      } catch (error) {
        return isRefusal(error) ? { kind: 'declined', issue: error.issues[0] ?? error.name } : unknown(error);
      }
    },
    async listTransactions(id, from, until) {
      const query = new URLSearchParams({ start_time: from.toISOString(), end_time: until.toISOString() });
      const { transactions } = await call({
        method: 'GET',
        path: `${subscriptions}/${encodeURIComponent(id)}/transactions?${query}`,
        schema: z.looseObject({ transactions: z.array(transaction).default([]) }),
      });
      return transactions;
    },
    async listEvents(from, until) {
      const query = { page_size: '300', start_time: from.toISOString(), end_time: until.toISOString() };
      const found: WebhookEvent[] = [];
      for (let path: string | undefined = `${EVENTS}?${new URLSearchParams(query)}`; path; ) {
        const page: z.output<typeof eventPage> = await call({ method: 'GET', path, schema: eventPage });
        found.push(...page.events.map(eventOf));
        const next = page.links.find(({ rel }) => rel === 'next')?.href;
        path = next && page.events.length > 0 ? pathOf(next) : undefined;
      }
      return found;
    },
    verifyWebhook,
  };
}

/**
 * Returns the path of a further page of events. Of its link nothing else is used: the token goes to the API alone.
 * @throws PayPalError for a link to anything else
 */
function pathOf(next: string): string {
  const { pathname = '', search = '' } = URL.parse(next) ?? {};
  if (!pathname.endsWith(EVENTS)) {
    throw new PayPalError('PayPal lists events with a link elsewhere', { name: 'BROKEN_ANSWER' });
  }
  return `${EVENTS}${search}`;
}

/** Only a judged request (422) tells that no money moved. Anything else may be our own mistake, such as a wrong key. */
function isRefusal(error: unknown): error is PayPalError {
  return error instanceof PayPalError && error.status === 422 && !error.isUnknown;
}

function unknown(error: unknown): { readonly kind: 'unknown'; readonly error: Error } {
  return { kind: 'unknown', error: error instanceof Error ? error : new Error(String(error)) };
}

function wire({ amount, currency }: Money) {
  return { currency_code: currency, value: toDecimal(amount, currency) };
}

/** Cuts between characters, not inside one. */
function cut(text: string): string {
  if (text.length <= TEXT_LENGTH) return text;
  return [...text].reduce((kept, sign) => (kept.length + sign.length <= TEXT_LENGTH ? kept + sign : kept), '');
}
