import type { AddressInfo } from 'node:net';
import type { Language, Money } from '@framelift/contract';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { createPayPal, type PayPal } from '../../platform/payments/paypal/paypal.ts';
import type { VerifiedWebhook, WebhookDelivery } from '../../platform/payments/paypal/webhook.ts';
import { createTestClock, type TestClock } from '../../testing/clock.ts';
import { openTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { openSandboxStore } from '../store.ts';
import { mountPayPalSandbox, PAYPAL_SANDBOX } from './paypal-sandbox.ts';
import { sandboxState } from './state.ts';

/** The client and the sandbox talk over HTTP, as the client and PayPal would; a second server is our webhook. */

const SECRET = { clientId: 'client', clientSecret: 'hush', webhookId: '1JE4291016473214C' };
const HOUR_MS = 3_600_000;
const DAY_SECONDS = 24 * 3600;

let opened: TestDatabase;
let clock: TestClock;
let base: string;
let paypal: PayPal;
let sandbox: FastifyInstance;
let hook: FastifyInstance;
let hookUrl: string;
let hookStatus = 200;
const deliveries: (WebhookDelivery & { readonly verdict: VerifiedWebhook })[] = [];
const log = createLog('silent');
let count = 0;

async function startSandbox(port = 0): Promise<FastifyInstance> {
  const app = fastify();
  const now = () => clock.now();
  const store = openSandboxStore(opened.db, 'paypal', sandboxState);
  mountPayPalSandbox(app, { store, log, now, ...SECRET, webhookUrl: hookUrl, publicUrl: null });
  await app.listen({ host: '127.0.0.1', port });
  return app;
}
const portOf = (app: FastifyInstance) => (app.server.address() as AddressInfo).port;

beforeAll(async () => {
  opened = await openTestDatabase();
  clock = createTestClock();
  hook = fastify();
  hook.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  hook.post('/hook', async (request, reply) => {
    const delivery = { headers: request.headers, body: request.body as Buffer };
    deliveries.push({ ...delivery, verdict: await paypal.verifyWebhook(delivery) });
    return reply.status(hookStatus).send();
  });
  hookUrl = `${await hook.listen({ host: '127.0.0.1', port: 0 })}/hook`;
  sandbox = await startSandbox();
  base = `http://127.0.0.1:${portOf(sandbox)}${PAYPAL_SANDBOX}`;
  paypal = createPayPal({ apiBase: () => base, ...SECRET, brandName: 'Framelift', log, clock });
});
afterAll(async () => {
  await sandbox.close();
  await hook.close();
  await opened.close();
});

function order(
  money: Money = { amount: 1200, currency: 'USD' },
  more: { requestId?: string; invoiceId?: string; language?: Language } = {},
) {
  const number = ++count;
  return paypal.createOrder({
    requestId: `order:${number}:create`,
    money,
    customId: `custom-${number}`,
    invoiceId: `FL-${number}`,
    description: 'Ten pictures <in 3D>',
    language: 'en',
    returnUrl: 'http://shop.example/tradeResult?order=1',
    cancelUrl: 'http://shop.example/cancelled',
    ...more,
  });
}

/** Presses a button of the approval page, as a browser without scripts does. */
async function press(approveUrl: string | null, choice: string): Promise<URL> {
  const address = new URL(approveUrl ?? expect.fail('No page to approve at'));
  const page = await (await fetch(address)).text();
  expect(page).toContain(`value="${choice}"`);
  const [, name = '', value = ''] = /name="(\w+)" value="([^"]+)">/.exec(page) ?? [];
  const body = new URLSearchParams({ [name]: value, choice });
  const response = await fetch(address, { method: 'POST', body, redirect: 'manual' });
  expect(response.status).toBe(303);
  return new URL(response.headers.get('location') ?? '');
}
async function paid(money?: Money) {
  const made = await order(money);
  await press(made.approveUrl, 'approve');
  const outcome = await paypal.captureOrder(made.id, `${made.id}:capture`);
  if (outcome.kind !== 'completed') return expect.fail(`Not paid: ${outcome.kind}`);
  return { made, capture: outcome.capture };
}
async function call(path: string, body?: unknown, headers: Record<string, string> = {}) {
  const login = await fetch(`${base}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('client:hush').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await login.json()) as { access_token: string };
  const response = await fetch(`${base}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null };
}
const setClock = (body: object) => call('/clock', body);
/** Waits for a verified event about this resource. */
const event = (type: string, resource: string) =>
  vi.waitFor(
    () => {
      const found = deliveries.find(({ verdict, body }) => {
        return verdict.kind === 'valid' && verdict.event.type === type && body.includes(`"${resource}"`);
      });
      if (!found) throw new Error(`No ${type} of ${resource} yet`);
      return found;
    },
    { timeout: 20_000, interval: 20 },
  );
