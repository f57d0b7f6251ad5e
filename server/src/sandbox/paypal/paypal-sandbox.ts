import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Log } from '../../platform/log.ts';
import type { SandboxStore } from '../store.ts';
import {
  approveSubscription,
  captureOutstanding,
  changeSubscription,
  createPlan,
  createProduct,
  createSubscription,
  getPlan,
  getSubscription,
  listTransactions,
  planOf,
  renewDue,
} from './billing.ts';
import { createSigningIdentity } from './certificate.ts';
import { claimDelivery, nextDelivery, queueEvent, settleDelivery, showEvent, signedHeaders } from './events.ts';
import { type Answer, type Exchange, find, read } from './exchange.ts';
import { approveOrder, captureOrder, createOrder, findLiving, getOrder, PAYER, patchOrder } from './orders.ts';
import { approvalPage, asChoice, type Choice, closedPage, languageOf, pagePolicy } from './pages.ts';
import { getPayment, getRefund, refundPayment, settlePending } from './payments.ts';
import { Refusal } from './refusal.ts';
import { forgetOld, newId, type SandboxState } from './state.ts';

export interface PayPalSandboxOptions {
  readonly store: SandboxStore<SandboxState>;
  readonly log: Log;
  now(): Date;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookId: string;
  /** Where events are delivered: an address, or a path on the server that the client calls; null for nowhere. */
  readonly webhookUrl: string | null;
  /** Origin at which buyers reach this server; null is where the client reaches it. */
  readonly publicUrl: string | null;
}

export const PAYPAL_SANDBOX = '/sandbox/paypal';

const TOKEN_SECONDS = 31_668;
const HOUR_MS = 3_600_000;
const KEPT_MS = { orders: 6 * HOUR_MS, payments: 45 * 24 * HOUR_MS, subscriptions: 72 * HOUR_MS } as const;
const DELIVERY_MS = 10_000;
/** The timer of deliveries looks again after this time at the latest: another process may have set the clock ahead. */
const LONGEST_WAIT_MS = 60_000;

type Handler = (exchange: Exchange) => Answer;
type Route = readonly [method: 'GET' | 'POST' | 'PATCH', path: string, keep: keyof typeof KEPT_MS, handler: Handler];

const ROUTES: readonly Route[] = [
  ['POST', '/v2/checkout/orders', 'orders', createOrder],
  ['GET', '/v2/checkout/orders/:id', 'orders', getOrder],
  ['PATCH', '/v2/checkout/orders/:id', 'orders', patchOrder],
  ['POST', '/v2/checkout/orders/:id/capture', 'orders', captureOrder],
  ['GET', '/v2/payments/captures/:id', 'payments', getPayment],
  ['POST', '/v2/payments/captures/:id/refund', 'payments', refundPayment],
  ['GET', '/v2/payments/refunds/:id', 'payments', getRefund],
  ['POST', '/v1/catalogs/products', 'subscriptions', createProduct],
  ['POST', '/v1/billing/plans', 'subscriptions', createPlan],
  ['GET', '/v1/billing/plans/:id', 'subscriptions', getPlan],
  ['POST', '/v1/billing/subscriptions', 'subscriptions', createSubscription],
  ['GET', '/v1/billing/subscriptions/:id', 'subscriptions', getSubscription],
  ['GET', '/v1/billing/subscriptions/:id/transactions', 'subscriptions', listTransactions],
  ['POST', '/v1/billing/subscriptions/:id/capture', 'subscriptions', captureOutstanding],
  ['POST', '/v1/billing/subscriptions/:id/:action', 'subscriptions', changeSubscription],
  ['GET', '/v1/notifications/webhooks-events', 'orders', listEvents],
  ['POST', '/v1/notifications/webhooks-events/:id/resend', 'orders', resendEvent],
  ['POST', '/v1/notifications/simulate-event', 'orders', simulateEvent],
  ['POST', '/clock', 'orders', setClock],
];

/**
 * Mounts a stand-in for PayPal, which speaks its REST API over HTTP and moves no money: the API, the pages on which a
 * buyer approves, and signed webhooks. The API and its clock are for whoever has the credentials; the pages for whoever
 * has the token of a payment. What it lacks is in docs/decisions/0032-payment-providers.md.
 */
