import { constants, createHash, generateKeyPairSync, privateDecrypt, privateEncrypt } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../../config.ts';
import { createTestClock, type TestClock } from '../../../testing/clock.ts';
import { createLog } from '../../log.ts';
import { createSunPay, type SunPay, SunPayCallbackError } from './client.ts';
import { fromSendTime, toSendTime } from './envelope.ts';
import { fitSunPayText, SunPayFieldError, type SunPayOrder } from './request.ts';

const account = generateKeyPairSync('rsa', { modulusLength: 1024 });
const pem = account.publicKey.export({ type: 'spki', format: 'pem' }).toString();
const WEB = 'MC31793850';
const SECRET = 'D2AE96E5528531CFCDE90591695F973D23846ABD01A639AB1D3E0322D56E0ED9';

/** A request to the recording stand-in for SunPay. */
interface Recorded {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly host: string | undefined;
  readonly type: string | undefined;
  readonly body: string;
}
let recorded: Recorded[] = [];
let answer: { status?: number; body?: unknown; text?: string; silent?: boolean; location?: string } = {};
let provider: Server;
let base: string;
let clock: TestClock;
let sunpay: SunPay;
const lines: string[] = [];

beforeAll(async () => {
  provider = createServer(async (request: IncomingMessage, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method, url: path, headers } = request;
    recorded.push({ method, path, host: headers.host, type: headers['content-type'], body });
    if (answer.silent) return;
    const headersOut = {
      'content-type': 'application/json',
      ...(answer.location ? { location: answer.location } : {}),
    };
    response.writeHead(answer.status ?? 200, headersOut);
    response.end(answer.text ?? JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
});
afterAll(() => {
  provider.closeAllConnections();
  provider.close();
});
beforeEach(() => {
  recorded = [];
  answer = {};
  lines.length = 0;
  clock = createTestClock();
  sunpay = clientOf();
});

/** The client as the settings of an operator make it. */
function clientOf(more: Record<string, string> = {}, timeoutMs = 15_000): SunPay {
  const settings = { SUNPAY_BASE: base, SUNPAY_WEB: WEB, SUNPAY_PUBLIC_KEY: pem, SUNPAY_SECRET: SECRET, ...more };
  const { sunpay: config } = readConfig(settings);
  if (!config || config.sandbox) return expect.fail('The settings select the sandbox');
  const log = createLog('debug', { write: (line: string) => lines.push(line) });
  return createSunPay({ merchant: config.merchant, base: () => config.base, clock, log, timeoutMs });
}

const ORDER = {
  td: 'F20261129A0001',
  amount: 39_000,
  info: '專業方案（每月）',
  email: 'mia@example.com',
  name: '王小明',
  note: '訂單 A/1',
};

/** Returns what SunPay reads in the four fields: the order of the keys, and their values. */
function readAsProvider(fields: { web: string; send_time: string; rsamsg: string; check_value: string }, plus = false) {
  expect(Object.keys(fields).sort()).toEqual(['check_value', 'rsamsg', 'send_time', 'web']);
  const bytes = Buffer.from(fields.rsamsg, 'base64');
  const key = { key: account.privateKey, padding: constants.RSA_PKCS1_PADDING };
  const encoded = Array.from({ length: bytes.length / 128 }, (_, block) =>
    privateDecrypt(key, bytes.subarray(block * 128, (block + 1) * 128)).toString(),
  ).join('');
  expect(fields.check_value).toBe(
    createHash('sha256')
      .update(encoded + SECRET)
      .digest('hex'),
  );
  expect(encoded.includes('+')).toBe(plus);
  const plain = decodeURIComponent(encoded.replaceAll('+', ' '));
  const { head, body } = JSON.parse(plain);
  expect(head).toEqual({ send_time: fields.send_time, web: WEB });
  expect(Math.abs((fromSendTime(head.send_time)?.getTime() ?? 0) - clock.now().getTime())).toBeLessThan(60_000);
  return { plain, body };
}

describe('what SunPay gets, byte for byte', () => {
  it('the form of the cash page has the four fields and goes to the card provider [R-7.card.7] [R-7.card.4]', () => {
    const { action, fields } = sunpay.cashForm(ORDER);
    expect(action).toBe(`${base}/v4/cash`);
    const { plain, body } = readAsProvider(fields);
    expect(body).toEqual({
      td: 'F20261129A0001',
      mn: '390',
      order_info: '專業方案（每月）',
      email: 'mia@example.com',
      sna: '王小明',
      note1: '訂單 A/1',
    });
    expect(plain).toContain('"note1":"訂單 A/1","order_info":');
    expect(recorded).toEqual([]);
  });

  it('a first payment with a token is JSON of version 2 to /v3/token [R-9.payment.5]', async () => {
    answer.body = { code: '00', msg: '成功', result: { pay_code: `${base}/pay/1`, trade_no: 'SP1' } };
    const fields = sunpay.tokenForm({ ...ORDER, info: 'Pro plan', cardHandle: 'card0001' });
    expect(await sunpay.requestToken(fields)).toEqual({
      state: 'accepted',
      code: '00',
      payCode: `${base}/pay/1`,
      tradeNo: 'SP1',
    });
    expect(recorded).toEqual([
      {
        method: 'POST',
        path: '/v3/token',
        host: new URL(base).host,
        type: 'application/json',
        body: JSON.stringify(fields),
      },
    ]);
    expect(readAsProvider(fields, true).body).toEqual({
      td: 'F20261129A0001',
      mn: '390',
      order_info: 'Pro plan',
      email: 'mia@example.com',
      sna: '王小明',
      note1: '訂單 A/1',
      save_card: '2',
      save_card_token: 'card0001',
      version: '2',
    });
  });

  it('a monthly charge is the same with the token of the card, and a new number', async () => {
    answer.body = { code: '00', msg: '' };
    const order = { td: 'F20261229A0001', amount: 39_000, info: 'Pro', cardHandle: 'card0001', tokenKey: 'TK1' };
    expect(await sunpay.chargeToken(order)).toEqual({ state: 'accepted', code: '00', needsOwner: false });
    const [call] = recorded;
    expect(call).toMatchObject({ method: 'POST', path: '/v3/token', type: 'application/json' });
    expect(readAsProvider(JSON.parse(call?.body ?? '')).body).toEqual({
      td: 'F20261229A0001',
      mn: '390',
      order_info: 'Pro',
      save_card: '2',
      save_card_token: 'card0001',
      token_key: 'TK1',
      version: '2',
    });
    answer.body = { code: '00', resultHtml: '<form></form>' };
    expect(await sunpay.chargeToken({ ...order, td: 'F2' })).toMatchObject({ state: 'accepted', needsOwner: true });
  });

  it('a query is a form with the number of the order', async () => {
    answer.body = { pay_result: '10', td: 'F1', trade_no: 'SP1', mn: '390', currency: 'TWD', refund_status: '0' };
    expect(await sunpay.checkPayment({ td: 'F1' })).toEqual({
      state: 'success',
      td: 'F1',
      tradeNo: 'SP1',
      amount: 39_000,
      currency: 'TWD',
      refund: 'none',
    });
    const [call] = recorded;
    expect(call).toMatchObject({
      method: 'POST',
      path: '/v4/query/PaymentCheck',
      type: 'application/x-www-form-urlencoded;charset=UTF-8',
    });
    const form = Object.fromEntries(new URLSearchParams(call?.body)) as Parameters<typeof readAsProvider>[0];
    expect(readAsProvider(form).body).toEqual({ td: 'F1' });
  });
});

describe('what SunPay would refuse', () => {
  it.each<[string, Partial<SunPayOrder>]>([
    ['td', { td: '' }],
    ['td', { td: 'A-1' }],
    ['td', { td: 'A'.repeat(51) }],
    ['mn', { amount: 0 }],
    ['mn', { amount: -100 }],
    ['mn', { amount: 39_050 }],
    ['mn', { amount: 1.5 }],
    ['mn', { amount: 100_000_000 * 100 }],
    ['order_info', { info: '方'.repeat(51) }],
    ['email', { email: `${'a'.repeat(89)}@example.com` }],
    ['sna', { name: '王'.repeat(31) }],
    ...[...`*'<>[]"`].map((sign) => ['sna', { name: `O${sign}Neill` }] as [string, Partial<SunPayOrder>]),
    ['sdt', { phone: '+886 911' }],
    ['sdt', { phone: '1'.repeat(21) }],
    ['note1', { note: '注'.repeat(401) }],
    ['note1', { note: '<b>' }],
  ])('is never sent: %s of %o', (field, changes) => {
    let thrown: unknown;
    try {
      sunpay.cashForm({ ...ORDER, ...changes });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(SunPayFieldError);
    expect(thrown).toMatchObject({ field });
  });

  it('is counted in characters, not in bytes', () => {
    const order = {
      ...ORDER,
      amount: 99_999_999 * 100,
      info: '方'.repeat(50),
      name: '𠮷'.repeat(30),
      note: '注'.repeat(400),
    };
    expect(readAsProvider(sunpay.cashForm(order).fields).body).toMatchObject({ mn: '99999999', sna: '𠮷'.repeat(30) });
  });

  it('can be made to fit, so that everybody can pay under their own name', () => {
    expect(fitSunPayText(`  O'Neill <b>["x"]*\n`)).toBe('O’Neill b ”x”');
    expect([...fitSunPayText('𠮷'.repeat(40))]).toHaveLength(30);
    for (const name of [`O'Neill`, '𠮷'.repeat(40), '*', ''])
      expect(() => sunpay.cashForm({ ...ORDER, name: fitSunPayText(name) })).not.toThrow();
  });
});

describe('an answer of SunPay', () => {
  const charge = (client = sunpay) =>
    client.chargeToken({ td: 'F1', amount: 39_000, info: 'Pro', cardHandle: 'card0001', tokenKey: 'TK1' });
  const ask = (client = sunpay) => client.requestToken(client.tokenForm({ ...ORDER, cardHandle: 'card0001' }));

  it('that says no is a refusal with its code and words', async () => {
    answer.body = { code: '11', msg: '授權失敗' };
    expect(await charge()).toEqual({ state: 'refused', code: '11', message: '授權失敗' });
    expect(await ask()).toEqual({ state: 'refused', code: '11', message: '授權失敗' });
  });

  it.each([
    ['a failed server', { status: 500, body: { code: '11' } }, 'badStatus'],
    ['a gateway', { status: 502, text: '<html>' }, 'badStatus'],
    ['a redirect', { status: 302, location: 'https://elsewhere.example/', text: '' }, 'unreachable'],
    ['half an answer', { text: '{"code":"1' }, 'badBody'],
    ['no answer', { text: '' }, 'badBody'],
    ['another answer', { body: { hello: 'world' } }, 'badBody'],
    ['"unknown" of SunPay itself', { body: { code: '99', msg: '未知' } }, 'badBody'],
  ])('that is %s is an unknown outcome, never a failure', async (_, given, reason) => {
    answer = given;
    for (const outcome of [await charge(), await ask(), await sunpay.checkPayment({ td: 'F1' })])
      expect(outcome).toEqual({ state: 'unknown', reason });
  });

  it('that does not come is an unknown outcome', async () => {
    answer = { silent: true };
    const hasty = clientOf({}, 50);
    for (const outcome of [await charge(hasty), await ask(hasty), await hasty.checkPayment({ td: 'F1' })])
      expect(outcome).toEqual({ state: 'unknown', reason: 'timeout' });
    const dead = clientOf({ SUNPAY_BASE: 'http://127.0.0.1:9' });
    expect(await charge(dead)).toEqual({ state: 'unknown', reason: 'unreachable' });
  });

  it('without a pay page of SunPay leads nowhere [R-7.card.3]', async () => {
    answer.body = { code: '00', msg: '' };
    expect(await ask()).toMatchObject({ state: 'unknown' });
    for (const url of ['https://evil.example/pay', `${base}@evil.example/`, 'javascript:alert(1)', 'pay/1']) {
      answer.body = { code: '00', msg: '', result: { pay_code: url, trade_no: 'SP1' } };
      expect(await ask()).toMatchObject({ state: 'unknown' });
      expect(sunpay.isPayPageUrl(url)).toBe(false);
    }
    expect(sunpay.isPayPageUrl(`${base}/pay/1`)).toBe(true);
    expect(sunpay.isPayPageUrl(base.replace('//', '//mia@'))).toBe(false);
  });

  it.each([
    ['10', 'success'],
    ['11', 'failure'],
    ['13', 'unfinished'],
    ['14', 'refunded'],
    ['15', 'cancelled'],
  ])('to a query with %s means %s', async (pay_result, state) => {
    answer.body = { pay_result, td: 'F1', trade_no: 'SP1', mn: 390, refund_status: 2 };
    expect(await sunpay.checkPayment({ td: 'F1' })).toMatchObject({ state, amount: 39_000, refund: 'done' });
  });

  it('to a query with 12 means that there is no such order, and one about another order is no answer', async () => {
    answer.body = { pay_result: '12' };
    expect(await sunpay.checkPayment({ td: 'F1' })).toEqual({ state: 'notFound' });
    answer.body = { pay_result: '06' };
    expect(await sunpay.checkPayment({ td: 'F1' })).toEqual({ state: 'unknown', reason: 'badBody' });
    answer.body = { pay_result: '10', td: 'F2', mn: '390' };
    expect(await sunpay.checkPayment({ td: 'F1' })).toEqual({ state: 'unknown', reason: 'badBody' });
  });

  it('and the call leave neither secret, token nor buyer in the log', async () => {
    answer = { status: 500 };
    await charge();
    answer = { text: '{"token_key":"TK1"' };
    await ask();
    expect(lines).toHaveLength(2);
    for (const secret of [SECRET, 'TK1', 'mia@example.com', 'rsamsg', ORDER.td])
      expect(lines.join()).not.toContain(secret);
  });
});

describe('a callback', () => {
  const PAID = { td: 'F1', trade_no: 'SP1', mn: '390', currency: 'TWD', pay_result: '10' };

  /** What SunPay sends, with its own key; `head` and `outer` differ where somebody tampers. */
  function sent(body: object, { secret = SECRET, sentAt = clock.now(), web = WEB, key = account.privateKey } = {}) {
    const head = { send_time: toSendTime(sentAt), web };
    const encoded = encodeURIComponent(JSON.stringify({ body, head })).replaceAll('%20', '+');
    const bytes = Buffer.from(encoded);
    const blocks = Array.from({ length: Math.ceil(bytes.length / 117) }, (_, block) =>
      privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, bytes.subarray(block * 117, (block + 1) * 117)),
    );
    const check_value = createHash('sha256')
      .update(encoded + secret)
      .digest('hex');
    return { ...head, rsamsg: Buffer.concat(blocks).toString('base64'), check_value };
  }
  function refusal(body: unknown, client = sunpay): string {
    try {
      client.verifyCallback(body);
    } catch (error) {
      if (error instanceof SunPayCallbackError) return error.reason;
      throw error;
    }
    return expect.fail('The callback was accepted');
  }

  it('is read with everything that it tells', () => {
    const body = {
      ...PAID,
      card_type: '01',
      card_no: '8994',
      approve_code: '123456',
      note1: '訂單 A/1',
      name: '王○明',
      save_card_token_result: '1',
      token_key: 'TK1',
      token_life: '20281231',
    };
    const sentAt = new Date(clock.now().getTime() - 1000);
    expect(sunpay.verifyCallback(sent(body, { sentAt }))).toEqual({
      td: 'F1',
      tradeNo: 'SP1',
      amount: 39_000,
      currency: 'TWD',
      result: 'success',
      sentAt,
      isLate: false,
      cardLast4: '8994',
      approveCode: '123456',
      note: '訂單 A/1',
      tokenKey: 'TK1',
      tokenLife: '2028-12-31',
    });
    expect(sunpay.verifyCallback(sent({ ...PAID, pay_result: '11', mn: 390 }))).toMatchObject({
      result: 'failure',
      amount: 39_000,
      tokenKey: null,
    });
    expect(sunpay.verifyCallback(sent({ ...PAID, pay_result: '12', pay_code: 'CVS123' })).result).toBe('created');
  });

  it('tells the amount that was paid, which may be another than that of the order [A67]', () => {
    expect(sunpay.verifyCallback(sent({ ...PAID, mn: '1', currency: 'USD' }))).toMatchObject({
      amount: 100,
      currency: 'USD',
    });
  });

  it('is refused when it is forged, tampered with or meant for another merchant', () => {
    const right = sent(PAID);
    expect(refusal({ ...right, check_value: sent({ ...PAID, mn: '1' }).check_value })).toBe('badCheckValue');
    expect(refusal({ ...right, rsamsg: sent({ ...PAID, mn: '1' }).rsamsg })).toBe('badCheckValue');
    expect(refusal(sent(PAID, { secret: '' }))).toBe('badCheckValue');
    const stranger = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
    expect(refusal(sent(PAID, { key: stranger }))).toMatch(/unreadable|badCheckValue/);
    expect(refusal(sent(PAID, { web: 'MC00000000' }))).toBe('wrongMerchant');
    expect(refusal({ ...right, web: 'MC00000000' })).toBe('headDiffers');
    expect(refusal({ ...right, send_time: toSendTime(new Date(0)) })).toBe('headDiffers');
    // What we send ourselves is no callback.
    expect(refusal(sunpay.cashForm(ORDER).fields)).toMatch(/unreadable|badCheckValue/);
  });

  it('is refused when it is no message, or says nothing of a payment', () => {
    for (const body of [undefined, null, '', [], {}, { ...sent(PAID), rsamsg: 1 }])
      expect(refusal(body)).toBe('malformed');
    for (const changes of [
      { td: undefined },
      { trade_no: '' },
      { mn: 'NaN' },
      { mn: '-1' },
      { mn: '1e3' },
      { pay_result: '13' },
    ])
      expect(refusal(sent({ ...PAID, ...changes }))).toBe('malformed');
  });

  it('is fresh for two minutes, late while SunPay repeats it, and stale after that', () => {
    const first = sent(PAID);
    clock.advance(110_000);
    expect(sunpay.verifyCallback(first).isLate).toBe(false);
    clock.advance(30 * 60_000);
    expect(sunpay.verifyCallback(first).isLate).toBe(true);
    clock.advance(20_000);
    expect(refusal(first)).toBe('stale');
    expect(refusal(sent(PAID, { sentAt: new Date(clock.now().getTime() + 180_000) }))).toBe('stale');
  });

  it('is decrypted with our own key if the settings have one', () => {
    const ours = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const client = clientOf({
      SUNPAY_PRIVATE_KEY: ours.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    });
    expect(refusal(sent(PAID), client)).toMatch(/unreadable|badCheckValue/);
  });
});