const subjectOf = async (type: string, resource: string) => {
  const { verdict } = await event(type, resource);
  return verdict.kind === 'valid' && verdict.event.subject;
};

describe('paying an order', () => {
  it('goes from the approval page back to the shop, and is captured once by twenty calls at the same time', async () => {
    const made = await order();
    expect(made).toMatchObject({ status: 'PAYER_ACTION_REQUIRED', money: { amount: 1200, currency: 'USD' } });
    expect(await paypal.captureOrder(made.id, 'early')).toMatchObject({
      kind: 'declined',
      issue: 'ORDER_NOT_APPROVED',
    });

    const back = await press(made.approveUrl, 'approve');
    expect(back.href).toMatch(/^http:\/\/shop\.example\/tradeResult\?order=1&token=[A-Z\d]{17}&PayerID=\w+$/);
    expect(back.searchParams.get('token')).toBe(made.id);

    const keys = Array.from({ length: 20 }, (_, index) => `capture:${index % 2 === 0 ? 'same' : index}`);
    const outcomes = await Promise.all(keys.map((key) => paypal.captureOrder(made.id, key)));
    const kinds = new Set(outcomes.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(['alreadyCaptured', 'completed']);
    const read = await paypal.getOrder(made.id);
    if (read.outcome?.kind !== 'completed') return expect.fail('The order was not captured');
    const { capture } = read.outcome;
    for (const outcome of outcomes) if (outcome.kind === 'completed') expect(outcome.capture.id).toBe(capture.id);
    expect(capture).toMatchObject({
      money: { amount: 1200, currency: 'USD' },
      customId: read.customId,
      orderId: made.id,
    });
    expect(await paypal.getCapture(capture.id)).toEqual(capture);
    expect(await subjectOf('CHECKOUT.ORDER.APPROVED', made.id)).toEqual({ kind: 'order', orderId: made.id });
    expect(await subjectOf('PAYMENT.CAPTURE.COMPLETED', capture.id)).toEqual({
      kind: 'capture',
      captureId: capture.id,
      orderId: made.id,
    });
    const { body } = await call('/v1/notifications/webhooks-events?page_size=300');
    const about = body.events.filter(({ resource }: { resource: { id: string } }) => resource.id === capture.id);
    expect(about).toHaveLength(1);
  });

  it('charges whole dollars of Taiwan, although the answer has decimals, and yen without [A69] [A68]', async () => {
    for (const money of [
      { amount: 30_000, currency: 'TWD' },
      { amount: 1500, currency: 'JPY' },
    ] as const) {
      expect((await paid(money)).capture.money).toEqual(money);
    }
  });

  it('that was cancelled is not paid, and can be paid afterwards', async () => {
    const made = await order();
    expect((await press(made.approveUrl, 'cancel')).href).toBe(`http://shop.example/cancelled?token=${made.id}`);
    expect(await paypal.captureOrder(made.id, 'a')).toMatchObject({ kind: 'declined', issue: 'ORDER_NOT_APPROVED' });
    await press(made.approveUrl, 'approve');
    expect(await paypal.captureOrder(made.id, 'b')).toMatchObject({ kind: 'completed' });
  });

  it('with a declined card leads back to the page, where another way pays', async () => {
    const made = await order();
    await press(made.approveUrl, 'decline');
    const outcome = await paypal.captureOrder(made.id, 'a');
    expect(outcome).toEqual({ kind: 'declined', issue: 'INSTRUMENT_DECLINED', redirectUrl: made.approveUrl });
    await press(made.approveUrl, 'approve');
    expect(await paypal.captureOrder(made.id, 'b')).toMatchObject({ kind: 'completed' });
  });

  it('left pending is settled later, either way', async () => {
    for (const [deny, status] of [
      [false, 'COMPLETED'],
      [true, 'DECLINED'],
    ] as const) {
      const made = await order();
      await press(made.approveUrl, 'pending');
      const outcome = await paypal.captureOrder(made.id, 'a');
      if (outcome.kind !== 'pending') return expect.fail(`Not pending: ${outcome.kind}`);
      const { id } = outcome.capture;
      expect(outcome.reason).toBe('PENDING_REVIEW');
      expect(await paypal.refundCapture(id, { requestId: 'r', money: null })).toEqual({
        kind: 'refused',
        issue: 'PENDING_CAPTURE',
      });
      await event('PAYMENT.CAPTURE.PENDING', id);
      await setClock({ advance_seconds: 180, deny: deny ? [id] : [] });
      await event(`PAYMENT.CAPTURE.${status}`, id);
      expect(await paypal.getCapture(id)).toMatchObject({ status });
      expect((await paypal.getOrder(made.id)).outcome?.kind).toBe(deny ? 'declined' : 'completed');
    }
  });

  it('repeated with its id is the same order, and with another price is refused', async () => {
    const requestId = 'order:again:create';
    const first = await paypal.createOrder({ ...wish, requestId });
    expect(await paypal.createOrder({ ...wish, requestId })).toEqual(first);
    const other = paypal.createOrder({ ...wish, requestId, money: { amount: 1, currency: 'USD' } });
    await expect(other).rejects.toMatchObject({ status: 422, issues: ['DUPLICATE_REQUEST_ID'] });
    expect((await call('/v2/checkout/orders', rest(), { 'paypal-request-id': 'raw' })).status).toBe(201);
    expect((await call('/v2/checkout/orders', rest(), { 'paypal-request-id': 'raw' })).status).toBe(200);
  });

  it('never takes one invoice twice', async () => {
    const [first, second] = [
      await order(undefined, { invoiceId: 'SAME' }),
      await order(undefined, { invoiceId: 'SAME' }),
    ];
    await press(first.approveUrl, 'approve');
    await press(second.approveUrl, 'approve');
    expect(await paypal.captureOrder(first.id, 'a')).toMatchObject({ kind: 'completed' });
    expect(await paypal.captureOrder(second.id, 'b')).toMatchObject({
      kind: 'declined',
      issue: 'DUPLICATE_INVOICE_ID',
    });
  });

  it('ends six hours after it began, if nobody approved', async () => {
    const made = await order();
    clock.advance(6 * HOUR_MS);
    await expect(paypal.getOrder(made.id)).rejects.toMatchObject({ status: 404, issues: ['INVALID_RESOURCE_ID'] });
    const page = await fetch(made.approveUrl ?? '', { headers: { 'accept-language': 'ja' } });
    expect(page.status).toBe(404);
    expect(await page.text()).toContain('期限切れ');
  });

  it('survives a restart', async () => {
    const { made, capture } = await paid();
    const port = portOf(sandbox);
    await sandbox.close();
    sandbox = await startSandbox(port);
    expect((await paypal.getOrder(made.id)).outcome).toEqual({ kind: 'completed', capture });
  });
});

const wish = {
  money: { amount: 990, currency: 'USD' },
  customId: 'again',
  invoiceId: 'FL-again',
  description: 'Again',
  language: 'zh',
  returnUrl: 'http://shop.example/r',
  cancelUrl: 'http://shop.example/c',
} as const;
const rest = (amount: object = { currency_code: 'USD', value: '12.00' }, more: object = {}) => ({
  intent: 'CAPTURE',
  purchase_units: [{ amount, ...more }],
});

describe('the approval page', () => {
  it.each([
    ['en', 'Pay with PayPal', 'No money moves', '$12.00'],
    ['zh', '使用 PayPal 付款', '不會實際扣款', 'US$12.00'],
    ['ja', 'PayPalで支払う', '実際の支払いは発生せず', '$12.00'],
  ] as const)(
    'says in %s what is paid, and that it is a test, without scripts',
    async (language, title, note, price) => {
      const made = await order(undefined, { language });
      const response = await fetch(made.approveUrl ?? '');
      const page = await response.text();
      for (const text of [title, note, price, 'Framelift', 'Ten pictures &#60;in 3D&#62;'])
        expect(page).toContain(text);
      expect(page).not.toMatch(/<script|<in 3D>| on\w+=/);
      const policy = response.headers.get('content-security-policy');
      expect(policy).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self' http:\/\/shop.example;/,
      );
      expect(policy).toContain("frame-ancestors 'none'");
    },
  );
});