export function mountPayPalSandbox(app: FastifyInstance, options: PayPalSandboxOptions): void {
  const { store, log, clientId, clientSecret, webhookId, webhookUrl, publicUrl } = options;
  const deliveries = createDeliveries();
  let hasIdentity = false;

  /** Runs one change, with everything that became due before it. */
  async function change<T>(edit: (state: SandboxState, now: number) => T): Promise<T> {
    const { result, due } = await store.change((state) => {
      const now = options.now().getTime() + state.aheadMs;
      forgetOld(state, now);
      settlePending(state, now);
      renewDue(state, now);
      const result = edit(state, now);
      const next = nextDelivery(state);
      // The change may have set the clock ahead.
      return { result, due: next === null ? null : next - options.now().getTime() - state.aheadMs };
    });
    if (due !== null) deliveries.schedule(due);
    return result;
  }

  /** Creates the key of the signatures with the first event, not with each start. */
  async function ensureIdentity(): Promise<void> {
    if (hasIdentity) return;
    if (!(await store.read()).identity) {
      const identity = createSigningIdentity('messageverificationcerts.sandbox.invalid', options.now());
      await store.change((state) => {
        state.identity ??= { ...identity, certificateId: `CERT-${newId(8)}` };
      });
    }
    hasIdentity = true;
  }

  /** Delivers waiting events one after the other, each claimed by one process. */
  function createDeliveries() {
    let timer: NodeJS.Timeout | null = null;
    let running: Promise<void> | null = null;
    let isAsked = false;
    let closed = false;

    async function deliverOne(): Promise<boolean> {
      await ensureIdentity();
      if (webhookUrl === null) return false;
      const claimed = await store.change((state) => {
        const now = options.now().getTime() + state.aheadMs;
        const event = claimDelivery(state, now);
        if (!event) return null;
        const headers = signedHeaders(state, event, webhookId, options.now().getTime());
        return { event, headers, address: new URL(webhookUrl, state.apiBase).href };
      });
      if (!claimed) return false;
      const { event, headers, address } = claimed;
      const delivered = await fetch(address, {
        method: 'POST',
        headers,
        body: event.body,
        redirect: 'error',
        signal: AbortSignal.timeout(DELIVERY_MS),
      }).then(
        async (response) => {
          await response.body?.cancel();
          return response.ok;
        },
        () => false,
      );
      await change((state, now) => settleDelivery(state, event.id, now, delivered));
      return true;
    }

    async function run(): Promise<void> {
      try {
        while (isAsked) {
          isAsked = false;
          while (!closed && (await deliverOne()));
        }
      } catch (error) {
        log.warn({ err: error }, 'The PayPal sandbox cannot deliver its events');
      }
    }

    return {
      /** Looks for due deliveries after `waitMs`. */
      schedule(waitMs: number): void {
        if (closed) return;
        if (waitMs <= 0) {
          isAsked = true;
          running ??= run().finally(() => {
            running = null;
          });
          return;
        }
        if (timer) clearTimeout(timer);
        timer = setTimeout(() => this.schedule(0), Math.min(waitMs, LONGEST_WAIT_MS));
        timer.unref();
      },
      async close(): Promise<void> {
        closed = true;
        if (timer) clearTimeout(timer);
        await running;
      },
    };
  }

  const baseOf = (request: FastifyRequest) => `${request.protocol}://${request.host}${PAYPAL_SANDBOX}`;
  const tokenOf = (until: string) => {
    const mac = createHmac('sha256', clientSecret).update(`${clientId} ${until}`).digest('base64url');
    return `A21.${until}.${mac}`;
  };

  function isAuthorized(request: FastifyRequest): boolean {
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const until = token.split('.')[1] ?? '';
    return isEqual(token, tokenOf(until)) && Number(until) > options.now().getTime();
  }

  app.register(
    async (scope) => {
      scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
        try {
          done(null, body === '' ? {} : JSON.parse(String(body)));
        } catch {
          done(new Refusal(400, 'MALFORMED_REQUEST_JSON'), undefined);
        }
      });
      scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
        done(null, Object.fromEntries(new URLSearchParams(String(body)))),
      );
      scope.addHook('onRequest', async (_request, reply) => {
        reply
          .header('paypal-debug-id', randomBytes(7).toString('hex').slice(0, 13))
          .header('cache-control', 'no-store');
      });
      scope.setErrorHandler((error, request, reply) => {
        const refusal = error instanceof Refusal ? error : refusalOf(error);
        if (refusal.status === 500) log.error({ err: error }, 'The PayPal sandbox failed');
        if (isPage(request)) return sendPage(reply, refusal.status, closedPage(languageOfReader(request), 'gone'), []);
        return reply
          .status(refusal.status)
          .send({ ...refusal.body, debug_id: String(reply.getHeader('paypal-debug-id')) });
      });
      scope.setNotFoundHandler(() => {
        throw new Refusal(404, 'INVALID_RESOURCE_ID');
      });
      scope.addHook('onReady', async () => {
        // Deliveries that a restart interrupted.
        if (nextDelivery(await store.read()) !== null) deliveries.schedule(0);
      });
      scope.addHook('onClose', () => deliveries.close());

      scope.post('/v1/oauth2/token', async (request, reply) => {
        const basic = /^Basic (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
        if (!isEqual(Buffer.from(basic, 'base64').toString(), `${clientId}:${clientSecret}`)) {
          const error = { error: 'invalid_client', error_description: 'Client Authentication failed' };
          return reply.status(401).send(error);
        }
        const { grant_type: grant } = z.looseObject({ grant_type: z.string().optional() }).parse(request.body ?? {});
        if (grant !== 'client_credentials') return reply.status(400).send({ error: 'unsupported_grant_type' });
        return {
          scope: 'https://uri.paypal.com/services/payments',
          access_token: tokenOf(String(options.now().getTime() + TOKEN_SECONDS * 1000)),
          token_type: 'Bearer',
          app_id: 'APP-80W284485P519543T',
          expires_in: TOKEN_SECONDS,
          nonce: `${options.now().toISOString()}${newId()}`,
        };
      });

      scope.register(async (api) => {
        api.addHook('onRequest', async (request, reply) => {
          if (isAuthorized(request)) return;
          // PayPal has two forms of this error.
          if (request.headers.authorization === undefined) throw new Refusal(401, null);
          const error = { error: 'invalid_token', error_description: 'Token signature verification failed' };
          return reply.status(401).send(error);
        });
        for (const [method, url, keep, handler] of ROUTES) {
          api.route({
            method,
            url,
            handler: async (request, reply) => {
              if (url.startsWith('/v2/')) throwMocked(request);
              const { status, body } = await change((state, now) => {
                state.apiBase = baseOf(request);
                const exchange: Exchange = {
                  state,
                  now,
                  apiBase: state.apiBase,
                  pageBase: publicUrl === null ? state.apiBase : `${publicUrl}${PAYPAL_SANDBOX}`,
                  params: request.params as Record<string, string>,
                  query: request.query as Record<string, string>,
                  body: request.body,
                  whole: /return=representation/.test(String(request.headers['prefer'] ?? '')),
                };
                return method === 'POST' ? once(request, exchange, KEPT_MS[keep], handler) : handler(exchange);
              });
              return reply.status(status).send(body);
            },
          });
        }
        api.post('/v1/notifications/verify-webhook-signature', async (request) => {
          const told = read(signatureQuestion, request.body);
          const state = await store.read();
          const isOwn = told.webhook_id === webhookId && isSigned(state, told, webhookId);
          return { verification_status: isOwn ? 'SUCCESS' : 'FAILURE' };
        });
      });

      scope.get<{ Params: { id: string } }>('/v1/notifications/certs/:id', async (request, reply) => {
        const { identity } = await store.read();
        if (identity?.certificateId !== request.params.id) throw new Refusal(404, 'INVALID_RESOURCE_ID');
        return reply.type('application/x-pem-file').send(identity.certificate);
      });
      mountPages(scope);
    },
    { prefix: PAYPAL_SANDBOX },
  );

  function mountPages(scope: FastifyInstance): void {
    scope.get<{ Querystring: { token?: string } }>('/checkoutnow', async (request, reply) => {
      const order = await change((state, now) => findLiving(state, request.query.token, now));
      if (order.status === 'COMPLETED') return sendPage(reply, 200, closedPage(order.locale, 'paid'), []);
      const { locale, brandName, id } = order;
      const shown = approvalPage({
        locale,
        brandName,
        description: order.description ?? '',
        money: order,
        isMonthly: false,
        token: { name: 'token', value: id },
      });
      return sendPage(reply, 200, shown, [order.returnUrl, order.cancelUrl]);
    });
    scope.post('/checkoutnow', async (request, reply) => {
      const { choice, token } = readForm(request.body, 'token');
      const order = await change((state, now) => {
        const found = findLiving(state, token, now);
        if (found.status === 'COMPLETED' || choice === 'cancel') return found;
        approveOrder(state, now, found, choice === 'approve' ? 'pays' : choice === 'decline' ? 'declined' : 'pending');
        return found;
      });
      const [address, values] =
        choice === 'cancel'
          ? [order.cancelUrl, { token: order.id }]
          : [order.returnUrl, { token: order.id, PayerID: PAYER.account_id }];
      if (address === null) return sendPage(reply, 200, closedPage(order.locale, 'paid'), []);
      return reply.redirect(withQuery(address, values), 303);
    });

    const findByToken = ({ subscriptions }: SandboxState, token: string | undefined) =>
      find(subscriptions, Object.values(subscriptions).find(({ approvalToken }) => approvalToken === token)?.id);
    const path = '/webapps/billing/subscriptions';
    scope.get<{ Querystring: { ba_token?: string } }>(path, async (request, reply) => {
      const [found, plan] = await change((state) => {
        const subscription = findByToken(state, request.query.ba_token);
        return [subscription, planOf(state, subscription)] as const;
      });
      const { locale, brandName, approvalToken: value } = found;
      if (found.status !== 'APPROVAL_PENDING') return sendPage(reply, 200, closedPage(locale, 'paid'), []);
      const token = { name: 'ba_token', value };
      const shown = approvalPage({ locale, brandName, description: plan.name, money: plan, isMonthly: true, token });
      return sendPage(reply, 200, shown, [found.returnUrl, found.cancelUrl]);
    });
    scope.post(path, async (request, reply) => {
      const { choice, token } = readForm(request.body, 'ba_token');
      const found = await change((state, now) => {
        const subscription = findByToken(state, token);
        const isOpen = subscription.status === 'APPROVAL_PENDING' && choice !== 'cancel';
        if (isOpen) approveSubscription(state, now, subscription, choice !== 'decline');
        return subscription;
      });
      const address = choice === 'cancel' ? found.cancelUrl : found.returnUrl;
      if (address === null) return sendPage(reply, 200, closedPage(found.locale, 'paid'), []);
      const values = { subscription_id: found.id, ba_token: found.approvalToken, token: newId() };
      return reply.redirect(withQuery(address, values), 303);
    });
  }
}

