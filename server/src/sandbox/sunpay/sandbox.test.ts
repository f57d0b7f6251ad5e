import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../../platform/log.ts';
import {
  CALLBACK_ACK,
  createSunPay,
  readMerchant,
  SUNPAY_CALLBACK_PATH,
  SUNPAY_RETURN_PATH,
  type SunPay,
  type SunPayCallback,
  SunPayCallbackError,
} from '../../platform/payments/sunpay/client.ts';
import { type Envelope, seal } from '../../platform/payments/sunpay/envelope.ts';
import { startTestApp } from '../../testing/app.ts';
import { createTestClock, type TestClock } from '../../testing/clock.ts';
import { openTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { TEST_CARDS } from './pages.ts';
import { mountSunPaySandbox, openSunPayStore, SUNPAY_SANDBOX_PATH, sunPaySandboxAccount } from './sandbox.ts';

const MINUTE = 60_000;
const [CARD] = TEST_CARDS;

/** A shop that only listens to callbacks. */
let shop: Server;
let heard: { readonly type: string | undefined; readonly body: string }[] = [];
let reply = { status: 200, text: CALLBACK_ACK as string };
let database: TestDatabase;
let clock: TestClock;
const log = createLog('silent');
/** Two processes on one database. */
let first: Awaited<ReturnType<typeof startProcess>>;
let second: Awaited<ReturnType<typeof startProcess>>;
let orders = 0;

async function startProcess() {
  const shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  let origin = '';
  const base = () => origin + SUNPAY_SANDBOX_PATH;
  const app: FastifyInstance = fastify();
  mountSunPaySandbox(app, {
    store: openSunPayStore(database.db),
    clock,
    log,
    addresses: () => ({
      base: base(),
      callbackUrl: shopUrl + SUNPAY_CALLBACK_PATH,
      returnUrl: shopUrl + SUNPAY_RETURN_PATH,
    }),
  });
  origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const merchant = readMerchant(await sunPaySandboxAccount(database.db));
  const client: SunPay = createSunPay({ merchant, base, clock, log });
  const deliver = async () => {
    const answer = await fetch(`${base()}/callbacks/deliver`, { method: 'POST' });
    return ((await answer.json()) as { sent: number }).sent;
  };
  return { app, client, merchant, origin, deliver, shopUrl, base: base() };
}

beforeAll(async () => {
  shop = createServer(async (request: IncomingMessage, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.url === SUNPAY_CALLBACK_PATH) heard.push({ type: request.headers['content-type'], body });
    response.writeHead(reply.status, { 'content-type': 'text/plain' }).end(reply.text);
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  database = await openTestDatabase();
  clock = createTestClock();
  first = await startProcess();
  second = await startProcess();
});
afterAll(async () => {
  await Promise.all([first.app.close(), second.app.close()]);
  await database.close();
  shop.closeAllConnections();
  shop.close();
});
beforeEach(() => {
  heard = [];
  reply = { status: 200, text: CALLBACK_ACK };
});
afterEach(async () => {
  // Whatever a test left undelivered is given up.
  clock.advance(60 * MINUTE);
  await first.deliver();
});

const order = (changes: object = {}) => ({
  td: `T${++orders}`,
  amount: 39_000,
  info: '專業方案（每月）',
  name: '王小明',
  note: '訂單／ご注文',
  ...changes,
});
const form = (fields: object) => ({ method: 'POST', body: new URLSearchParams(fields as Record<string, string>) });

/** Posts the signed form as the buyer's browser does, and returns the address of the pay page. */
async function openCash(order: Parameters<SunPay['cashForm']>[0], from = first): Promise<string> {
  const { action, fields } = from.client.cashForm(order);
  const answer = await fetch(action, { ...form(fields), redirect: 'manual' });
  expect(answer.status).toBe(303);
  return from.origin + answer.headers.get('location');
}
async function openToken(changes: object = {}, from = first): Promise<{ td: string; page: string; tradeNo: string }> {
  const placed = order(changes);
  const answer = await from.client.requestToken(from.client.tokenForm({ ...placed, cardHandle: 'card0001' }));
  if (answer.state !== 'accepted') return expect.fail(JSON.stringify(answer));
  return { td: placed.td, page: answer.payCode, tradeNo: answer.tradeNo };
}
const pay = async (page: string, result: string, more: object = {}) => {
  const answer = await fetch(page, form({ ...CARD, result, ...more }));
  return { status: answer.status, text: await answer.text() };
};
const parse = ({ type, body }: (typeof heard)[number]): unknown =>
  type?.startsWith('application/json') ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
/** Waits for callback number `count` and reads it as the shop does. */
const callback = (count = 1): Promise<SunPayCallback> =>
  vi.waitFor(() => {
    const given = heard[count - 1];
    if (!given) throw new Error('No callback yet');
    return first.client.verifyCallback(parse(given));
  });
/** Returns where the button of a page posts to, and what. */
function backFrom(text: string) {
  const action = /<form method="post" action="([^"]+)">/.exec(text)?.[1];
  const fields = [...text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value?.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
  ]);
  return { action, fields: Object.fromEntries(fields) as Record<string, string> };
}