describe('refunds', () => {
  it('never exceed what was paid, and reach the last cent [A71]', async () => {
    const { capture } = await paid({ amount: 1001, currency: 'USD' });
    const refund = (requestId: string, amount: number | null) =>
      paypal.refundCapture(capture.id, { requestId, money: amount === null ? null : { amount, currency: 'USD' } });
    const part = await refund('r1', 333);
    expect(part).toMatchObject({ kind: 'completed', refund: { money: { amount: 333, currency: 'USD' } } });
    expect(await refund('r1', 333)).toEqual(part);
    expect(await paypal.getCapture(capture.id)).toMatchObject({ status: 'PARTIALLY_REFUNDED' });
    expect(await refund('r2', 669)).toEqual({ kind: 'refused', issue: 'REFUND_AMOUNT_EXCEEDED' });
    expect(await refund('r3', 667)).toMatchObject({ kind: 'completed' });
    const last = await refund('r4', null);
    expect(last).toMatchObject({ kind: 'completed', refund: { money: { amount: 1, currency: 'USD' } } });
    expect(await refund('r5', null)).toEqual({ kind: 'refused', issue: 'CAPTURE_FULLY_REFUNDED' });
    expect(await paypal.getCapture(capture.id)).toMatchObject({ status: 'REFUNDED' });
    if (last.kind !== 'completed') return;
    expect(await paypal.getRefund(last.refund.id)).toEqual(last.refund);
    expect(await subjectOf('PAYMENT.CAPTURE.REFUNDED', last.refund.id)).toEqual({
      kind: 'refund',
      refundId: last.refund.id,
      captureId: capture.id,
    });
    const foreign = paypal.refundCapture(capture.id, { requestId: 'r6', money: { amount: 100, currency: 'TWD' } });
    expect((await foreign).kind).toBe('refused');
  });

  it('at the same time give back no more than was paid', async () => {
    const { capture } = await paid({ amount: 1000, currency: 'USD' });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        paypal.refundCapture(capture.id, { requestId: `p${index}`, money: { amount: 300, currency: 'USD' } }),
      ),
    );
    expect(outcomes.filter(({ kind }) => kind === 'completed')).toHaveLength(3);
  });
});