/** Repeats the first answer to a `PayPal-Request-Id`, with the status 200. */
function once(request: FastifyRequest, exchange: Exchange, keepMs: number, handler: Handler): Answer {
  const id = request.headers['paypal-request-id'];
  if (typeof id !== 'string' || id === '') return handler(exchange);
  if (id.length > 108) throw new Refusal(400, 'INVALID_STRING_LENGTH', { field: 'PayPal-Request-Id' });
  const { state, now } = exchange;
  const key = `${request.method} ${request.url.split('?', 1)[0]} ${id}`;
  const hash = createHash('sha256')
    .update(JSON.stringify(exchange.body ?? {}))
    .digest('hex');
  const before = Object.hasOwn(state.answered, key) ? state.answered[key] : undefined;
  if (before && before.hash !== hash) throw new Refusal(422, 'DUPLICATE_REQUEST_ID');
  if (before) return { status: before.status === 201 ? 200 : before.status, body: before.body };
  const answer = handler(exchange);
  state.answered[key] = { until: now + keepMs, hash, status: answer.status, body: answer.body ?? null };
  return answer;
}

/** The header with which PayPal's sandbox, too, answers an error on demand. */
function throwMocked(request: FastifyRequest): void {
  const header = request.headers['paypal-mock-response'];
  if (typeof header !== 'string') return;
  let code: unknown;
  try {
    ({ mock_application_codes: code } = JSON.parse(header) as { mock_application_codes?: unknown });
  } catch {
    return;
  }
  const [first] = Array.isArray(code) ? code : [code];
  if (typeof first !== 'string') return;
  if (first === 'INTERNAL_SERVER_ERROR' || first === 'INTERNAL_SERVICE_ERROR') throw new Refusal(500, null);
  throw new Refusal(422, first);
}