describe('the cash page', () => {
  it('is paid with the test card, tells the shop, and sends the buyer back by POST [R-7.card.7]', async () => {
    const placed = order();
    const page = await openCash(placed);
    const shown = await (await fetch(page)).text();
    expect(shown).toContain('NT$390');
    expect(shown).toContain('專業方案（每月）');
    expect(shown).toContain(CARD.number);
    const done = await pay(page, 'success');
    expect(done.text).toContain('Paid');
    const told = await callback();
    expect(told).toMatchObject({
      td: placed.td,
      amount: 39_000,
      currency: 'TWD',
      result: 'success',
      isLate: false,
      cardLast4: '8994',
      note: '訂單／ご注文',
      tokenKey: null,
    });
    expect(heard[0]?.type).toContain('application/x-www-form-urlencoded');
    const back = backFrom(done.text);
    expect(back.action).toBe(first.shopUrl + SUNPAY_RETURN_PATH);
    expect(first.client.verifyCallback(back.fields)).toEqual(told);
    expect(await first.client.checkPayment({ td: placed.td })).toEqual({
      state: 'success',
      td: placed.td,
      tradeNo: told.tradeNo,
      amount: 39_000,
      currency: 'TWD',
      refund: 'none',
    });
  });

  it('fails when the buyer says so, and then cannot be paid any more', async () => {
    const placed = order();
    const page = await openCash(placed);
    expect((await pay(page, 'failure')).text).toContain('The payment failed');
    expect(await callback()).toMatchObject({ td: placed.td, result: 'failure', cardLast4: null });
    await pay(page, 'success');
    expect(await first.client.checkPayment({ td: placed.td })).toMatchObject({ state: 'failure' });
    expect(await first.deliver()).toBe(0);
    expect(heard).toHaveLength(1);
  });

  it('issues a code to pay later, which a query calls unfinished, and which is paid in the end', async () => {
    const placed = order();
    const page = await openCash(placed);
    await pay(page, 'created');
    expect((await callback()).result).toBe('created');
    expect(await first.client.checkPayment({ td: placed.td })).toMatchObject({ state: 'unfinished' });
    expect(await (await fetch(page)).text()).toContain('The code was issued');
    await pay(page, 'success');
    expect(await callback(2)).toMatchObject({ td: placed.td, result: 'success' });
  });

  it('takes no other card than the test card, and neither keeps nor shows the number', async () => {
    const placed = order();
    const page = await openCash(placed);
    for (const wrong of [{ number: '4111111111111111' }, { expiry: '01/30' }, { code: '000' }, { number: '' }]) {
      const { text } = await pay(page, 'success', wrong);
      expect(text).toContain('This is not the test card');
      expect(text).not.toContain('4111111111111111');
    }
    expect(await first.client.checkPayment({ td: placed.td })).toMatchObject({ state: 'unfinished' });
    const { rows } = await database.pool.query('select state::text from sandbox_state');
    expect(JSON.stringify(rows)).not.toContain('4111111111111111');
    const spaced = { number: '4938 1701 8888 8994', expiry: ' 12/28 ' };
    expect((await pay(page, 'success', spaced)).text).toContain('Paid');
  });

  it.each([
    ['en', 'Test.', 'No money moves here', 'NT$390'],
    ['zh-TW', '測試。', '這裡不會扣款', 'NT$390'],
    ['ja', 'テスト用ページです。', '実際の支払いは行われず', '390'],
  ])('says in %s that it is a test, needs no script, and may post to the shop alone', async (language, ...words) => {
    const answer = await fetch(await openCash(order()), { headers: { 'accept-language': language } });
    const text = await answer.text();
    for (const word of words) expect(text).toContain(word);
    expect(text).not.toContain('<script');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`form-action 'self' ${first.origin} ${first.shopUrl};`);
    // Its origin is none, so that the way back is a cross-site POST, as from SunPay.
    expect(policy).toMatch(/sandbox allow-forms$/);
  });

  it('does not exist under another address', async () => {
    const answer = await fetch(`${first.base}/pay/nobody`);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('There is no such payment');
  });
});