describe('errors', () => {
  it.each([
    [400, 'MALFORMED_REQUEST_JSON', '{"intent":'],
    [400, 'MISSING_REQUIRED_PARAMETER', { intent: 'CAPTURE' }],
    [400, 'INVALID_PARAMETER_VALUE', { ...rest(), intent: 'STEAL' }],
    [400, 'INVALID_PARAMETER_SYNTAX', rest({ currency_code: 'USD', value: '1e3' })],
    [400, 'INVALID_STRING_LENGTH', rest(undefined, { custom_id: 'x'.repeat(128) })],
    [422, 'CANNOT_BE_ZERO_OR_NEGATIVE', rest({ currency_code: 'USD', value: '0.00' })],
    [422, 'DECIMAL_PRECISION', rest({ currency_code: 'USD', value: '1.005' })],
    [422, 'DECIMAL_PRECISION', rest({ currency_code: 'TWD', value: '300.50' })],
    [422, 'INVALID_CURRENCY_CODE', rest({ currency_code: 'XXX', value: '1.00' })],
    [422, 'UNSUPPORTED_INTENT', { ...rest(), intent: 'AUTHORIZE' }],
    [
      422,
      'AMOUNT_MISMATCH',
      rest({ currency_code: 'USD', value: '2.00', breakdown: { item_total: { currency_code: 'USD', value: '1.00' } } }),
    ],
  ])('%d %s has the form of the API', async (status, issue, body) => {
    const answer = await call('/v2/checkout/orders', body);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ details: [{ issue }], debug_id: answer.headers.get('paypal-debug-id') });
    expect(answer.body.name).toBe(status === 400 ? 'INVALID_REQUEST' : 'UNPROCESSABLE_ENTITY');
  });

  it('can be asked for with the header of the real sandbox', async () => {
    const made = await order();
    await press(made.approveUrl, 'approve');
    const mock = (code: string) => ({ 'paypal-mock-response': JSON.stringify({ mock_application_codes: code }) });
    const path = `/v2/checkout/orders/${made.id}/capture`;
    expect((await call(path, {}, mock('INSTRUMENT_DECLINED'))).body.details[0].issue).toBe('INSTRUMENT_DECLINED');
    expect((await call(path, {}, mock('INTERNAL_SERVER_ERROR'))).status).toBe(500);
    expect(await paypal.captureOrder(made.id, 'a')).toMatchObject({ kind: 'completed' });
  });

  it('of the credentials have both forms, and nobody without them is let in', async () => {
    const login = { method: 'POST', headers: { authorization: 'Basic eDp5' }, body: new URLSearchParams() };
    const wrong = await fetch(`${base}/v1/oauth2/token`, login);
    expect([wrong.status, await wrong.json()]).toEqual([
      401,
      { error: 'invalid_client', error_description: 'Client Authentication failed' },
    ]);
    for (const path of ['/v2/checkout/orders', '/clock', '/v1/notifications/simulate-event']) {
      const bare = await fetch(`${base}${path}`, { method: 'POST' });
      expect([bare.status, await bare.json()]).toMatchObject([401, { name: 'AUTHENTICATION_FAILURE' }]);
      const stale = await fetch(`${base}${path}`, { method: 'POST', headers: { authorization: 'Bearer A21.9e15.x' } });
      expect([stale.status, await stale.json()]).toMatchObject([401, { error: 'invalid_token' }]);
    }
  });
});

