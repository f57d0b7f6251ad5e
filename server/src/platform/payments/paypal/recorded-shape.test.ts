import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../platform/system.ts';
import { createLog } from '../../log.ts';
import { createPayPal, type PayPal } from './paypal.ts';

/** What a client sends, against a server that records it and answers as PayPal documents. */

interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
type Answer = (response: ServerResponse, request: Recorded) => void;

const json =
  (status: number, body: unknown): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'paypal-debug-id': 'd1a2b3' });
    response.end(body === undefined ? '' : JSON.stringify(body));
  };
const token = json(200, { scope: 'x', access_token: 'A21.token', token_type: 'Bearer', expires_in: 31_668 });
const failure = (name: string, issue: string, links: unknown[] = []) => ({
  name,
  message: 'The requested action could not be performed, semantically incorrect, or failed business validation.',
  debug_id: 'd1a2b3',
  details: [{ issue, description: 'Text that may change.' }],
  links,
});
const captured = (status: string, more: object = {}) => ({
  id: '5O190127TN364715T',
  status: 'COMPLETED',
  an_unknown_field: true,
  purchase_units: [
    {
      payments: {
        captures: [{ id: '3C679366HH908993F', status, amount: { currency_code: 'USD', value: '12.00' }, ...more }],
      },
    },
  ],
});
const ORDER = '5O190127TN364715T';