const signatureQuestion = z.looseObject({
  auth_algo: z.string(),
  cert_url: z.string(),
  transmission_id: z.string(),
  transmission_sig: z.string(),
  transmission_time: z.string(),
  webhook_id: z.string(),
  webhook_event: z.looseObject({ id: z.string() }),
});

/** Returns whether the sandbox signed this: the same parts are signed again, for RSA has one signature of each. */
function isSigned(state: SandboxState, told: z.output<typeof signatureQuestion>, webhookId: string): boolean {
  const event = Object.hasOwn(state.events, told.webhook_event.id) ? state.events[told.webhook_event.id] : undefined;
  if (!event || !state.identity) return false;
  const shown = { ...event, body: JSON.stringify(told.webhook_event) };
  const again = signedHeaders(state, shown, webhookId, Date.parse(told.transmission_time), told.transmission_id);
  return (
    told.auth_algo === again['paypal-auth-algo'] &&
    told.cert_url === again['paypal-cert-url'] &&
    isEqual(told.transmission_sig, again['paypal-transmission-sig'])
  );
}

function listEvents({ state, query }: Exchange): Answer {
  const size = Math.min(Math.max(Number(query['page_size'] ?? 10) || 10, 1), 300);
  const from = Date.parse(query['start_time'] ?? '') || 0;
  const until = Date.parse(query['end_time'] ?? '') || Number.POSITIVE_INFINITY;
  const skipped = Number(query['next_page_token'] ?? 0) || 0;
  const newest = Object.values(state.events)
    .filter(({ createdAt }) => createdAt >= from && createdAt <= until)
    .sort((a, b) => b.number - a.number);
  const end = skipped + size;
  const next = new URLSearchParams({ ...query, next_page_token: String(end) });
  const href = `${state.apiBase}/v1/notifications/webhooks-events?${next}`;
  const links = end < newest.length ? [{ href, rel: 'next', method: 'GET' }] : [];
  return { status: 200, body: { events: newest.slice(skipped, end).map(showEvent), count: newest.length, links } };
}