describe('webhooks', () => {
  it('are believed as they were signed, and in no other form', async () => {
    const { capture } = await paid();
    const { headers, body, verdict } = await event('PAYMENT.CAPTURE.COMPLETED', capture.id);
    expect(verdict.kind).toBe('valid');
    const judged = (changed: Record<string, string>, bytes = body) =>
      paypal.verifyWebhook({ headers: { ...headers, ...changed }, body: bytes });
    // A repetition is genuine too: whoever handles it knows its id.
    expect(await judged({})).toEqual(verdict);

    const sum = Buffer.from(body.toString().replace('12.00', '99.00'));
    const respelt = Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1));
    const certificate = String(headers['paypal-cert-url']);
    const forgeries: [string, Promise<VerifiedWebhook>][] = [
      ['another sum', judged({}, sum)],
      ['another spelling', judged({}, respelt)],
      ['another transmission', judged({ 'paypal-transmission-id': 'b4e6cbf0' })],
      ['another time', judged({ 'paypal-transmission-time': clock.now().toISOString() })],
      ['long ago', judged({ 'paypal-transmission-time': '2020-01-01T00:00:00Z' })],
      ['no signature', judged({ 'paypal-transmission-sig': '' })],
      ['a broken signature', judged({ 'paypal-transmission-sig': 'AAAA' })],
      ['a weak algorithm', judged({ 'paypal-auth-algo': 'SHA1withRSA' })],
      ['a foreign host', judged({ 'paypal-cert-url': certificate.replace('127.0.0.1', 'localhost') })],
      ['a foreign port', judged({ 'paypal-cert-url': `${hookUrl}/v1/notifications/certs/x` })],
      ['a foreign folder', judged({ 'paypal-cert-url': certificate.replace('/certs/', '/../certs/../') })],
      ['a name before the host', judged({ 'paypal-cert-url': certificate.replace('127.', 'paypal.com@127.') })],
    ];
    for (const [title, forgery] of forgeries) expect([title, (await forgery).kind]).toEqual([title, 'forged']);
    // Not now, perhaps: PayPal shall deliver it again.
    expect((await judged({ 'paypal-cert-url': `${certificate}-gone` })).kind).toBe('unverifiable');
    // For another webhook than ours.
    const other = createPayPal({ apiBase: () => base, ...SECRET, webhookId: 'OTHER', brandName: '', log, clock });
    expect((await other.verifyWebhook({ headers, body })).kind).toBe('forged');
  });

  it('with a certificate on hosts of PayPal are only believed by an account of the same environment', async () => {
    const { capture } = await paid();
    const { headers, body } = await event('PAYMENT.CAPTURE.COMPLETED', capture.id);
    const live = createPayPal({ apiBase: () => 'https://api-m.paypal.com', ...SECRET, brandName: '', log, clock });
    for (const address of [
      'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1',
      'http://api.paypal.com/v1/notifications/certs/CERT-1',
      'https://api.paypal.com.evil.example/v1/notifications/certs/CERT-1',
      'https://www.paypal.com/v1/notifications/certs/CERT-1',
      'https://api.paypal.com:8443/v1/notifications/certs/CERT-1',
      String(headers['paypal-cert-url']),
    ]) {
      const delivery = { headers: { ...headers, 'paypal-cert-url': address }, body };
      expect([address, (await live.verifyWebhook(delivery)).kind]).toEqual([address, 'forged']);
    }
  });

  it('do not follow a certificate that moved elsewhere', async () => {
    const { capture } = await paid();
    const { headers, body } = await event('PAYMENT.CAPTURE.COMPLETED', capture.id);
    const moved = fastify();
    moved.get('/v1/notifications/certs/:id', async (_request, reply) =>
      reply.redirect(String(headers['paypal-cert-url'])),
    );
    const apiBase = await moved.listen({ host: '127.0.0.1', port: 0 });
    const client = createPayPal({ apiBase: () => apiBase, ...SECRET, brandName: '', log, clock });
    const delivery = { headers: { ...headers, 'paypal-cert-url': `${apiBase}/v1/notifications/certs/CERT-1` }, body };
    expect((await client.verifyWebhook(delivery)).kind).toBe('unverifiable');
    await moved.close();
  });

  it('are delivered again until they are taken, can be listed, sent again, verified and simulated', async () => {
    hookStatus = 503;
    const simulated = await call('/v1/notifications/simulate-event', {
      event_type: 'CUSTOMER.DISPUTE.CREATED',
      resource: { dispute_id: 'PP-D-1', disputed_transactions: [{ seller_transaction_id: 'C9' }] },
    });
    expect(simulated.status).toBe(202);
    const { id } = simulated.body;
    const attempts = () => deliveries.filter(({ body }) => body.includes(id));
    await vi.waitFor(() => expect(attempts()).toHaveLength(1), { timeout: 20_000 });
    const listed = async () => {
      const { body } = await call('/v1/notifications/webhooks-events?page_size=300');
      return body.events.find((item: { id: string }) => item.id === id);
    };
    await vi.waitFor(async () => expect(await listed()).toMatchObject({ status: 'PENDING', attempts: 1 }));
    hookStatus = 200;
    // The lease of the first attempt, and the wait before the second.
    await setClock({ advance_seconds: 60 });
    await vi.waitFor(async () => expect(await listed()).toMatchObject({ status: 'SUCCESS', attempts: 2 }), {
      timeout: 20_000,
    });
    const [first, second] = attempts();
    expect(second?.verdict).toEqual({
      kind: 'valid',
      event: {
        id,
        type: 'CUSTOMER.DISPUTE.CREATED',
        subject: { kind: 'dispute', disputeId: 'PP-D-1', captureIds: ['C9'] },
      },
    });
    expect(first?.verdict).toEqual(second?.verdict);
    await call(`/v1/notifications/webhooks-events/${id}/resend`, {});
    await vi.waitFor(() => expect(attempts()).toHaveLength(3), { timeout: 20_000 });

    const { headers = {}, body = Buffer.from('{}') } = second ?? {};
    const question = (webhookEvent: unknown, webhookId = SECRET.webhookId) => ({
      auth_algo: headers['paypal-auth-algo'],
      cert_url: headers['paypal-cert-url'],
      transmission_id: headers['paypal-transmission-id'],
      transmission_sig: headers['paypal-transmission-sig'],
      transmission_time: headers['paypal-transmission-time'],
      webhook_id: webhookId,
      webhook_event: webhookEvent,
    });
    const ask = async (asked: object) =>
      (await call('/v1/notifications/verify-webhook-signature', asked)).body.verification_status;
    const told = JSON.parse(body.toString());
    expect(await ask(question(told))).toBe('SUCCESS');
    expect(await ask(question({ ...told, summary: 'Other' }))).toBe('FAILURE');
    expect(await ask(question(told, 'OTHER'))).toBe('FAILURE');
  });
});

