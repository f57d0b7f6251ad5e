import { type Client, LIMITS, type PaymentStart } from '@framelift/contract';
import { eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { paymentEvents, payments, subscriptions, users } from '../../platform/db/schema.ts';
import { SUNPAY_CALLBACK_PATH, SUNPAY_RETURN_PATH } from '../../platform/payments/sunpay/client.ts';
import { openSunPayStore, SUNPAY_SANDBOX_PATH } from '../../sandbox/sunpay/sandbox.ts';
import { addTrade } from '../../sandbox/sunpay/state.ts';
import type { TestApp } from '../../testing/app.ts';
import type { FaultyProxy } from '../../testing/faulty-proxy.ts';
import { buy, cardPage, ledgerOf, openFaultyShop, payByCard, type Shop } from '../../testing/purchases.ts';
import { refusal } from '../../testing/uploads.ts';
import { insertMember } from '../user/user.sql.ts';
import { reconcilePayments } from './check.ts';
import { renewDue } from './renewals.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

describe('payments by card', () => {
  let app: TestApp;
  let proxy: FaultyProxy;
  let shop: Shop;
  let close: () => Promise<void>;
  const logged: string[] = [];
  beforeAll(async () => {
    ({ app, proxy, shop, close } = await openFaultyShop('sunpay', logged));
  });
  afterAll(() => close());

  let me: Client;
  let userId: string;
  let email: string;
  let password: string;
  beforeEach(async () => {
    const member = await app.member();
    ({ userId, email, password } = member);
    me = app.client({ token: member.token });
    proxy.fault = () => null;
  });

  const logIn = async () => {
    const { token } = await app.client().call('login', { input: { email, password } });
    me = app.client({ token });
  };
  const ledger = () => ledgerOf(app, userId);
  const state = async (td: string) => (await me.call('payment', { params: { td } })).state;
  const until = (td: string, wanted: string) =>
    vi.waitFor(
      async () =>
        expect((await ledger()).payments.find((row) => row.id.replaceAll('-', '') === td)?.state).toBe(wanted),
      {
        timeout: 20_000,
      },
    );
  const later = async (ms: number) => {
    app.clock.advance(ms);
    await reconcilePayments(app.context);
  };
  /** Sends what is overdue of the sandbox's callbacks, whose timer does not follow the clock of the test. */
  const deliver = () => fetch(`${app.url}${SUNPAY_SANDBOX_PATH}/callbacks/deliver`, { method: 'POST' });
  const back = async ({ back: fields }: { back: Record<string, string> }) => {
    const answer = await fetch(app.url + SUNPAY_RETURN_PATH, {
      method: 'POST',
      headers: { origin: 'https://trade.sunpay.com.tw', 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
    return { status: answer.status, location: answer.headers.get('location') };
  };

  it('go to the cash page with a signed form, and are granted by the callback; the browser comes back from the other site without a cookie [R-7.card.7][R-9.payment.3][R-3.payment-result.1]', async () => {
    const begun = await buy(app, me, shop.offers.pack, 'card');
    expect(begun.step).toMatchObject({ kind: 'form', route: LIMITS.payment.cardRouteCode });
    expect(await ledger()).toMatchObject({ orders: [{ costs: 150_00, currency: 'TWD' }] });
    const done = await payByCard(await cardPage(me, begun), 'success');
    await until(begun.td, 'granted');
    expect(await back(done)).toEqual({ status: 303, location: `/tradeResult?td=${begun.td}` });
    expect(await me.call('payment', { params: { td: begun.td } })).toMatchObject({
      pay_result: 10,
      method: 'card',
      currency: 'TWD',
    });
    expect(await ledger()).toMatchObject({ points: 550, ledger: 550 });
    expect((await app.mailTo(email, 2)).text).toContain('NT$150');
  });

  it('are granted once however often, and however late, the callback is repeated', async () => {
    const begun = await buy(app, me, shop.offers.pack, 'card');
    const { back: fields } = await payByCard(await cardPage(me, begun), 'success');
    await until(begun.td, 'granted');
    const send = () => fetch(app.url + SUNPAY_CALLBACK_PATH, { method: 'POST', body: new URLSearchParams(fields) });
    const answers = await Promise.all(Array.from({ length: 20 }, send));
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(Array(20).fill('success'));
    app.clock.advance(10 * MINUTE);
    expect((await send()).status).toBe(200);
    app.clock.advance(60 * MINUTE);
    // Too old to be believed.
    expect((await send()).status).toBe(400);
    expect(await ledger()).toMatchObject({ points: 550, payments: [{ state: 'granted' }] });
  });

  it('whose callback is lost are found by asking the provider, soon or after its repeats have ended', async () => {
    const begun = await buy(app, me, shop.offers.pack, 'card');
    await payByCard(await cardPage(me, begun), 'success', { silent: '1' });
    expect(await state(begun.td)).toBe('granted');
    const other = await buy(app, me, shop.offers.sea, 'card');
    await payByCard(await cardPage(me, other), 'success', { silent: '1' });
    await later(31 * MINUTE);
    expect((await ledger()).payments.map((row) => row.state)).toEqual(['granted', 'granted']);
  });

  it('fail, and can be made again with another card [R-4.payment-result.2]', async () => {
    const begun = await buy(app, me, shop.offers.pack, 'card');
    await payByCard(await cardPage(me, begun), 'failure');
    await until(begun.td, 'failed');
    expect(await me.call('payment', { params: { td: begun.td } })).toMatchObject({
      pay_result: 11,
      transaction_id: null,
    });
    const again = await buy(app, me, shop.offers.pack, 'card');
    await payByCard(await cardPage(me, again), 'success');
    await until(again.td, 'granted');
    expect((await ledger()).points).toBe(550);
  });

  it('with a code to pay later tell the result 12 until they are paid, can be given up, and are granted even then', async () => {
    const begun = await buy(app, me, shop.offers.pack, 'card');
    const page = await cardPage(me, begun);
    await payByCard(page, 'created');
    await until(begun.td, 'pending');
    expect(await me.call('payment', { params: { td: begun.td } })).toMatchObject({ pay_result: 12, awaits_code: true });
    expect((await refusal(buy(app, me, shop.offers.pack))).code).toBe('paymentPending');
    expect(await me.call('cancelPayment', { input: { td: begun.td } })).toMatchObject({ state: 'expired' });
    await payByCard(page, 'success');
    await until(begun.td, 'granted');
    expect((await ledger()).points).toBe(550);
  });

  it('paid in a window that was closed are found before they could be paid a second time', async () => {
    const begun = await buy(app, me, shop.offers.sea, 'card');
    await payByCard(await cardPage(me, begun), 'success', { silent: '1' });
    expect((await refusal(buy(app, me, shop.offers.sea))).code).toBe('alreadySubscribed');
    expect(await state(begun.td)).toBe('granted');
  });

  it('perhaps paid in a window that was closed are not made a second time while SunPay does not tell', async () => {
    const begun = await buy(app, me, shop.offers.sea, 'card');
    await payByCard(await cardPage(me, begun), 'success', { silent: '1' });
    proxy.fault = (call) => (/PaymentCheck$/.test(call) ? 'refuse' : null);
    expect((await refusal(buy(app, me, shop.offers.sea))).code).toBe('paymentPending');
    expect(await state(begun.td)).toBe('created');
    proxy.fault = () => null;
    expect((await refusal(buy(app, me, shop.offers.sea))).code).toBe('alreadySubscribed');
  });

  it('are shown by the card page in the language of the buyer, whatever their browser speaks', async () => {
    const inJapanese = app.client({
      token: (await app.client().call('login', { input: { email, password } })).token,
      language: 'ja',
    });
    const page = await cardPage(inJapanese, await buy(app, inJapanese, shop.offers.pack, 'card'));
    const answer = await fetch(page, { headers: { 'accept-language': 'en' } });
    expect(await answer.text()).toContain('<html lang="ja">');
    const done = await fetch(page, { method: 'POST', body: new URLSearchParams({ result: 'failure' }) });
    expect(await done.text()).toContain('<html lang="ja">');
  });

  it('that were given up in one window and paid in another, without a callback, are found and granted', async () => {
    const begun = await buy(app, me, shop.offers.pack, 'card');
    const page = await cardPage(me, begun);
    await me.call('cancelPayment', { input: { td: begun.td } });
    await payByCard(page, 'success', { silent: '1' });
    await later(61 * MINUTE);
    expect(await state(begun.td)).toBe('granted');
  });

  it('take nothing from forged, foreign, stale or tampered messages, and count them', async () => {
    const begun = await buy(app, me, shop.offers.pack, 'card');
    if (begun.step.kind !== 'form') expect.fail();
    const { fields } = begun.step as Extract<PaymentStart['step'], { kind: 'form' }>;
    const post = (body: object) =>
      fetch(app.url + SUNPAY_CALLBACK_PATH, {
        method: 'POST',
        body: new URLSearchParams(body as Record<string, string>),
      });
    // What we signed ourselves, nothing at all, and what says that all is well.
    for (const body of [
      fields,
      {},
      { td: begun.td, pay_result: '10', mn: '150' },
      { ...fields, check_value: '0'.repeat(64) },
    ])
      expect((await post(body)).status).toBe(400);
    expect(await back({ back: { td: begun.td, pay_result: '10' } })).toEqual({ status: 303, location: '/tradeResult' });
    expect(await state(begun.td)).toBe('created');
    const forged = await app.context.db.select().from(paymentEvents).where(eq(paymentEvents.type, 'forged'));
    expect(forged.length).toBeGreaterThan(0);
    expect(forged.reduce((sum, { body }) => sum + Number(body['count']), 0)).toBeGreaterThanOrEqual(5);
  });

  it('of another amount are refused and left to an operator [A67]', async () => {
    const begun = await buy(app, me, shop.offers.pack, 'card');
    const page = await cardPage(me, begun);
    await app.context.db.update(payments).set({ amount: 160_00 }).where(eq(payments.userId, userId));
    await payByCard(page, 'success');
    await vi.waitFor(
      async () => expect((await ledger()).payments).toMatchObject([{ problem: 'amountMismatch', state: 'created' }]),
      { timeout: 20_000 },
    );
    expect((await ledger()).points).toBe(0);
  });

  it('by token send exactly the fields that were given to their member, within two minutes and once [R-7.card.1][R-7.card.2][R-9.payment.4]', async () => {
    const begun = await buy(app, me, shop.offers.normal, 'card');
    expect(begun.step).toMatchObject({ kind: 'token', route: LIMITS.payment.tokenRouteCode });
    const { fields } = begun.step as Extract<PaymentStart['step'], { kind: 'token' }>;
    const stranger = app.client({ token: (await app.member()).token });
    const send = (input: typeof fields, client = me) => client.call('sunpayToken', { input });
    expect((await refusal(send(fields, stranger))).code).toBe('transactionFailed');
    expect((await refusal(send({ ...fields, check_value: 'f'.repeat(64) }))).code).toBe('transactionFailed');
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => send(fields)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toMatchObject([
      { value: { code: '00', result: { pay_code: expect.stringContaining(SUNPAY_SANDBOX_PATH) } } },
    ]);
    const late = await buy(app, me, shop.offers.normal, 'card');
    app.clock.advance(2 * MINUTE + 1000);
    expect((await refusal(send((late.step as typeof begun.step & { fields: typeof fields }).fields))).code).toBe(
      'transactionFailed',
    );
  });

  it('refunded in the console of the provider are taken back, but not the rest of what an operator has recorded a part of', async () => {
    const { client: admin } = await app.admin();
    const store = openSunPayStore(app.context.db);
    for (const [part, expected] of [
      [null, { state: 'refunded', refunded: 150_00 }],
      [50_00, { state: 'granted', refunded: 50_00 }],
    ] as const) {
      const begun = await buy(app, me, shop.offers.pack, 'card');
      await payByCard(await cardPage(me, begun), 'success');
      await until(begun.td, 'granted');
      await store.change(({ trades }) => {
        const trade = trades[begun.td];
        if (trade) trade.isRefunded = true;
      });
      const id = (await ledger()).payments.at(-1)?.id ?? '';
      const key = app.context.ids.uuid();
      if (part !== null) await admin.call('refundPayment', { input: { id, key, costs: part, reason: 'A part' } });
      await later(25 * 60 * MINUTE);
      expect((await ledger()).payments.at(-1)).toMatchObject(expected);
    }
    expect(await ledger()).toMatchObject({ points: 550, ledger: 550 });
    // Before we had even heard of its money: nothing is given for it.
    const begun = await buy(app, me, shop.offers.sea, 'card');
    await payByCard(await cardPage(me, begun), 'success', { silent: '1' });
    await store.change(({ trades }) => {
      const trade = trades[begun.td];
      if (trade) trade.isRefunded = true;
    });
    await logIn();
    const back = { state: 'refunded', refunded: 390_00, pay_result: 11 };
    expect(await me.call('payment', { params: { td: begun.td } })).toMatchObject(back);
    expect((await ledger()).subscriptions).toEqual([]);
    expect((await ledger()).payments.map(({ problem }) => problem)).toEqual([null, null, null]);
  });

  describe('of plans', () => {
    const subscribe = async (more: { declines?: '1'; silent?: '1' } = {}) => {
      const begun = await me.call('plan_subscribe', {
        input: { target: LIMITS.planIds.normal, product_solution: shop.offers.normal, check_required: true },
      });
      if (!begun.payment) return expect.fail();
      // Nothing before the money.
      expect(begun.subscription).toBeNull();
      const done = await payByCard(await cardPage(me, begun.payment), 'success', more);
      if (!more.silent) await until(begun.payment.td, 'granted');
      return { ...done, td: begun.payment.td };
    };
    const plan = async () => (await me.call('subscriptions', { input: {} })).data[0];
    /** Goes to the end of what is paid, and renews. */
    const renew = async () => {
      const end = Date.parse((await plan())?.paid_until ?? '');
      app.clock.advance(Math.max(0, end - app.clock.now().getTime()) + MINUTE);
      await logIn();
      await renewDue(app.context);
      await deliver();
      await later(2 * MINUTE);
    };

    it('keep the card encrypted, and charge it each month once, at the price of the plan [R-4.purchase.4][R-7.subscribe.6]', async () => {
      const { td } = await subscribe();
      expect(await plan()).toMatchObject({
        plan_id: 2,
        renews: true,
        method: 'card',
        next_charge: { costs: 150_00, currency: 'TWD' },
      });
      expect(await me.call('setSubscriptionAvailability', { input: { order_id: td, is_available: true } })).toEqual({
        order_id: td,
        is_available: true,
      });
      const [row] = (await ledger()).subscriptions;
      expect(row?.token).toBeTruthy();
      const key = app.context.cardTokens.decrypt(row?.token ?? '', userId);
      expect(row?.token).not.toContain(key);
      await renew();
      await Promise.all(Array.from({ length: 5 }, () => renewDue(app.context)));
      await renew();
      const after = await ledger();
      expect(after.payments.map((payment) => [payment.state, payment.route])).toEqual([
        ['granted', 'token'],
        ['granted', 'charge'],
        ['granted', 'charge'],
      ]);
      expect(after.points).toBe(900);
      expect(after.subscriptions).toMatchObject([{ state: 'active' }]);
      // Neither the card, nor a signed message, is in the log.
      for (const secret of [key, row?.token ?? 'none', 'rsamsg', 'check_value'])
        expect(logged.join('')).not.toContain(secret);
    });

    it('whose card is refused are suspended, tried again, and restored at once by paying; nothing is lost [A75]', async () => {
      await subscribe({ declines: '1' });
      await renew();
      expect(await plan()).toMatchObject({ state: 'suspended' });
      expect(await ledger()).toMatchObject({ isSuspended: true, points: 300 });
      expect((await app.mailTo(email, 3)).subject).toContain('did not go through');
      expect((await me.call('notifications', { input: {} })).data[0]).toMatchObject({
        title: 'Your plan is paused',
        content: expect.stringContaining('for “Normal”'),
        kind: 'warning',
        link: '/subscribedetail',
      });
      expect((await refusal(me.call('payNow'))).code).toBe('transactionFailed');
      const charges = async () => (await ledger()).payments.filter(({ route }) => route === 'charge').length;
      expect(await charges()).toBe(2);
      await renewDue(app.context);
      expect(await charges()).toBe(2);
      const { client: admin } = await app.admin();
      const seen = await admin.call('managedSubscriptions', { input: { member: userId, state: 'suspended' } });
      const failed = (await ledger()).payments.at(-1);
      expect(seen.data).toMatchObject([
        { failed_charges: 2, last_payment: { id: failed?.id, state: 'failed', code: failed?.failureCode } },
      ]);
      // With another card, bought like the first time.
      const begun = await buy(app, me, shop.offers.normal, 'card');
      await payByCard(await cardPage(me, begun), 'success');
      await until(begun.td, 'granted');
      expect(await plan()).toMatchObject({ state: 'active', plan_id: 2 });
      expect(await ledger()).toMatchObject({ isSuspended: false, points: 600 });
      expect((await ledger()).subscriptions).toHaveLength(1);
    });

    it('renew though their message came late and while SunPay did not confirm it', async () => {
      const done = await subscribe({ silent: '1' });
      proxy.fault = (call) => (/PaymentCheck$/.test(call) ? 'refuse' : null);
      app.clock.advance(10 * MINUTE);
      // The message alone is no proof any more, but nobody else tells of the card.
      expect(await back(done)).toEqual({ status: 303, location: `/tradeResult?td=${done.td}` });
      const body = new URLSearchParams(done.back);
      // SunPay sends it again.
      expect((await fetch(app.url + SUNPAY_CALLBACK_PATH, { method: 'POST', body })).status).toBe(503);
      expect(await state(done.td)).toBe('created');
      proxy.fault = () => null;
      await later(10 * MINUTE);
      expect(await state(done.td)).toBe('granted');
      expect(await plan()).toMatchObject({ state: 'active', renews: true, next_charge: { costs: 150_00 } });
      await renew();
      expect((await ledger()).payments.map((row) => [row.state, row.route])).toEqual([
        ['granted', 'token'],
        ['granted', 'charge'],
      ]);
    });

    it('whose card is refused are tried again after three and seven days, however often their member pays in between', async () => {
      await subscribe({ declines: '1' });
      const end = Date.parse((await plan())?.paid_until ?? '');
      const charges = async () => (await ledger()).payments.filter(({ route }) => route === 'charge').length;
      await renew();
      const due = { costs: 150_00, currency: 'TWD' };
      const at = (days: number) => new Date(end + days * DAY).toISOString();
      expect(await plan()).toMatchObject({ state: 'suspended', due, next_charge: { at: at(3), ...due } });
      for (let press = 0; press < 4; press += 1) {
        expect((await refusal(me.call('payNow'))).code).toBe('transactionFailed');
      }
      expect(await charges()).toBe(5);
      await renewDue(app.context);
      expect(await charges()).toBe(5);
      expect(await plan()).toMatchObject({ next_charge: { at: at(3) } });
      for (const [days, next] of [
        [3, { at: at(7), ...due }],
        [7, null],
      ] as const) {
        app.clock.advance(end + days * DAY + MINUTE - app.clock.now().getTime());
        await renewDue(app.context);
        await later(2 * MINUTE);
        await logIn();
        expect(await plan()).toMatchObject({ state: 'suspended', due, next_charge: next });
      }
      expect(await charges()).toBe(7);
      const { data } = await me.call('payments', { input: {} });
      expect(new Set(data.filter(({ state }) => state === 'failed').map(({ failure }) => failure))).toEqual(
        new Set(['declined']),
      );
    });

    it('whose card was refused before we stood still for weeks are charged no more by themselves, and no next try is told', async () => {
      await subscribe({ declines: '1' });
      await renew();
      expect(await plan()).toMatchObject({ state: 'suspended', next_charge: { costs: 150_00 } });
      app.clock.advance(20 * DAY);
      await logIn();
      const before = (await ledger()).payments.length;
      await renewDue(app.context);
      expect((await ledger()).payments).toHaveLength(before);
      expect(await plan()).toMatchObject({ state: 'suspended', due: { costs: 150_00 }, next_charge: null });
    });

    it('whose charge never reached SunPay, and was given up, is not sent again when an operator asks about it', async () => {
      await subscribe();
      proxy.fault = (call) => (/token$/.test(call) ? 'refuse' : null);
      await renew();
      for (let again = 0; again < 6; again += 1) await later(30 * MINUTE);
      const given = (await ledger()).payments.at(-1);
      expect(given).toMatchObject({ route: 'charge', state: 'failed', failureCode: 'notFound' });
      proxy.fault = () => null;
      await logIn();
      await me.call('payNow').catch(() => null);
      await later(2 * MINUTE);
      expect(await plan()).toMatchObject({ state: 'active' });
      const { client: admin } = await app.admin();
      await admin.call('repairPayment', { input: { id: given?.id ?? '', reason: 'The member asked' } });
      await deliver();
      await later(2 * MINUTE);
      const { trades } = await openSunPayStore(app.context.db).read();
      const numbers = new Set((await ledger()).payments.map((row) => row.id.replaceAll('-', '')));
      expect(Object.values(trades).filter(({ kind, td }) => kind === 'charge' && numbers.has(td))).toHaveLength(1);
      expect((await ledger()).points).toBe(600);
    });

    it('whose charge SunPay carries out after we gave it up, without a word, are found by asking', async () => {
      await subscribe();
      const store = openSunPayStore(app.context.db);
      // SunPay has it, says nothing, and is in no hurry.
      proxy.fault = (call) => (/token$/.test(call) ? 'refuse' : null);
      app.clock.advance(Date.parse((await plan())?.paid_until ?? '') - app.clock.now().getTime() + MINUTE);
      await renewDue(app.context);
      const charge = (await ledger()).payments.at(-1);
      const td = charge?.id.replaceAll('-', '') ?? '';
      await store.change((memory) => void addTrade(memory, 'charge', { td, mn: '150' }, app.clock.now().getTime()));
      await later(2 * 60 * MINUTE);
      const failed = { id: charge?.id, state: 'failed', failureCode: 'unfinished' };
      expect((await ledger()).payments.at(-1)).toMatchObject(failed);
      await store.change(({ trades }) => void Object.assign(trades[td] ?? {}, { result: 'success' }));
      await later(2 * 60 * MINUTE);
      expect((await ledger()).payments.at(-1)).toMatchObject({ id: charge?.id, state: 'granted' });
      expect(await ledger()).toMatchObject({ isSuspended: false, points: 600 });
    });

    it('whose first payment is found by asking renew once the card arrives with the message', async () => {
      const done = await subscribe({ silent: '1' });
      expect(await state(done.td)).toBe('granted');
      expect(await plan()).toMatchObject({ state: 'active', renews: false, next_charge: null });
      expect(await back(done)).toMatchObject({ status: 303 });
      expect(await plan()).toMatchObject({ state: 'active', renews: true });
      expect((await ledger()).points).toBe(300);
    });

    it("take nobody else's turn while their cards are refused, however many there are", async () => {
      await subscribe();
      const end = new Date((await plan())?.paid_until ?? '');
      const { db } = app.context;
      // Two hundred and one plans that ended before and whose first charge has failed.
      const row = { createdAt: end, language: 'en' } as const;
      const people = Array.from({ length: 201 }, (_, number) => ({ id: app.context.ids.uuid(), number }));
      const named = { name: 'Ben', phone: '', passwordHash: 'none', language: 'en', confirmedAt: end } as const;
      for (const { id, number } of people)
        await insertMember(db, { ...named, id, email: `failing${number}@example.com`, createdAt: end });
      const paidUntil = new Date(end.getTime() - 60 * MINUTE);
      const common = { offerId: shop.offers.normal, provider: 'sunpay' } as const;
      await db.insert(subscriptions).values(
        people.map(({ id }) => ({
          ...{
            ...common,
            id,
            userId: id,
            kind: 'plan' as const,
            planId: LIMITS.planIds.normal,
            state: 'suspended' as const,
          },
          ...{ anchorDay: 1, paidUntil, renews: true, token: 'none', createdAt: end },
        })),
      );
      await db.insert(payments).values(
        people.map(({ id }) => ({
          ...{ ...row, ...common, id, userId: id, subscriptionId: id, target: 'plan', route: 'charge' as const },
          ...{ state: 'failed' as const, amount: 150_00, currency: 'TWD' as const, endedAt: end },
        })),
      );
      await renew();
      expect((await ledger()).payments.map(({ route, state }) => [route, state])).toEqual([
        ['token', 'granted'],
        ['charge', 'granted'],
      ]);
      // Nobody else was charged: their next attempt is three days after the end.
      const theirs = people.map(({ id }) => id);
      expect(await db.$count(payments, inArray(payments.userId, theirs))).toBe(201);
      await db.delete(users).where(inArray(users.id, theirs));
    });

    it('cancelled are not charged, and end with what is paid', async () => {
      await subscribe();
      expect(await me.call('plan_unsubscribe')).toMatchObject({ cancel_at_end: true, next_charge: null });
      await renew();
      expect((await ledger()).payments).toHaveLength(1);
      expect(await app.context.db.$count(subscriptions, eq(subscriptions.userId, userId))).toBe(1);
    });

    it('are reminded of their end three days before, once', async () => {
      await subscribe();
      await me.call('plan_unsubscribe');
      app.clock.advance(Date.parse((await plan())?.paid_until ?? '') - app.clock.now().getTime() - 2 * DAY);
      await renewDue(app.context);
      await renewDue(app.context);
      const mail = await app.mailTo(email, 3);
      expect(mail.subject).toMatch(/Normal ends on/);
      expect(mail.text).toContain('/subscribedetail');
      expect((await app.mails()).filter(({ to }) => to === email)).toHaveLength(3);
      const { data } = await me.call('notifications', { input: {} });
      expect(data.filter(({ title }) => title === 'Something you bought ends soon')).toMatchObject([
        {
          content: expect.stringMatching(/^“Normal” ends on \w+ \d+, \d{4}/),
          kind: 'warning',
          link: '/subscribedetail',
        },
      ]);
    });
  });
});