describe('a client of PayPal', () => {
  let server: Server;
  let base: string;
  let paypal: PayPal;
  const requests: Recorded[] = [];
  const answers: Answer[] = [];
  const logged: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => {
        body += part;
      });
      request.on('end', () => {
        const recorded = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
        requests.push(recorded);
        (answers.shift() ?? json(500, {}))(response, recorded);
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    requests.length = 0;
    answers.length = 0;
    logged.length = 0;
    paypal = createPayPal({
      apiBase: () => base,
      clientId: 'client',
      clientSecret: 'hush',
      webhookId: '1JE4291016473214C',
      brandName: 'Framelift',
      log: createLog('debug', { write: (line) => void logged.push(line) }),
      clock: systemClock,
      timeoutMs: 300,
    });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('creates an order exactly as the reference of the REST API shows', async () => {
    answers.push(
      token,
      json(201, {
        id: ORDER,
        status: 'PAYER_ACTION_REQUIRED',
        links: [
          { href: 'https://x', rel: 'self', method: 'GET' },
          { href: 'https://www.paypal.com/checkoutnow?token=1', rel: 'payer-action', method: 'GET' },
        ],
      }),
    );
    const order = await paypal.createOrder({
      requestId: 'order:7:create',
      money: { amount: 30_000, currency: 'TWD' },
      customId: '7',
      invoiceId: 'FL-7',
      description: '三'.repeat(200),
      language: 'zh',
      returnUrl: 'https://frames.example/tradeResult',
      cancelUrl: 'https://frames.example/cancelled',
    });
    expect(order).toMatchObject({ id: ORDER, approveUrl: 'https://www.paypal.com/checkoutnow?token=1', outcome: null });
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /v1/oauth2/token',
      'POST /v2/checkout/orders',
    ]);
    const [login, create] = requests;
    expect(login?.headers).toMatchObject({
      authorization: `Basic ${Buffer.from('client:hush').toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(login?.body).toBe('grant_type=client_credentials');
    expect(create?.headers).toMatchObject({
      authorization: 'Bearer A21.token',
      'content-type': 'application/json',
      'paypal-request-id': 'order:7:create',
      prefer: 'return=representation',
    });
    expect(JSON.parse(create?.body ?? '')).toEqual({
      intent: 'CAPTURE',
      purchase_units: [
        {
          custom_id: '7',
          invoice_id: 'FL-7',
          description: '三'.repeat(127),
          amount: { currency_code: 'TWD', value: '300' },
        },
      ],
      payment_source: {
        paypal: {
          experience_context: {
            brand_name: 'Framelift',
            locale: 'zh-TW',
            shipping_preference: 'NO_SHIPPING',
            user_action: 'PAY_NOW',
            payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
            return_url: 'https://frames.example/tradeResult',
            cancel_url: 'https://frames.example/cancelled',
          },
        },
      },
    });
    expect(logged.join()).toContain('d1a2b3');
    expect(logged.join()).not.toMatch(/hush|A21|Basic/);
  });

  it('speaks to each other address of the API with its method and body', async () => {
    answers.push(token);
    const told = async (answer: unknown, call: () => Promise<unknown>) => {
      answers.push(json(answer === undefined ? 204 : 200, answer));
      await call();
      const { method, url, body } = requests.at(-1) as Recorded;
      return [`${method} ${url}`, body === '' ? null : JSON.parse(body)];
    };
    const money = { amount: 1490, currency: 'USD' } as const;
    const value = { currency_code: 'USD', value: '14.90' };
    const order = { id: ORDER, status: 'APPROVED', links: [{ href: 'https://a', rel: 'approve' }] };
    const subscription = { id: 'I-1', status: 'APPROVAL_PENDING', plan_id: 'P-1' };
    const refund = { id: 'R1', status: 'COMPLETED', amount: value };
    const outside = { language: 'ja', returnUrl: 'https://f/ok', cancelUrl: 'https://f/no' } as const;

    expect(await told(order, () => paypal.getOrder(ORDER))).toEqual([`GET /v2/checkout/orders/${ORDER}`, null]);
    expect(await told(captured('COMPLETED'), () => paypal.captureOrder(ORDER, 'c'))).toEqual([
      `POST /v2/checkout/orders/${ORDER}/capture`,
      {},
    ]);
    expect(await told(refund, () => paypal.refundCapture('C1', { requestId: 'r', money: null }))).toEqual([
      'POST /v2/payments/captures/C1/refund',
      {},
    ]);
    expect(await told(refund, () => paypal.refundCapture('C1', { requestId: 'r', money, note: 'Sorry' }))).toEqual([
      'POST /v2/payments/captures/C1/refund',
      { amount: value, note_to_payer: 'Sorry' },
    ]);
    expect(await told(refund, () => paypal.getRefund('R1'))).toEqual(['GET /v2/payments/refunds/R1', null]);
    const capture = { id: 'C1', status: 'COMPLETED', amount: value };
    expect(await told(capture, () => paypal.getCapture('C/1'))).toEqual(['GET /v2/payments/captures/C%2F1', null]);
    expect(
      await told({ id: 'PROD-1' }, () => paypal.createProduct({ requestId: 'p', name: 'Prime', description: 'Plan' })),
    ).toEqual([
      'POST /v1/catalogs/products',
      { name: 'Prime', description: 'Plan', type: 'SERVICE', category: 'SOFTWARE' },
    ]);
    expect(
      await told({ id: 'P-1' }, () => paypal.createPlan({ requestId: 'p', productId: 'PROD-1', name: 'Prime', money })),
    ).toEqual([
      'POST /v1/billing/plans',
      {
        product_id: 'PROD-1',
        name: 'Prime',
        status: 'ACTIVE',
        billing_cycles: [
          {
            frequency: { interval_unit: 'MONTH', interval_count: 1 },
            tenure_type: 'REGULAR',
            sequence: 1,
            total_cycles: 0,
            pricing_scheme: { fixed_price: value },
          },
        ],
        payment_preferences: {
          auto_bill_outstanding: true,
          setup_fee_failure_action: 'CANCEL',
          payment_failure_threshold: 1,
        },
      },
    ]);
    expect(
      await told(subscription, () =>
        paypal.createSubscription({ requestId: 's', planId: 'P-1', customId: '9', ...outside }),
      ),
    ).toEqual([
      'POST /v1/billing/subscriptions',
      {
        plan_id: 'P-1',
        custom_id: '9',
        application_context: {
          brand_name: 'Framelift',
          locale: 'ja-JP',
          shipping_preference: 'NO_SHIPPING',
          user_action: 'SUBSCRIBE_NOW',
          return_url: 'https://f/ok',
          cancel_url: 'https://f/no',
        },
      },
    ]);
    expect(await told(subscription, () => paypal.getSubscription('I-1'))).toEqual([
      'GET /v1/billing/subscriptions/I-1',
      null,
    ]);
    for (const action of ['cancel', 'suspend', 'activate'] as const) {
      expect(await told(undefined, () => paypal[`${action}Subscription`]('I-1', 'Asked'))).toEqual([
        `POST /v1/billing/subscriptions/I-1/${action}`,
        { reason: 'Asked' },
      ]);
    }
    expect(
      await told(undefined, () => paypal.captureOutstanding('I-1', { requestId: 'o', money, note: 'Open' })),
    ).toEqual([
      'POST /v1/billing/subscriptions/I-1/capture',
      { note: 'Open', capture_type: 'OUTSTANDING_BALANCE', amount: value },
    ]);
    const day = new Date('2026-01-31T00:00:00Z');
    expect(await told({ transactions: [] }, () => paypal.listTransactions('I-1', day, day))).toEqual([
      'GET /v1/billing/subscriptions/I-1/transactions?start_time=2026-01-31T00%3A00%3A00.000Z&end_time=2026-01-31T00%3A00%3A00.000Z',
      null,
    ]);
    // One token for all of them.
    expect(requests.filter(({ url }) => url === '/v1/oauth2/token')).toHaveLength(1);
  });

  it('takes both names of the link at which the buyer approves', async () => {
    answers.push(token);
    for (const rel of ['approve', 'payer-action']) {
      answers.push(json(200, { id: ORDER, status: 'CREATED', links: [{ href: `https://${rel}`, rel }] }));
      expect((await paypal.getOrder(ORDER)).approveUrl).toBe(`https://${rel}`);
    }
  });

  it.each([
    ['invalid_token', { error: 'invalid_token', error_description: 'Token signature verification failed' }],
    ['AUTHENTICATION_FAILURE', failure('AUTHENTICATION_FAILURE', 'INVALID_ACCOUNT_STATUS')],
  ])('renews a token that was refused with %s once, and repeats the call with the same id', async (_name, body) => {
    answers.push(token, json(401, body), token, json(201, captured('COMPLETED')));
    expect(await paypal.captureOrder(ORDER, 'order:7:capture')).toMatchObject({ kind: 'completed' });
    const ids = requests.flatMap(({ headers }) => headers['paypal-request-id'] ?? []);
    expect(ids).toEqual(['order:7:capture', 'order:7:capture']);

    answers.push(json(401, body), token, json(401, body));
    await expect(paypal.getOrder(ORDER)).rejects.toMatchObject({ status: 401, isUnknown: false });
  });

  it('says that wrong credentials are wrong, and takes nothing for refused by the buyer', async () => {
    const wrong = json(401, { error: 'invalid_client', error_description: 'Client Authentication failed' });
    answers.push(wrong, wrong);
    await expect(paypal.getOrder(ORDER)).rejects.toMatchObject({ status: 401, name: 'INVALID_CLIENT' });
    expect(await paypal.captureOrder(ORDER, 'c')).toMatchObject({ kind: 'unknown' });
  });

  it('asks for one token when many calls begin at once', async () => {
    answers.push(token, ...Array.from({ length: 20 }, () => json(200, { id: ORDER, status: 'CREATED' })));
    await Promise.all(Array.from({ length: 20 }, () => paypal.getOrder(ORDER)));
    expect(requests.filter(({ url }) => url === '/v1/oauth2/token')).toHaveLength(1);
  });

  it.each<[string, Answer, object]>([
    ['paid', json(201, captured('COMPLETED')), { kind: 'completed', capture: { money: { amount: 1200 } } }],
    ['paid before, and the answer repeated', json(200, captured('COMPLETED')), { kind: 'completed' }],
    [
      'pending',
      json(201, captured('PENDING', { status_details: { reason: 'ECHECK' } })),
      { kind: 'pending', reason: 'ECHECK' },
    ],
    ['declined by an order that says COMPLETED', json(201, captured('DECLINED')), { kind: 'declined' }],
    [
      'declined',
      json(422, failure('UNPROCESSABLE_ENTITY', 'INSTRUMENT_DECLINED', [{ href: 'https://again', rel: 'redirect' }])),
      { kind: 'declined', issue: 'INSTRUMENT_DECLINED', redirectUrl: 'https://again' },
    ],
    [
      'captured before',
      json(422, failure('UNPROCESSABLE_ENTITY', 'ORDER_ALREADY_CAPTURED')),
      { kind: 'alreadyCaptured' },
    ],
    ['in progress', json(422, failure('UNPROCESSABLE_ENTITY', 'ORDER_COMPLETION_IN_PROGRESS')), { kind: 'unknown' }],
    ['an id of another call', json(422, failure('UNPROCESSABLE_ENTITY', 'DUPLICATE_REQUEST_ID')), { kind: 'unknown' }],
    ['a fault of PayPal', json(500, failure('INTERNAL_SERVER_ERROR', '')), { kind: 'unknown' }],
    ['a fault in front of PayPal', (response) => response.writeHead(503).end('<html>'), { kind: 'unknown' }],
    ['too many calls', json(429, failure('RATE_LIMIT_REACHED', '')), { kind: 'unknown' }],
    ['not allowed', json(403, failure('NOT_AUTHORIZED', 'PERMISSION_DENIED')), { kind: 'unknown' }],
    ['null', (response) => response.writeHead(201).end('null'), { kind: 'unknown' }],
    ['half a body', (response) => response.writeHead(201).end('{"id":"5O1'), { kind: 'unknown' }],
    ['nothing', (response) => response.writeHead(201).end(), { kind: 'unknown' }],
    [
      'an amount that is none',
      json(201, captured('COMPLETED', { amount: { currency_code: 'USD', value: '1e3' } })),
      { kind: 'unknown' },
    ],
    ['a connection cut short', (response) => response.destroy(), { kind: 'unknown' }],
    ['silence', () => {}, { kind: 'unknown' }],
    [
      'an address elsewhere',
      (response) => response.writeHead(302, { location: 'https://x.example' }).end(),
      { kind: 'unknown' },
    ],
  ])('reads a capture that is answered with: %s', async (_title, answer, outcome) => {
    answers.push(token, answer);
    expect(await paypal.captureOrder(ORDER, 'order:7:capture')).toMatchObject(outcome);
  });

  it('follows the link to further events within the API alone', async () => {
    const page = (href: string) =>
      json(200, {
        events: [{ id: 'WH-1', event_type: 'X', create_time: '2026-01-31T00:00:00Z', resource: { id: 'X' } }],
        links: [{ href, rel: 'next' }],
      });
    const day = new Date('2026-01-31T00:00:00Z');
    const path = '/v1/notifications/webhooks-events';
    answers.push(token, page(`https://api.paypal.example${path}?page=2`), json(200, { events: [], links: [] }));
    expect(await paypal.listEvents(day, day)).toHaveLength(1);
    expect(requests.at(-1)?.url).toBe(`${path}?page=2`);
    // Cut at an unknown place, this would be the end of another host: `http://127.0.0.1:` and more digits.
    for (const link of ['https://api.paypal.example/v2/elsewhere/2', 'not an address']) {
      const asked = requests.length;
      answers.push(page(link));
      await expect(paypal.listEvents(day, day)).rejects.toMatchObject({ name: 'BROKEN_ANSWER' });
      expect(requests).toHaveLength(asked + 1);
    }
  });

  it.each<[string, Answer, object]>([
    ['refused', json(422, failure('UNPROCESSABLE_ENTITY', 'CAPTURE_FULLY_REFUNDED')), { kind: 'refused' }],
    ['failed', json(201, { id: 'R1', status: 'FAILED' }), { kind: 'refused', issue: 'FAILED' }],
    ['pending', json(201, { id: 'R1', status: 'PENDING' }), { kind: 'pending' }],
    ['in progress', json(409, failure('RESOURCE_CONFLICT', 'PREVIOUS_REQUEST_IN_PROGRESS')), { kind: 'unknown' }],
    ['a fault of PayPal', json(502, undefined), { kind: 'unknown' }],
  ])('reads a refund that is answered with: %s', async (_title, answer, outcome) => {
    answers.push(token, answer);
    expect(await paypal.refundCapture('C1', { requestId: 'r', money: null })).toMatchObject(outcome);
  });
});