describe('a stored card', () => {
  it('is stored with the first payment and charged every month after it [R-7.card.2]', async () => {
    const opened = await openToken();
    expect(first.client.isPayPageUrl(opened.page)).toBe(true);
    await pay(opened.page, 'success');
    const told = await callback();
    expect(heard[0]?.type).toContain('application/json');
    expect(told).toMatchObject({ td: opened.td, tradeNo: opened.tradeNo, result: 'success', tokenLife: '2028-12-31' });
    const { tokenKey } = told;
    if (!tokenKey) return expect.fail('No token');

    const later = order();
    const charged = await second.client.chargeToken({ ...later, cardHandle: 'card0001', tokenKey });
    expect(charged).toEqual({ state: 'accepted', code: '00', needsOwner: false });
    expect(await callback(2)).toMatchObject({ td: later.td, result: 'success', amount: 39_000, cardLast4: '8994' });
  });

  it('can be declined later, as a card without cover', async () => {
    const opened = await openToken();
    await pay(opened.page, 'success', { declines: '1' });
    const { tokenKey } = await callback();
    const later = { ...order(), cardHandle: 'card0001', tokenKey: tokenKey ?? '' };
    expect(await first.client.chargeToken(later)).toMatchObject({ state: 'refused', code: '11' });
    expect(await callback(2)).toMatchObject({ td: later.td, result: 'failure' });
  });

  it('cannot be charged with a token that nobody got', async () => {
    for (const tokenKey of ['nothing', '__proto__'])
      expect(await first.client.chargeToken({ ...order(), cardHandle: 'card0001', tokenKey })).toMatchObject({
        state: 'refused',
        message: 'unknownToken',
      });
  });
});