function resendEvent({ state, now, params }: Exchange): Answer {
  const event = find(state.events, params['id']);
  Object.assign(event, { nextAt: now, attempts: 0, delivered: false });
  return { status: 202, body: showEvent(event) };
}

const simulation = z.looseObject({ event_type: z.string().max(100), resource: z.looseObject({}).optional() });

/** Delivers an event of which nothing is true, signed like any other. */
function simulateEvent({ state, now, body }: Exchange): Answer {
  const { event_type: type, resource = { id: newId() } } = read(simulation, body);
  return { status: 202, body: showEvent(queueEvent(state, now, type, resource)) };
}

const clockChange = z.strictObject({
  /** Seconds by which the sandbox's own clock, for due payments, is set ahead. */
  advance_seconds: z
    .int()
    .min(0)
    .max(366 * 24 * 3600)
    .default(0),
  /** Subscriptions whose card is declined, or pays again, from now on. */
  declining: z.array(z.string()).default([]),
  paying: z.array(z.string()).default([]),
  /** Pending payments that will be declined instead of completed. */
  deny: z.array(z.string()).default([]),
});

/** Sets the clock ahead and runs what becomes due: renewals, repeated attempts, pending payments. */
function setClock({ state, now, body }: Exchange): Answer {
  const told = read(clockChange, body);
  for (const id of told.declining) find(state.subscriptions, id).pays = false;
  for (const id of told.paying) find(state.subscriptions, id).pays = true;
  for (const id of told.deny) find(state.payments, id).settlesAs = 'DECLINED';
  state.aheadMs += told.advance_seconds * 1000;
  const later = now + told.advance_seconds * 1000;
  settlePending(state, later);
  renewDue(state, later);
  return { status: 200, body: { time: new Date(later).toISOString() } };
}

function refusalOf(error: unknown): Refusal {
  const status = (error as { statusCode?: number }).statusCode ?? 500;
  return status >= 400 && status < 500 ? new Refusal(400, 'INVALID_PARAMETER_SYNTAX') : new Refusal(500, null);
}

function readForm(body: unknown, name: string): { choice: Choice; token: string } {
  const form = z.record(z.string(), z.string()).safeParse(body).data ?? {};
  const choice = asChoice(form['choice']);
  const token = form[name];
  if (!choice || token === undefined) throw new Refusal(400, 'MISSING_REQUIRED_PARAMETER');
  return { choice, token };
}

function isPage({ url }: FastifyRequest): boolean {
  return /^\/sandbox\/paypal\/(checkoutnow|webapps\/)/.test(url);
}

function languageOfReader(request: FastifyRequest): string {
  return languageOf(request.headers['accept-language']?.split(/[,;]/)[0] ?? '');
}

function sendPage(reply: FastifyReply, status: number, page: string, addresses: readonly (string | null)[]) {
  return reply
    .status(status)
    .header('content-security-policy', pagePolicy(addresses))
    .type('text/html; charset=utf-8')
    .send(page);
}

function withQuery(address: string, values: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return url.href;
}

function isEqual(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