describe('subscriptions', () => {
  const money = { amount: 1490, currency: 'USD' } as const;
  async function subscribe(choice = 'approve') {
    const key = `subscription:${++count}`;
    const product = await paypal.createProduct({ requestId: `${key}:product`, name: 'Prime', description: 'A plan' });
    const plan = await paypal.createPlan({ requestId: `${key}:plan`, productId: product.id, name: 'Prime', money });
    const made = await paypal.createSubscription({
      requestId: key,
      planId: plan.id,
      customId: key,
      language: 'ja',
      returnUrl: 'http://shop.example/subscribed',
      cancelUrl: 'http://shop.example/not',
    });
    expect(made).toMatchObject({ status: 'APPROVAL_PENDING', planId: plan.id, customId: key });
    const back = await press(made.approveUrl, choice);
    expect(back.searchParams.get('subscription_id')).toBe(made.id);
    return { id: made.id, back };
  }
  const sales = (id: string) =>
    deliveries.filter(({ verdict }) => {
      const subject = verdict.kind === 'valid' ? verdict.event.subject : null;
      return subject?.kind === 'sale' && subject.subscriptionId === id;
    });
  const salesReach = (id: string, number: number) =>
    vi.waitFor(() => expect(sales(id)).toHaveLength(number), { timeout: 20_000, interval: 20 });

  it('charge at once and each month, and no more once cancelled', async () => {
    const { id } = await subscribe();
    await salesReach(id, 1);
    await setClock({ advance_seconds: 31 * DAY_SECONDS });
    await salesReach(id, 2);
    const now = await paypal.getSubscription(id);
    expect(now).toMatchObject({
      status: 'ACTIVE',
      lastPayment: { money },
      outstanding: { amount: 0 },
      failedPayments: 0,
    });
    const year = 366 * 24 * HOUR_MS;
    const [from, until] = [clock.now().getTime() - year, clock.now().getTime() + year];
    const all = await paypal.listTransactions(id, new Date(from), new Date(until));
    expect(all.map(({ status, money }) => [status, money])).toEqual([
      ['COMPLETED', money],
      ['COMPLETED', money],
    ]);
    const refund = await paypal.refundCapture(all[0]?.id ?? '', { requestId: `${id}:refund`, money: null });
    expect(refund).toMatchObject({ kind: 'completed' });

    await paypal.cancelSubscription(id, 'The member asked');
    await event('BILLING.SUBSCRIPTION.CANCELLED', id);
    await setClock({ advance_seconds: 62 * DAY_SECONDS });
    expect(await paypal.getSubscription(id)).toMatchObject({ status: 'CANCELLED', nextBillingAt: null });
    expect(sales(id)).toHaveLength(2);
    await expect(paypal.activateSubscription(id, 'Again')).rejects.toMatchObject({
      status: 422,
      issues: ['SUBSCRIPTION_STATUS_INVALID'],
    });
  });

  it('are suspended by the first failure, and go on once what is open was paid', async () => {
    const { id } = await subscribe();
    await salesReach(id, 1);
    await setClock({ advance_seconds: 31 * DAY_SECONDS, declining: [id] });
    expect(await subjectOf('BILLING.SUBSCRIPTION.PAYMENT.FAILED', id)).toEqual({
      kind: 'subscription',
      subscriptionId: id,
    });
    await event('BILLING.SUBSCRIPTION.SUSPENDED', id);
    expect(await paypal.getSubscription(id)).toMatchObject({
      status: 'SUSPENDED',
      outstanding: money,
      failedPayments: 1,
    });
    const charge = (requestId: string) => paypal.captureOutstanding(id, { requestId, money, note: 'The open month' });
    expect(await charge('o1')).toEqual({ kind: 'declined', issue: 'DECLINED' });
    await setClock({ paying: [id] });
    expect(await charge('o2')).toMatchObject({ kind: 'completed', transaction: { money } });
    expect(await charge('o3')).toEqual({ kind: 'declined', issue: 'ZERO_OUTSTANDING_BALANCE' });
    await paypal.activateSubscription(id, 'Paid');
    await salesReach(id, 2);
    expect(await paypal.getSubscription(id)).toMatchObject({ status: 'ACTIVE', outstanding: { amount: 0 } });
    await setClock({ advance_seconds: 31 * DAY_SECONDS });
    await salesReach(id, 3);
  });

  it('do not begin when the buyer turns back', async () => {
    const { id, back } = await subscribe('cancel');
    expect(back.pathname).toBe('/not');
    expect(await paypal.getSubscription(id)).toMatchObject({ status: 'APPROVAL_PENDING', lastPayment: null });
  });

  it('keep the day of their start where a month has it', async () => {
    // The end of a January that lies ahead of both clocks.
    const ahead = (await setClock({})).body.time;
    const start = new Date(Date.UTC(new Date(ahead).getUTCFullYear() + 1, 0, 31, 12));
    await setClock({ advance_seconds: Math.floor((start.getTime() - Date.parse(ahead)) / 1000) });
    const { id } = await subscribe();
    const next = async () => (await paypal.getSubscription(id)).nextBillingAt?.toISOString().slice(5, 10);
    expect(await next()).toMatch(/^02-2[89]$/);
    await setClock({ advance_seconds: 30 * DAY_SECONDS });
    expect(await next()).toBe('03-31');
    await setClock({ advance_seconds: 31 * DAY_SECONDS });
    expect(await next()).toBe('04-30');
  });
});