describe('a message of the shop', () => {
  const post = async (fields: object) => {
    const answer = await fetch(`${first.base}/v3/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });
    return (await answer.json()) as { code: string; msg: string };
  };
  const BODY = { td: 'X1', mn: '390', save_card: '2', save_card_token: 'card0001', version: '2' };
  const sealed = (body: Record<string, string>, sentAt = clock.now(), changes: object = {}): Envelope =>
    seal({ web: first.merchant.web, sentAt, body }, { ...first.merchant, ...changes }, 'php');

  it.each([
    ['old', () => sealed(BODY, new Date(clock.now().getTime() - 3 * MINUTE)), 'staleSendTime'],
    ['from the future', () => sealed(BODY, new Date(clock.now().getTime() + 3 * MINUTE)), 'staleSendTime'],
    ['signed with another secret', () => sealed(BODY, undefined, { secret: 'no' }), 'badCheckValue'],
    ['changed on its way', () => ({ ...sealed(BODY), rsamsg: sealed({ ...BODY, mn: '1' }).rsamsg }), 'badCheckValue'],
    ['of another merchant', () => ({ ...sealed(BODY), web: 'MC00000002' }), 'unknownMerchant'],
    ['not encrypted', () => ({ ...sealed(BODY), rsamsg: 'e30=' }), 'malformed'],
    ['no message', () => ({ hello: 'world' }), 'malformed'],
    ['about cents', () => sealed({ ...BODY, mn: '390.5' }), 'badField'],
    ['about nothing', () => sealed({ ...BODY, mn: '0' }), 'badField'],
    ['about too much', () => sealed({ ...BODY, mn: '100000000' }), 'badField'],
    ['without an order', () => sealed({ ...BODY, td: '' }), 'badField'],
    ['with a name that SunPay forbids', () => sealed({ ...BODY, sna: '<b>' }), 'badField'],
    ['of another version', () => sealed({ ...BODY, version: '1' }), 'badField'],
  ])('that is %s is refused', async (_, fields, reason) => {
    const given = fields();
    expect(await post(given)).toMatchObject({ code: expect.not.stringMatching('00'), msg: reason });
    if (reason === 'badField') return;
    const page = await fetch(`${first.base}/v4/cash`, form(given));
    expect(page.status).toBe(400);
    expect(await page.text()).toContain(reason);
  });

  it('keeps texts of every language whole, wherever the borders of the blocks fall [R-7.card.5]', async () => {
    for (const text of ['專業方案（每月）付款', 'プロプラン（毎月）お支払い', '3D frame & café +1']) {
      for (let padding = 0; padding < 9; padding += 4) {
        const note = 'x'.repeat(padding) + text.repeat(3);
        const placed = order({ note, info: text });
        const page = await openCash(placed);
        expect(await (await fetch(page)).text()).toContain(text.replace('&', '&#38;'));
        heard = [];
        await pay(page, 'success');
        expect(await callback()).toMatchObject({ td: placed.td, note });
      }
    }
  });

  it('with one number opens one payment, of twenty that come at once to two processes', async () => {
    const placed = { ...order(), cardHandle: 'card0001' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const { client } = index % 2 ? first : second;
        return client.requestToken(client.tokenForm(placed));
      }),
    );
    expect(answers.filter(({ state }) => state === 'accepted')).toHaveLength(1);
    expect(answers.filter((answer) => 'message' in answer && answer.message === 'duplicateOrder')).toHaveLength(19);
  });

  it('asks about one order at a time', async () => {
    expect(await first.client.checkPayment({ td: 'never' })).toEqual({ state: 'notFound' });
    const fields = sealed({});
    const answer = await fetch(`${first.base}/v4/query/PaymentCheck`, form(fields));
    expect(await answer.json()).toEqual({ pay_result: '06' });
    const { td, tradeNo } = await openToken();
    const byTrade = await fetch(`${first.base}/v4/query/PaymentCheck`, form(sealed({ trade_no: tradeNo })));
    expect(await byTrade.json()).toMatchObject({ pay_result: '13', td });
  });
});

describe('a callback', () => {
  it.each([
    ['fails', { status: 500, text: CALLBACK_ACK }],
    ['does not say "success"', { status: 200, text: 'OK' }],
  ])('is repeated every five minutes for half an hour while the shop %s, and is the same', async (_, answer) => {
    reply = answer;
    await pay(await openCash(order()), 'success');
    await callback();
    expect(await first.deliver()).toBe(0);
    for (let repeated = 1; repeated <= 6; repeated += 1) {
      clock.advance(5 * MINUTE);
      expect((await first.deliver()) + (await second.deliver())).toBe(1);
      expect(await callback(repeated + 1)).toMatchObject({ isLate: true, result: 'success' });
    }
    clock.advance(5 * MINUTE);
    expect(await first.deliver()).toBe(0);
    expect(new Set(heard.map(({ body }) => body)).size).toBe(1);
  });

  it('ends with the word of the shop, spaces around it or not', async () => {
    reply = { status: 503, text: '' };
    await pay(await openCash(order()), 'success');
    await callback();
    reply = { status: 200, text: `${CALLBACK_ACK}\n` };
    clock.advance(5 * MINUTE);
    expect(await first.deliver()).toBe(1);
    clock.advance(5 * MINUTE);
    expect(await first.deliver()).toBe(0);
  });

  it('that is still due when the server stops is sent by the next one', async () => {
    reply = { status: 503, text: '' };
    const third = await startProcess();
    await pay(await openCash(order(), third), 'success');
    await callback();
    await third.app.close();
    clock.advance(5 * MINUTE);
    const fourth = await startProcess();
    expect(await fourth.deliver()).toBe(1);
    // The account is the same as before: old messages can still be read.
    expect(await callback(2)).toMatchObject({ result: 'success' });
    await fourth.app.close();
  });

  it('is sent once by several processes that look at the same time', async () => {
    reply = { status: 503, text: '' };
    await pay(await openCash(order()), 'success');
    await callback();
    clock.advance(5 * MINUTE);
    const sent = await Promise.all(Array.from({ length: 8 }, (_, index) => (index % 2 ? first : second).deliver()));
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe(1);
  });

  it('that never comes is settled by a query', async () => {
    const placed = order();
    await pay(await openCash(placed), 'success', { silent: '1' });
    for (let minutes = 0; minutes <= 35; minutes += 5) {
      expect(await first.deliver()).toBe(0);
      clock.advance(5 * MINUTE);
    }
    expect(heard).toEqual([]);
    expect(await first.client.checkPayment({ td: placed.td })).toMatchObject({ state: 'success', amount: 39_000 });
  });

  it('that is changed or kept is refused by the shop', async () => {
    await pay(await openCash(order()), 'success');
    await callback();
    const fields = parse(heard[0] ?? expect.fail()) as Envelope;
    const reason = (body: object) => {
      try {
        first.client.verifyCallback(body);
      } catch (error) {
        return error instanceof SunPayCallbackError ? error.reason : error;
      }
      return 'accepted';
    };
    expect(reason({ ...fields, check_value: fields.check_value.replace(/.$/, 'x') })).toBe('badCheckValue');
    expect(reason({ ...fields, web: 'MC00000002' })).toBe('headDiffers');
    clock.advance(33 * MINUTE);
    expect(reason(fields)).toBe('stale');
  });
});

describe('the server', () => {
  it('has the sandbox while there is no account, and its own client of it', async () => {
    const app = await startTestApp(await openTestDatabase());
    const { sunpay } = app.context;
    if (!sunpay) return expect.fail('No client');
    const { action, fields } = sunpay.cashForm(order());
    expect(action).toBe(`${app.url}/sandbox/sunpay/v4/cash`);
    const page = await fetch(action, form(fields));
    expect(await page.text()).toContain('NT$390');
    expect(page.headers.get('content-security-policy')).toContain('sandbox allow-forms');
    expect(await sunpay.checkPayment({ td: 'never' })).toEqual({ state: 'notFound' });
    await app.close();
  });

  it('has none when there is an account: every address of it is 404, and forms may go to SunPay', async () => {
    const account = { sunpaySandbox: null, formTargets: ['https://trade.sunpay.com.tw'] };
    const app = await startTestApp(await openTestDatabase(), { app: account });
    for (const path of ['v4/cash', 'v3/token', 'v4/query/PaymentCheck', 'callbacks/deliver', 'pay/x']) {
      for (const request of [{}, { method: 'POST' }, form({ web: 'MC00000001' })])
        expect((await fetch(`${app.url}/sandbox/sunpay/${path}`, request)).status).toBe(404);
    }
    const policy = (await fetch(`${app.url}/healthz`)).headers.get('content-security-policy');
    expect(policy).toContain("form-action 'self' https://trade.sunpay.com.tw;");
    await app.close();
  });
});
