import { addMonths, type Client, LIMITS, ORDER_TYPE } from '@framelift/contract';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { mails, notifications, offers, paymentEvents, payments, plans, products } from '../../platform/db/schema.ts';
import { reversePayment } from '../../sandbox/paypal/payments.ts';
import { PAYPAL_SANDBOX } from '../../sandbox/paypal/paypal-sandbox.ts';
import { sandboxState } from '../../sandbox/paypal/state.ts';
import { openSandboxStore } from '../../sandbox/store.ts';
import type { TestApp } from '../../testing/app.ts';
import type { Fault, FaultyProxy } from '../../testing/faulty-proxy.ts';
import { atPayPal, buy, ledgerOf, openFaultyShop, type Shop } from '../../testing/purchases.ts';
import { refusal } from '../../testing/uploads.ts';
import { deleteRemovedAccounts } from '../account/removal.ts';
import { endRunOut, renewSubscription } from '../membership/subscriptions.ts';
import { startSession } from '../user/session.ts';
import { alignAtPayPal, syncBilling } from './billing.ts';
import { reconcilePayments } from './check.ts';
import { idOfTd } from './offers.ts';
import { renewDue } from './renewals.ts';
import { handleMissedEvents } from './webhook.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const CAPTURE = /POST .*\/capture$/;
const WEBHOOK = /paypalWebhook/;

describe('payments by PayPal', () => {
  let app: TestApp;
  let proxy: FaultyProxy;
  let shop: Shop;
  let close: () => Promise<void>;
  const logged: string[] = [];
  beforeAll(async () => {
    ({ app, proxy, shop, close } = await openFaultyShop('paypal', logged));
  });
  afterAll(() => close());

  let me: Client;
  let userId: string;
  let email: string;
  let password: string;
  beforeEach(async () => {
    // Of earlier tests: PayPal would repeat each of them whenever a test moves the clock.
    await openSandboxStore(app.context.db, 'paypal', sandboxState).change((state) => {
      state.events = {};
    });
    const member = await app.member();
    ({ userId, email, password } = member);
    me = app.client({ token: member.token });
    // Most tests are about what happens without messages.
    proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : null);
    proxy.calls.length = 0;
  });

  const checkout = (resourceId: string, claim: object = {}, client = me) =>
    client.call('checkout_order', {
      input: {
        projectId: `offer-${shop.offers.pack}`,
        resourceId,
        payment_amount: '4.99',
        payment_currency: 'USD',
        capture_status: 'COMPLETED',
        details: {},
        ...claim,
      },
    });
  const logIn = async () => {
    const { token } = await app.client().call('login', { input: { email, password } });
    return token;
  };
  const state = async (td: string) => (await me.call('payment', { params: { td } })).state;
  const ledger = () => ledgerOf(app, userId);
  const captures = () => proxy.calls.filter(({ call }) => CAPTURE.test(call));
  /** Lets the reconciliation look at everything again. */
  const later = async (minutes = 2) => {
    app.clock.advance(minutes * MINUTE);
    await reconcilePayments(app.context);
  };

  it('of a pack: order first, approval, capture by the server, points by the ledger, receipt in the language of the buyer [R-9.payment.1][R-4.purchase.2][R-7.payment.3][R-3.payment-capture.1][R-4.payment-result.1]', async () => {
    const inJapanese = app.client({ token: await logIn(), language: 'ja' });
    const begun = await buy(app, inJapanese, shop.offers.pack);
    // Before anything is paid.
    expect((await ledger()).orders).toMatchObject([
      { id: begun.order_id, type: ORDER_TYPE.purchased, costs: 499, currency: 'USD' },
    ]);
    expect(await state(begun.td)).toBe('created');
    expect(await me.call('paymentMethods')).toEqual([
      { method: 'paypal', currency: LIMITS.paypalCurrency, sandbox: true },
      { method: 'card', currency: 'TWD', sandbox: true },
    ]);
    const back = await atPayPal(begun, 'approve');
    expect(back.searchParams.get('td')).toBe(begun.td);
    const answer = await checkout(back.searchParams.get('token') ?? '');
    expect(answer).toMatchObject({ td: begun.td, state: 'granted', pay_result: LIMITS.paymentResult.success });
    expect(answer.transaction_id).toMatch(/^[A-Z\d]{17}$/);
    expect(await ledger()).toMatchObject({ points: 550, ledger: 550, payments: [{ state: 'granted' }] });
    const mail = await app.mailTo(email, 2);
    expect(mail.subject).toContain('領収書');
    expect(mail.text).toContain('550ポイント');
    expect(mail.text).toContain(begun.td);
    // In the app it is told in the language of whoever reads, not of whoever paid.
    expect((await me.call('notifications', { input: {} })).data).toMatchObject([
      {
        title: 'Thank you for your payment',
        content: 'We received $4.99 for “550 points”. The receipt is in your e-mail.',
        kind: 'info',
        link: '/menu/payments',
      },
    ]);
    // The page of the result survives a reload.
    expect(await me.call('payment', { params: { td: begun.td } })).toMatchObject({
      state: 'granted',
      pay_result: 10,
      transaction_id: answer.transaction_id,
      costs: 499,
      currency: 'USD',
      points: 550,
    });
  });

  it('are captured once by twenty calls at once, which all see success [A58][A60]', async () => {
    const begun = await buy(app, me, shop.offers.pack);
    const token = (await atPayPal(begun, 'approve')).searchParams.get('token') ?? '';
    const answers = await Promise.all(Array.from({ length: 20 }, () => checkout(token)));
    expect(new Set(answers.map(({ transaction_id }) => transaction_id)).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.state))).toEqual(new Set(['granted']));
    expect(new Set(captures().map(({ requestId }) => requestId)).size).toBe(1);
    expect(await ledger()).toMatchObject({ points: 550, payments: [{ state: 'granted' }] });
    await checkout(token);
    expect((await ledger()).points).toBe(550);
    // Months would add up.
    const product = await buy(app, me, shop.offers.sea);
    const second = (await atPayPal(product, 'approve')).searchParams.get('token') ?? '';
    await Promise.all(Array.from({ length: 20 }, () => checkout(second)));
    const [row] = (await ledger()).subscriptions;
    expect(row?.paidUntil).toEqual(addMonths(row?.createdAt ?? new Date(), 3, row?.anchorDay ?? 0));
    const receipts = await app.context.db.select().from(mails).where(eq(mails.userId, userId));
    expect(receipts.filter(({ template }) => template === 'receipt')).toHaveLength(2);
  });

  it('for a plan are one payment, though twenty calls and the webhooks learn of its first charge at once [A60][A61]', async () => {
    proxy.fault = () => null;
    const begun = await buy(app, me, shop.offers.normal);
    const ref = (await atPayPal(begun, 'approve')).searchParams.get('subscription_id') ?? '';
    const answers = await Promise.all(Array.from({ length: 20 }, () => checkout(ref)));
    expect(answers.map(({ state }) => state)).toContain('granted');
    expect(await ledger()).toMatchObject({ payments: [{ state: 'granted', problem: null }] });
    expect((await ledger()).payments).toHaveLength(1);
    expect((await ledger()).orders).toHaveLength(1);
  });

  it('whose capture is answered with null, or not at all, are being checked: no new charge until that is settled [A59][A60]', async () => {
    for (const fault of ['null', 'lose'] as const) {
      const before = (await ledger()).points;
      const begun = await buy(app, me, shop.offers.pack);
      const token = (await atPayPal(begun, 'approve')).searchParams.get('token') ?? '';
      let captured = false;
      proxy.fault = (call) => {
        // A message would tell what the answer does not.
        if (WEBHOOK.test(call)) return 'refuse';
        if (!CAPTURE.test(call)) return /GET .*orders/.test(call) && captured ? 'lose' : null;
        captured = true;
        return fault;
      };
      expect(await checkout(token)).toMatchObject({ state: 'pending', pay_result: 12 });
      for (let again = 0; again < 3; again += 1) {
        expect((await refusal(buy(app, me, shop.offers.pack))).code).toBe('paymentPending');
        expect(await checkout(token)).toMatchObject({ state: 'pending' });
      }
      expect((await refusal(me.call('cancelPayment', { input: { td: begun.td } }))).code).toBe('paymentPending');
      expect((await ledger()).points).toBe(before);
      proxy.fault = () => null;
      await later();
      expect(await state(begun.td)).toBe('granted');
      expect((await ledger()).points).toBe(before + 550);
    }
    expect(new Set(captures().map(({ requestId }) => requestId)).size).toBe(2);
  });

  it('whose capture never arrived are captured by the reconciliation, with the same request id [A60]', async () => {
    const begun = await buy(app, me, shop.offers.pack);
    const token = (await atPayPal(begun, 'approve')).searchParams.get('token') ?? '';
    proxy.fault = (call) => (CAPTURE.test(call) ? 'refuse' : null);
    expect(await checkout(token)).toMatchObject({ state: 'pending' });
    proxy.fault = () => null;
    await later();
    expect(await state(begun.td)).toBe('granted');
    expect(new Set(captures().map(({ requestId }) => requestId)).size).toBe(1);
  });

  it('are finished once by webhook and browser together, and a repeated event has no effect [A61][A63]', async () => {
    proxy.fault = () => null;
    const begun = await buy(app, me, shop.offers.pack);
    const token = (await atPayPal(begun, 'approve')).searchParams.get('token') ?? '';
    await Promise.all(Array.from({ length: 5 }, () => checkout(token)));
    expect(await state(begun.td)).toBe('granted');
    const { db } = app.context;
    const id = begun.td.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    const events = () => db.select().from(paymentEvents).where(eq(paymentEvents.paymentId, id));
    const completed = await vi.waitFor(async () => {
      const found = (await events()).find(({ type }) => type === 'PAYMENT.CAPTURE.COMPLETED');
      if (!found?.handledAt) throw new Error('No webhook yet');
      return found;
    });
    const before = await events();
    const asked = proxy.calls.length;
    const eventId = completed.id.replace('paypal:', '');
    await resend(eventId);
    // Delivered again and answered with 2xx, without a look at PayPal or a second line in the history.
    const told = openSandboxStore(db, 'paypal', sandboxState);
    await vi.waitFor(
      async () => expect((await told.read()).events[eventId]).toMatchObject({ delivered: true, attempts: 1 }),
      { timeout: 15_000 },
    );
    expect(proxy.calls.slice(asked).filter(({ call }) => WEBHOOK.test(call))).toHaveLength(1);
    expect(proxy.calls.slice(asked).filter(({ call }) => /GET .*(orders|captures)/.test(call))).toEqual([]);
    expect(await events()).toEqual(before);
    expect(await ledger()).toMatchObject({ points: 550, payments: [{ state: 'granted' }] });
    expect((await ledger()).orders).toHaveLength(1);
  });

  it('in review, because the provider tells another amount, neither grant anything nor keep the buyer from buying again [A59][A67]', async () => {
    const { db } = app.context;
    for (const way of ['buys', 'gives it up first'] as const) {
      const before = (await ledger()).points;
      const begun = await buy(app, me, shop.offers.pack);
      await checkout((await atPayPal(begun, 'pending')).searchParams.get('token') ?? '');
      expect(await state(begun.td)).toBe('pending');
      expect((await refusal(buy(app, me, shop.offers.pack))).code).toBe('paymentPending');
      await openSandboxStore(db, 'paypal', sandboxState).change(({ payments: known }) => {
        for (const one of Object.values(known)) if (one.customId === begun.td) one.amount = 399;
      });
      await later(3);
      const inReview = { state: 'pending', pay_result: 12, failure: 'inReview' };
      expect(await me.call('payment', { params: { td: begun.td } })).toMatchObject(inReview);
      if (way !== 'buys') {
        const given = { state: 'expired', pay_result: 11, failure: 'inReview' };
        expect(await me.call('cancelPayment', { input: { td: begun.td } })).toMatchObject(given);
      }
      const again = await buy(app, me, shop.offers.pack);
      await checkout((await atPayPal(again, 'approve')).searchParams.get('token') ?? '');
      expect((await ledger()).points).toBe(before + 550);
      await later(24 * 60);
      expect(await state(begun.td)).toBe('expired');
      expect((await ledger()).points).toBe(before + 550);
      // It stays with the operator, whose word its money waits for.
      const kept = (await ledger()).payments.find(({ orderId }) => orderId === begun.order_id);
      expect(kept).toMatchObject({ problem: 'amountMismatch', providerCaptureId: null });
    }
  });

  it('that were begun at a provider that is switched off since do not keep the buyer from paying at the other', async () => {
    const off = app.context as { -readonly [Part in 'paypal' | 'sunpay']: (typeof app.context)[Part] };
    const { paypal, sunpay } = off;
    const atFirst = await buy(app, me, shop.offers.normal);
    off.paypal = null;
    const byCard = await buy(app, me, shop.offers.normal, 'card').finally(() => Object.assign(off, { paypal }));
    expect(byCard.step.kind).toBe('token');
    expect(await me.call('payment', { params: { td: atFirst.td } })).toMatchObject({ failure: 'replaced' });
    off.sunpay = null;
    const back = await buy(app, me, shop.offers.normal).finally(() => Object.assign(off, { sunpay }));
    await atPayPal(back, 'approve');
    expect(await state(back.td)).toBe('granted');
    // What was approved in the first window after all is found and given, now that PayPal is asked again.
    await atPayPal(atFirst, 'approve');
    await later(25 * 60);
    expect((await ledger()).payments.map((row) => row.state)).toEqual(['granted', 'expired', 'granted']);
  });

  it('that were under way at a provider when it was switched off are waited for two weeks, then left to an operator', async () => {
    const off = app.context as { -readonly [Part in 'paypal']: (typeof app.context)[Part] };
    const { paypal } = off;
    const begun = await buy(app, me, shop.offers.pack);
    proxy.fault = (call) => (CAPTURE.test(call) ? 'lose' : WEBHOOK.test(call) ? 'refuse' : null);
    await checkout((await atPayPal(begun, 'approve')).searchParams.get('token') ?? '');
    off.paypal = null;
    try {
      app.clock.advance(13 * 24 * 60 * MINUTE);
      expect((await refusal(buy(app, me, shop.offers.pack, 'card'))).code).toBe('paymentPending');
      app.clock.advance(2 * 24 * 60 * MINUTE);
      expect((await buy(app, me, shop.offers.pack, 'card')).step.kind).toBe('form');
      expect((await ledger()).payments).toMatchObject([
        { state: 'expired', failureCode: 'replaced', problem: 'outOfReach' },
        { state: 'created', provider: 'sunpay' },
      ]);
      for (let day = 0; day < 3; day += 1) await later(25 * 60);
    } finally {
      off.paypal = paypal;
    }
    // Its money had come, which is found once PayPal is back, also weeks later.
    proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : null);
    await later(25 * 60);
    expect((await ledger()).points).toBe(550);
  });

  it('are not begun while the store is closed; what was begun before, renewals and refunds go on', async () => {
    const { client: operator } = await app.admin();
    const key = app.context.ids.uuid();
    const start = (by = me) =>
      by.call('createPayment', { input: { offer_id: shop.offers.pack, method: 'paypal', key } });
    const begun = await start();
    const plan = await buy(app, me, shop.offers.normal);
    await atPayPal(plan, 'approve');
    expect(await state(plan.td)).toBe('granted');
    await operator.call('setFeatures', { input: { features: { store: 'off' } } });
    try {
      const inJapanese = app.client({ token: await logIn(), language: 'ja' });
      const closed = await refusal(buy(app, inJapanese, shop.offers.sea));
      expect([closed.code, closed.status]).toEqual(['storeClosed', 403]);
      expect(closed.message).toMatch(/ストア/);
      for (const offer of [shop.offers.pro, shop.offers.pack])
        expect((await refusal(buy(app, me, offer, 'card'))).code).toBe('storeClosed');
      // The same purchase, after a lost answer.
      expect((await start()).td).toBe(begun.td);
      await checkout((await atPayPal(begun, 'approve')).searchParams.get('token') ?? '');
      expect(await state(begun.td)).toBe('granted');
      const id = begun.td.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
      const refund = { id, key: app.context.ids.uuid(), costs: null, reason: 'Asked' };
      expect(await operator.call('refundPayment', { input: refund })).toMatchObject({ state: 'refunded' });
      const until = (await me.call('subscriptions', { input: {} })).data[0]?.paid_until ?? '';
      app.clock.advance(Date.parse(until) - app.clock.now().getTime() + 60 * MINUTE);
      await renewDue(app.context);
      await later();
      const [renewed] = (await ledger()).subscriptions;
      expect(renewed?.paidUntil?.getTime()).toBeGreaterThan(Date.parse(until));
    } finally {
      await operator.call('setFeatures', { input: { features: { store: 'on' } } }).catch(async () => {
        const { client } = await app.admin();
        await client.call('setFeatures', { input: { features: { store: 'on' } } });
      });
    }
  });

  it('tell their member why they brought nothing', async () => {
    const failure = async (td: string) => (await me.call('payment', { params: { td } })).failure;
    const declined = await buy(app, me, shop.offers.pack);
    await checkout((await atPayPal(declined, 'decline')).searchParams.get('token') ?? '');
    expect(await failure(declined.td)).toBe('declined');
    const left = await buy(app, me, shop.offers.pack);
    expect(await failure(left.td)).toBeNull();
    const given = await buy(app, me, shop.offers.pack, 'card');
    expect(await failure(left.td)).toBe('replaced');
    expect(await me.call('cancelPayment', { input: { td: given.td } })).toMatchObject({ failure: 'cancelled' });
    const late = await buy(app, me, shop.offers.pack);
    await later(7 * 60);
    expect(await failure(late.td)).toBe('expired');
    proxy.fault = (call) => (/POST .*orders$/.test(call) ? 'notFound' : null);
    expect((await refusal(buy(app, me, shop.offers.pack))).code).toBe('paymentNotStarted');
    proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : null);
    expect((await me.call('payments', { input: {} })).data.map((row) => row.failure)).toEqual([
      ...['providerUnreachable', 'expired', 'cancelled', 'replaced', 'declined'],
    ]);
    const bought = await buy(app, me, shop.offers.pack);
    await atPayPal(bought, 'approve');
    await state(bought.td);
    expect(await failure(bought.td)).toBeNull();
  });

  it('are looked after though PayPal does not answer for one of them, which keeps its place for a time and is asked again later', async () => {
    const slow = await buy(app, me, shop.offers.pack);
    await atPayPal(slow, 'approve');
    const others = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const client = app.client({ token: (await app.member()).token });
        const begun = await buy(app, client, shop.offers.pack);
        await atPayPal(begun, 'approve');
        return begun.order_id;
      }),
    );
    const { db } = app.context;
    const [row] = await db.select().from(payments).where(eq(payments.orderId, slow.order_id));
    const ref = row?.providerOrderId ?? '';
    const isSlow = (call: string) => call.endsWith(`/orders/${ref}`);
    proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : isSlow(call) ? 'hang' : null);
    app.clock.advance(5 * MINUTE);
    let isDone = false;
    const running = reconcilePayments(app.context, { places: 2, limitMs: 600_000 }).then(() => {
      isDone = true;
    });
    const states = async () =>
      (await db.select().from(payments).where(inArray(payments.orderId, others))).map(({ state: one }) => one);
    await vi.waitFor(async () => expect(await states()).toEqual(Array(5).fill('granted')), { timeout: 15_000 });
    expect(isDone).toBe(false);
    proxy.release();
    await running;
    expect(await state(slow.td)).toBe('granted');
    // One that takes too long gives its place away.
    const slower = await buy(app, me, shop.offers.sea);
    await atPayPal(slower, 'approve');
    proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : /GET .*\/orders\//.test(call) ? 'hang' : null);
    app.clock.advance(5 * MINUTE);
    await reconcilePayments(app.context, { places: 1, limitMs: 50 });
    const waiting = (await ledger()).payments.find(({ orderId }) => orderId === slower.order_id);
    expect(waiting?.state).toBe('created');
    // The next look at it was planned before.
    expect(waiting?.nextCheckAt?.getTime()).toBeGreaterThan(app.clock.now().getTime());
    proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : null);
    proxy.release();
    await vi.waitFor(async () => expect((await ledger()).subscriptions).toHaveLength(1), { timeout: 15_000 });
  });

  async function sandboxToken(): Promise<string> {
    const base = proxy.url + PAYPAL_SANDBOX;
    const basic = Buffer.from('client:secret').toString('base64');
    const login = await fetch(`${base}/v1/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    return ((await login.json()) as { access_token: string }).access_token;
  }

  /** Lets PayPal deliver an event again. */
  async function resend(id: string): Promise<void> {
    const base = proxy.url + PAYPAL_SANDBOX;
    const answer = await fetch(`${base}/v1/notifications/webhooks-events/${id}/resend`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await sandboxToken()}` },
    });
    expect(answer.status).toBe(202);
  }

  it('disputed while we were down for longer than PayPal repeats its messages are found in its list of events, once', async () => {
    const begun = await buy(app, me, shop.offers.pack);
    await atPayPal(begun, 'approve');
    expect(await state(begun.td)).toBe('granted');
    const { id, providerCaptureId: captureId } = (await ledger()).payments.at(-1) ?? expect.fail();
    await handleMissedEvents(app.context);
    const base = proxy.url + PAYPAL_SANDBOX;
    await fetch(`${base}/v1/notifications/simulate-event`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await sandboxToken()}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        event_type: 'CUSTOMER.DISPUTE.CREATED',
        resource: { dispute_id: `PP-D-${begun.td}`, disputed_transactions: [{ seller_transaction_id: captureId }] },
      }),
    });
    const problem = async () => (await ledger()).payments.find((row) => row.id === id)?.problem;
    await later(10 * 24 * 60);
    expect(await problem()).toBeNull();
    await handleMissedEvents(app.context);
    expect(await problem()).toBe('disputed');
    // An operator deals with it: the next look at the list does not bring it back.
    await app.context.db.update(payments).set({ problem: null }).where(eq(payments.id, id));
    await handleMissedEvents(app.context);
    expect(await problem()).toBeNull();
    expect((await ledger()).points).toBe(550);
  });

  it('of a buyer who closed the window after approving are completed by the webhook, or by asking [A65]', async () => {
    const byAsking = await buy(app, me, shop.offers.pack);
    await atPayPal(byAsking, 'approve');
    await later(5);
    expect(await state(byAsking.td)).toBe('granted');
    proxy.fault = () => null;
    const byWebhook = await buy(app, me, shop.offers.sea);
    await atPayPal(byWebhook, 'approve');
    await vi.waitFor(
      async () => expect((await ledger()).payments.map((row) => row.state)).toEqual(['granted', 'granted']),
      {
        timeout: 20_000,
      },
    );
    const { data } = await me.call('orders', { input: { order_type: 'purchase_details' } });
    expect(data.map(({ id }) => id).sort()).toEqual([byAsking.order_id, byWebhook.order_id].sort());
    // By the name of the product, not by that of the operator's album.
    const sea = data.find(({ id }) => id === byWebhook.order_id);
    expect(sea?.product).toEqual({ album: { name: 'Sea' } });
  });

  it('that the buyer cancels, or leaves, are not paid: nothing is granted, and another way to pay is open [A66]', async () => {
    const begun = await buy(app, me, shop.offers.sea);
    const back = await atPayPal(begun, 'cancel');
    expect(back.searchParams.get('cancelled')).toBe('1');
    expect(await state(begun.td)).toBe('created');
    expect(await me.call('cancelPayment', { input: { td: begun.td } })).toMatchObject({
      state: 'expired',
      pay_result: 11,
    });
    const left = await buy(app, me, shop.offers.sea);
    const card = await buy(app, me, shop.offers.sea, 'card');
    expect([await state(left.td), await state(card.td)]).toEqual(['expired', 'created']);
    // Approved after all, in the other window: nobody takes the money.
    await atPayPal(left, 'approve');
    const { providerOrderId } = (await ledger()).payments.find(({ id }) => id.startsWith(left.td.slice(0, 8))) ?? {};
    expect(await checkout(providerOrderId ?? '')).toMatchObject({ state: 'expired', pay_result: 11 });
    await later(10);
    expect(captures()).toEqual([]);
    expect(await ledger()).toMatchObject({ points: 0, subscriptions: [] });
  });

  it('that the bank declines have failed, and can be made again [R-4.payment-result.2]', async () => {
    const begun = await buy(app, me, shop.offers.pack);
    const token = (await atPayPal(begun, 'decline')).searchParams.get('token') ?? '';
    expect(await checkout(token)).toMatchObject({ state: 'failed', pay_result: 11, transaction_id: null });
    const again = await buy(app, me, shop.offers.pack);
    const second = (await atPayPal(again, 'approve')).searchParams.get('token') ?? '';
    expect(await checkout(second)).toMatchObject({ state: 'granted' });
    expect((await ledger()).points).toBe(550);
  });

  it('that PayPal reviews are pending, and granted when they are released', async () => {
    const begun = await buy(app, me, shop.offers.pack);
    const token = (await atPayPal(begun, 'pending')).searchParams.get('token') ?? '';
    expect(await checkout(token)).toMatchObject({ state: 'pending', pay_result: 12 });
    expect((await refusal(buy(app, me, shop.offers.pack))).code).toBe('paymentPending');
    await later(3);
    expect(await state(begun.td)).toBe('granted');
  });

  it('take amount and result from PayPal, never from the caller, and refuse an order of another amount [A67][R-7.subscribe.6]', async () => {
    const begun = await buy(app, me, shop.offers.pack);
    const token = new URL(begun.step.kind === 'redirect' ? begun.step.url : '').searchParams.get('token') ?? '';
    // Nothing was approved, whatever the caller says.
    expect(await checkout(token, { payment_amount: '0.01', capture_status: 'COMPLETED' })).toMatchObject({
      state: 'created',
    });
    expect(
      (await refusal(me.call('setSubscriptionAvailability', { input: { order_id: begun.td, is_available: true } })))
        .code,
    ).toBe('transactionFailed');
    expect((await refusal(me.call('product_subscribe', { input: { target: shop.products.paid } }))).code).toBe(
      'subscribeFailed',
    );
    // Giving up is the buyer's right, and takes nothing that was paid.
    const given = await buy(app, me, shop.offers.sea);
    const available = (order_id: string, is_available: boolean) =>
      me.call('setSubscriptionAvailability', { input: { order_id, is_available } });
    expect(await available(given.td, false)).toEqual({ order_id: given.td, is_available: false });
    expect(await state(given.td)).toBe('expired');
    expect((await refusal(available(given.td, true))).code).toBe('transactionFailed');
    const kept = await buy(app, me, shop.offers.sea);
    await checkout((await atPayPal(kept, 'approve')).searchParams.get('token') ?? '');
    expect(await available(kept.order_id, false)).toEqual({ order_id: kept.order_id, is_available: true });
    expect((await ledger()).subscriptions).toMatchObject([{ kind: 'product', state: 'active' }]);
    for (const input of [
      { target: shop.products.paid, product_solution: shop.offers.sea, resource_id: begun.td },
      { target: shop.products.paid, resource_id: token },
      { target: shop.products.paid, resource_id: 'PAID-HONESTLY' },
    ])
      expect((await refusal(me.call('product_subscribe', { input }))).code).toBe('noOrder');
    // As if the price had been changed on the way.
    const { db } = app.context;
    await db.update(payments).set({ amount: 399 }).where(eq(payments.orderId, begun.order_id));
    await atPayPal(begun, 'approve');
    const before = captures().length;
    expect(await checkout(token)).toMatchObject({ state: 'created', pay_result: 12 });
    expect(captures()).toHaveLength(before);
    const after = await ledger();
    expect(after.points).toBe(0);
    expect(after.payments.find(({ orderId }) => orderId === begun.order_id)?.problem).toBe('amountMismatch');
  });

  it('refuse an order at PayPal that is not theirs, though its amount is right, and capture nothing', async () => {
    const begun = await buy(app, me, shop.offers.pack);
    const token = (await atPayPal(begun, 'approve')).searchParams.get('token') ?? '';
    await openSandboxStore(app.context.db, 'paypal', sandboxState).change(({ orders }) => {
      const order = orders[token];
      if (order) order.customId = 'of-another-shop';
    });
    expect(await checkout(token)).toMatchObject({ state: 'created', pay_result: 12 });
    expect(captures()).toEqual([]);
    expect(await ledger()).toMatchObject({ points: 0, payments: [{ problem: 'foreignOrder' }] });
    // Also once it looks right, because it may make way for another payment at any time.
    await openSandboxStore(app.context.db, 'paypal', sandboxState).change(({ orders }) => {
      const order = orders[token];
      if (order) order.customId = begun.td;
    });
    expect(await checkout(token)).toMatchObject({ state: 'created', pay_result: 12 });
    expect(captures()).toEqual([]);
  });

  it('of another member are not found by any call, under any of their names [A56][R-8.catalogue.5]', async () => {
    const begun = await buy(app, me, shop.offers.pack);
    const token = (await atPayPal(begun, 'approve')).searchParams.get('token') ?? '';
    const stranger = app.client({ token: (await app.member()).token });
    const calls = (name: string) => [
      () => checkout(name, {}, stranger),
      () => stranger.call('setSubscriptionAvailability', { input: { order_id: name, is_available: true } }),
      () => stranger.call('product_subscribe', { input: { target: shop.products.paid, resource_id: name } }),
    ];
    for (const name of [begun.td, token, begun.order_id])
      for (const call of calls(name)) expect((await refusal(call())).code).toBe('noOrder');
    for (const call of ['payment', 'cancelPayment'] as const) {
      const asked =
        call === 'payment'
          ? stranger.call(call, { params: { td: begun.td } })
          : stranger.call(call, { input: { td: begun.td } });
      expect((await refusal(asked)).code).toBe('noOrder');
    }
    expect(await state(begun.td)).toBe('granted');
  });

  it('are made once for one key, however often and whenever it is sent', async () => {
    const key = app.context.ids.uuid();
    const begin = (offer_id = shop.offers.pack) =>
      me.call('createPayment', { input: { offer_id, method: 'paypal', key } });
    const begun = await Promise.all(Array.from({ length: 20 }, () => begin()));
    expect(new Set(begun.map((one) => JSON.stringify(one))).size).toBe(1);
    expect((await ledger()).payments).toHaveLength(1);
    expect((await refusal(begin(shop.offers.sea))).code).toBe('invalidInput');
  });

  it('that PayPal does not answer are not begun, and are continued by the same key', async () => {
    const key = app.context.ids.uuid();
    const begin = () => me.call('createPayment', { input: { offer_id: shop.offers.pack, method: 'paypal', key } });
    proxy.fault = (call) => (/POST .*orders$/.test(call) ? 'lose' : null);
    expect((await refusal(begin())).code).toBe('paymentNotStarted');
    proxy.fault = () => null;
    const begun = await begin();
    const made = proxy.calls.filter(({ call }) => /POST .*orders$/.test(call));
    expect(new Set(made.map(({ requestId }) => requestId)).size).toBe(1);
    await atPayPal(begun, 'approve');
    expect(await state(begun.td)).toBe('granted');
  });

  it('are refused for what the member has, for what is not for sale, and in a way in which it has no price [R-8.catalogue.4][R-9.payment.2]', async () => {
    const begun = await buy(app, me, shop.offers.sea);
    await atPayPal(begun, 'approve');
    expect(await state(begun.td)).toBe('granted');
    const code = async (offer: number, method: 'paypal' | 'card' = 'paypal') =>
      (await refusal(buy(app, me, offer, method))).code;
    expect(await code(shop.offers.sea)).toBe('alreadySubscribed');
    expect(await code(999_999)).toBe('noOffer');
    const { db, clock } = app.context;
    const other = app.client({ token: (await app.member()).token });
    expect((await refusal(buy(app, other, shop.offers.usdOnly, 'card'))).code).toBe('paymentMethodUnavailable');
    await db.update(offers).set({ archivedAt: clock.now() }).where(eq(offers.id, shop.offers.usdOnly));
    expect((await refusal(buy(app, other, shop.offers.usdOnly))).code).toBe('noOffer');
    await db.update(products).set({ isActivated: false }).where(eq(products.id, shop.products.paid));
    expect((await refusal(buy(app, other, shop.offers.sea))).code).toBe('noOffer');
    await db.update(products).set({ isActivated: true }).where(eq(products.id, shop.products.paid));
    const [none] = await db.select().from(offers).where(eq(offers.planId, LIMITS.planIds.nonMember));
    expect(await code(none?.id ?? 0)).toBe('noOffer');
  });

  it('of a product give it for its months, which its call then answers; a free one is saved without paying [R-1.member.4][R-1.member.5][R-7.subscribe.1][R-7.subscribe.3]', async () => {
    const begun = await buy(app, me, shop.offers.sea);
    const token = (await atPayPal(begun, 'approve')).searchParams.get('token') ?? '';
    await checkout(token);
    const input = { target: shop.products.paid, product_solution: shop.offers.sea, resource_id: token };
    const answer = await me.call('product_subscribe', { input });
    const months = (Date.parse(answer.paid_until ?? '') - app.clock.now().getTime()) / 86_400_000 / 30.44;
    expect([answer.isSubscribed, answer.isFree, Math.round(months)]).toEqual([true, false, 3]);
    const free = { target: shop.products.free };
    const saved = { isSubscribed: true, isFree: true, paid_until: null, payment: null };
    expect(await me.call('product_subscribe', { input: free })).toEqual(saved);
    expect(await me.call('product_subscribe', { input: free })).toEqual(saved);
    expect((await ledger()).subscriptions).toHaveLength(2);
    expect(
      await me.call('setSubscriptionAvailability', { input: { order_id: begun.td, is_available: true } }),
    ).toMatchObject({ is_available: true });
  });

  it('by forged webhooks change nothing and are counted', async () => {
    const begun = await buy(app, me, shop.offers.pack);
    const event = { id: 'WH-1', event_type: 'PAYMENT.CAPTURE.COMPLETED', resource: { id: 'X', custom_id: begun.td } };
    const answer = await fetch(`${app.url}/api/paypalWebhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'paypal-transmission-sig': 'AAAA' },
      body: JSON.stringify(event),
    });
    expect(answer.status).toBe(400);
    expect(await state(begun.td)).toBe('created');
    expect(await forged('paypal')).toBe(1);
  });

  /** How many calls of a kind were refused and counted. */
  async function forged(kind: string): Promise<number> {
    const rows = await app.context.db.select().from(paymentEvents).where(eq(paymentEvents.type, 'forged'));
    return rows.reduce((sum, { id, body }) => sum + (id.startsWith(`forged:${kind}:`) ? Number(body['count']) : 0), 0);
  }

  it('that the browser claims are written down where PayPal knows of no money, and nowhere else', async () => {
    const begun = await buy(app, me, shop.offers.pack);
    const before = await forged('claim');
    const lines = () => logged.filter((line) => line.includes('claims a payment') && line.includes(paymentId)).length;
    const paymentId = (await ledger()).payments[0]?.id ?? '';
    expect(await checkout(begun.td, { capture_status: 'APPROVED' })).toMatchObject({ state: 'created' });
    // Nobody can say what PayPal does not answer.
    proxy.fault = () => 'refuse';
    expect(await checkout(begun.td)).toMatchObject({ state: 'created' });
    expect([await forged('claim'), lines()]).toEqual([before, 0]);
    proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : null);
    expect(await checkout(begun.td)).toMatchObject({ state: 'created', pay_result: 12 });
    expect([await forged('claim'), lines()]).toEqual([before + 1, 1]);
    expect(await ledger()).toMatchObject({ points: 0 });
    await atPayPal(begun, 'approve');
    expect(await checkout(begun.td)).toMatchObject({ state: 'granted' });
    expect(await checkout(begun.td)).toMatchObject({ state: 'granted' });
    expect([await forged('claim'), lines()]).toEqual([before + 1, 1]);
  });

  describe('for operators', () => {
    let admin: Client;
    let adminId: string;
    beforeAll(async () => {
      ({ client: admin, userId: adminId } = await app.admin());
    });
    const paid = async (offer = shop.offers.pack) => {
      const begun = await buy(app, me, offer);
      await atPayPal(begun, 'approve');
      expect(await state(begun.td)).toBe('granted');
      const [row] = (await ledger()).payments.slice(-1);
      return { id: row?.id ?? '', td: begun.td, captureId: row?.providerCaptureId ?? '' };
    };
    const refund = (id: string, costs: number | null, key: string = app.context.ids.uuid()) =>
      admin.call('refundPayment', { input: { id, key, costs, reason: 'Asked by the member' } });

    it('are refunded in parts to the last cent, never more, and all of it takes the points back [A71]', async () => {
      const { id, td } = await paid();
      expect(await refund(id, 100)).toMatchObject({ state: 'granted', refunded: 100 });
      // Of 3.99 that are left, only three more dollars fit, whoever is first.
      const answers = await Promise.allSettled(Array.from({ length: 20 }, () => refund(id, 100)));
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
      expect((await refusal(refund(id, 100))).code).toBe('paymentNotRefundable');
      expect((await ledger()).points).toBe(550);
      const done = await refund(id, null);
      expect(done).toMatchObject({ state: 'refunded', refunded: 499 });
      expect(done.refunds.map(({ costs }) => costs)).toEqual([100, 100, 100, 100, 99]);
      expect((await refusal(refund(id, 1))).code).toBe('paymentNotRefundable');
      expect(await ledger()).toMatchObject({ points: 0, ledger: 0 });
      expect(await me.call('payment', { params: { td } })).toMatchObject({
        state: 'refunded',
        pay_result: 11,
        refunded: 499,
      });
      const { data } = await admin.call('auditLog', { input: { action: 'payment.refunded', subject: userId } });
      expect(data).toHaveLength(5);
      expect(data[0]).toMatchObject({
        target: td,
        after: { costs: 99, currency: 'USD', reason: 'Asked by the member' },
      });
    });

    it('take back only the points that are left, and write down the rest', async () => {
      const { id } = await paid();
      const spent = { id: app.context.ids.uuid(), userId, kind: 'points', amount: -500, note: 'Spent' } as const;
      await admin.call('correctPoints', { input: spent });
      const { events, granted } = await refund(id, null);
      expect(granted).toEqual({ points: 550, points_back: 50, subscription: null });
      expect(events.find(({ type }) => type === 'takenBack')?.body).toEqual({ points: 50, spent: 500 });
      expect(await ledger()).toMatchObject({ points: 0, ledger: 0 });
    });

    it('of products end them, and of plans the plan and its charges', async () => {
      const product = await paid(shop.offers.sea);
      expect((await admin.call('managedPayment', { params: { id: product.id } })).granted).toMatchObject({
        points: 0,
        subscription: { state: 'active' },
      });
      expect((await refund(product.id, null)).granted.subscription?.state).toBe('ended');
      expect((await ledger()).subscriptions).toMatchObject([{ state: 'ended' }]);
      const plan = await paid(shop.offers.normal);
      const ref = (await ledger()).subscriptions.find(({ kind }) => kind === 'plan')?.providerRef ?? '';
      await refund(plan.id, null);
      expect(await ledger()).toMatchObject({ points: 0, isSuspended: false });
      expect(await me.call('getCurrentPlan')).toMatchObject({ plan: { id: 1 } });
      await vi.waitFor(async () => expect((await app.context.paypal?.getSubscription(ref))?.status).toBe('CANCELLED'), {
        timeout: 15_000,
      });
    });

    it('of another amount, sent back at PayPal by hand, are dealt with as soon as an operator says so, but no sooner', async () => {
      const { paypal, db } = app.context;
      const begun = await buy(app, me, shop.offers.pack);
      await checkout((await atPayPal(begun, 'pending')).searchParams.get('token') ?? '');
      await openSandboxStore(db, 'paypal', sandboxState).change(({ payments: known }) => {
        for (const one of Object.values(known)) if (one.customId === begun.td) one.amount = 399;
      });
      await later(3);
      const { id = '', providerOrderId } = (await ledger()).payments.at(-1) ?? {};
      const { outcome } = (await paypal?.getOrder(providerOrderId ?? '')) ?? {};
      const captureId = outcome?.kind === 'completed' ? outcome.capture.id : '';
      const dealtWith = { state: 'expired', problem: null };
      const repair = (clear: boolean) => admin.call('repairPayment', { input: { id, clear, reason: 'By hand' } });
      expect(await repair(true)).toMatchObject({ problem: 'amountMismatch' });
      await paypal?.refundCapture(captureId, { requestId: 'by hand', money: null });
      expect(await repair(true)).toMatchObject(dealtWith);
      await later(25 * 60);
      expect(await repair(false)).toMatchObject(dealtWith);
      expect(await me.call('payment', { params: { td: begun.td } })).toMatchObject({ failure: 'cancelled' });
      expect((await buy(app, me, shop.offers.pack)).step.kind).toBe('redirect');
      expect((await ledger()).points).toBe(0);
    });

    it('without an account are sent back once, also if an operator clears the problem meanwhile', async () => {
      const begun = await buy(app, me, shop.offers.pack);
      await atPayPal(begun, 'approve');
      const id = (await ledger()).payments.at(-1)?.id ?? '';
      await app.context.db.update(payments).set({ userId: null }).where(eq(payments.id, id));
      const repair = (clear: boolean) => admin.call('repairPayment', { input: { id, clear, reason: 'By hand' } });
      const sentBack = { state: 'paid', problem: 'noMember', member: null, refunds: [{ costs: 499, by: null }] };
      expect(await repair(false)).toMatchObject(sentBack);
      expect(await repair(true)).toMatchObject(sentBack);
      await later();
      expect(await repair(true)).toMatchObject({ state: 'refunded', refunded: 499, problem: null });
    });

    it('without an account whose money an operator had sent back by hand at PayPal are refunded, not sent back again', async () => {
      const begun = await buy(app, me, shop.offers.pack);
      await atPayPal(begun, 'approve');
      const id = (await ledger()).payments.at(-1)?.id ?? '';
      await app.context.db.update(payments).set({ userId: null }).where(eq(payments.id, id));
      const shown = await admin.call('repairPayment', { input: { id, reason: 'By hand' } });
      expect(shown).toMatchObject({ state: 'paid', problem: 'noMember', refunds: [{ state: 'pending' }] });
      const captureId = shown.transaction_id ?? '';
      await app.context.paypal?.refundCapture(captureId, { requestId: 'by hand first', money: null });
      await later();
      const done = await admin.call('managedPayment', { params: { id } });
      expect(done).toMatchObject({ state: 'refunded', refunded: 499 });
      expect(done.refunds.map(({ state, costs }) => [state, costs])).toEqual([
        ['failed', 499],
        ['completed', 499],
      ]);
    });

    it('without an account of whose money a part went back by hand get the rest sent back by itself', async () => {
      const begun = await buy(app, me, shop.offers.pack);
      await atPayPal(begun, 'approve');
      const id = (await ledger()).payments.at(-1)?.id ?? '';
      await app.context.db.update(payments).set({ userId: null }).where(eq(payments.id, id));
      const { transaction_id } = await admin.call('repairPayment', { input: { id, reason: 'By hand' } });
      const money = { amount: 199, currency: 'USD' } as const;
      await app.context.paypal?.refundCapture(transaction_id ?? '', { requestId: 'a part by hand', money });
      // All of it is refused, then the rest is sent.
      await later();
      await later();
      const { state, refunded, refunds } = await admin.call('managedPayment', { params: { id } });
      expect([state, refunded]).toEqual(['refunded', 499]);
      expect(refunds.map(({ state, costs }) => [state, costs])).toEqual([
        ['failed', 499],
        ['completed', 199],
        ['completed', 300],
      ]);
    });

    it('are refunded once by one key, however often an operator whose answer was lost presses again', async () => {
      const { id, td } = await paid();
      const key = app.context.ids.uuid();
      const answers = await Promise.all(Array.from({ length: 5 }, () => refund(id, 200, key)));
      expect(answers.at(-1)?.refunds).toMatchObject([{ id: key, costs: 200, reason: 'Asked by the member' }]);
      expect(await refund(id, 200, key)).toMatchObject({ refunded: 200, refunds: [{ state: 'completed' }] });
      const other = await paid();
      expect((await refusal(refund(other.id, 200, key))).code).toBe('paymentNotFound');
      const { data } = await admin.call('auditLog', { input: { action: 'payment.refunded', subject: userId } });
      expect(data.map(({ target }) => target)).toEqual([td]);
    });

    it('are counted on the overview: problems, what is not granted, and what the month brought', async () => {
      const status = async () => (await admin.call('siteStatus')).payments;
      const { id } = await paid();
      const before = await status();
      await app.context.db.update(payments).set({ problem: 'disputed' }).where(eq(payments.id, id));
      expect(await status()).toMatchObject({ problems: before.problems + 1, ungranted: before.ungranted });
      const long = new Date(app.context.clock.now().getTime() - 600_000);
      await app.context.db
        .update(payments)
        .set({ problem: null, state: 'paid', paidAt: long })
        .where(eq(payments.id, id));
      expect(await status()).toMatchObject({ problems: before.problems, ungranted: before.ungranted + 1 });
      await refund(id, 199);
      await later();
      const { takings } = await status();
      const usd = takings.find(({ currency }) => currency === 'USD');
      expect(usd?.paid).toBeGreaterThanOrEqual(499);
      expect(usd?.refunded).toBeGreaterThanOrEqual(199);
    });

    it('of which a part is being refunded while the bank takes back the rest are refunded to the cent, each once [A71]', async () => {
      const { id, captureId } = await paid();
      const { db, clock } = app.context;
      const store = openSandboxStore(db, 'paypal', sandboxState);
      proxy.fault = (call) => (/POST .*\/refund$/.test(call) ? 'lose' : WEBHOOK.test(call) ? 'refuse' : null);
      await refund(id, 199);
      await store.change((memory) => {
        // Of the part no message ever comes.
        for (const event of Object.values(memory.events)) event.nextAt = null;
        reversePayment(memory, clock.now().getTime(), captureId);
      });
      proxy.fault = (call) => (/POST .*\/refund$/.test(call) ? 'lose' : null);
      const shown = async () => {
        const { state, refunded, problem, refunds } = await admin.call('managedPayment', { params: { id } });
        return { state, refunded, problem, refunds: refunds.map((row) => [row.reason, row.costs, row.state]) };
      };
      await app.context.paypal?.getCapture(captureId);
      // All that is left, as far as we know then.
      const whole = { state: 'refunded', refunded: 499, problem: null };
      await vi.waitFor(async () => expect(await shown()).toMatchObject(whole), { timeout: 15_000 });
      proxy.fault = () => null;
      await later();
      expect(await shown()).toEqual({
        ...whole,
        refunds: [
          ['Asked by the member', 199, 'completed'],
          ['reversed', 300, 'completed'],
        ],
      });
      const told = (await app.mails()).filter(({ to, subject }) => to === email && /refund/i.test(subject));
      expect(told).toHaveLength(1);
      expect(await ledger()).toMatchObject({ points: 0, ledger: 0 });
    });

    it('whose refund gets no answer are refunded once, when PayPal answers again', async () => {
      const { id } = await paid();
      proxy.fault = (call) => (/POST .*\/refund$/.test(call) ? 'lose' : null);
      expect(await refund(id, 200)).toMatchObject({ refunded: 0, refunds: [{ state: 'pending' }] });
      proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : null);
      // The rest is counted without what is on its way.
      expect((await refusal(refund(id, 300))).code).toBe('paymentNotRefundable');
      await later();
      const { refunded, refunds } = await admin.call('managedPayment', { params: { id } });
      expect([refunded, refunds.map((row) => row.state)]).toEqual([200, ['completed']]);
    });

    it('refunded by PayPal itself follow its message, which may be faster than ours, and count once', async () => {
      const { id, captureId } = await paid();
      proxy.fault = () => null;
      const money = { amount: 199, currency: 'USD' } as const;
      await app.context.paypal?.refundCapture(captureId, { requestId: 'by hand', money });
      await vi.waitFor(
        async () => expect((await ledger()).payments).toMatchObject([{ refunded: 199, state: 'granted' }]),
        {
          timeout: 15_000,
        },
      );
      expect(await refund(id, null)).toMatchObject({ state: 'refunded', refunded: 499 });
      const shown = () => admin.call('managedPayment', { params: { id } });
      // PayPal tells of both.
      await vi.waitFor(
        async () => {
          const told = (await shown()).events.filter(
            ({ type, handled }) => type === 'PAYMENT.CAPTURE.REFUNDED' && handled,
          );
          expect(told).toHaveLength(2);
        },
        { timeout: 15_000 },
      );
      const { refunds, problem } = await shown();
      expect(problem).toBeNull();
      expect(refunds.map(({ costs, state }) => [costs, state])).toEqual([
        [199, 'completed'],
        [300, 'completed'],
      ]);
    });

    it('are listed, found, shown with their history, repaired and exported', async () => {
      const begun = await buy(app, me, shop.offers.pack);
      const token = (await atPayPal(begun, 'approve')).searchParams.get('token') ?? '';
      proxy.fault = (call) => (CAPTURE.test(call) ? 'lose' : WEBHOOK.test(call) ? 'refuse' : null);
      await checkout(token);
      const { data } = await admin.call('managedPayments', { input: { q: email } });
      expect(data).toMatchObject([{ td: begun.td, state: 'pending', code: 'unknown', member: { email } }]);
      proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : null);
      const id = data[0]?.id ?? '';
      const repaired = await admin.call('repairPayment', { input: { id, reason: 'The member asked' } });
      expect(repaired).toMatchObject({ state: 'granted', name: '550 points' });
      expect(repaired.events.map(({ type }) => type)).toEqual([
        'state.pending',
        'repaired',
        'state.paid',
        'state.granted',
      ]);
      const { order_id } = repaired;
      const found = async (filter: { q?: string; member?: string }) =>
        (await admin.call('managedPayments', { input: { ...filter, state: 'granted', method: 'paypal' } })).data;
      for (const q of [begun.td, id, order_id ?? '', repaired.transaction_id ?? '', userId])
        expect(await found({ q })).toHaveLength(1);
      expect(await found({ member: userId })).toHaveLength(1);
      expect(await found({ member: adminId })).toEqual([]);
      const csv = await fetch(`${app.url}/api/managedPaymentsCsv?q=${begun.td}`, {
        headers: { authorization: `Bearer ${await adminToken()}` },
      });
      expect((await csv.text()).split('\r\n')[1]).toContain(`${begun.td},`);
      expect((await refusal(admin.call('managedPayment', { params: { id: app.context.ids.uuid() } }))).code).toBe(
        'paymentNotFound',
      );
    });
    it('refunded at PayPal, of which no message told, are found by asking: a part, the rest, and a charge of a plan', async () => {
      const { captureId } = await paid();
      const money = { amount: 199, currency: 'USD' } as const;
      await app.context.paypal?.refundCapture(captureId, { requestId: 'lost 1', money });
      const plan = await paid(shop.offers.normal);
      await app.context.paypal?.refundCapture(plan.captureId, { requestId: 'lost 2', money: null });
      const told = async () => (await ledger()).payments.map(({ state, refunded }) => [state, refunded]);
      await later(25 * 60);
      expect(await told()).toEqual([
        ['granted', 199],
        ['refunded', 499],
      ]);
      expect((await ledger()).points).toBe(550);
      await app.context.paypal?.refundCapture(captureId, { requestId: 'lost 3', money: null });
      await later(3 * 24 * 60);
      await later(4 * 24 * 60);
      expect((await told())[0]).toEqual(['refunded', 499]);
      expect(await ledger()).toMatchObject({ points: 0, ledger: 0 });
      expect((await ledger()).payments.map(({ problem }) => problem)).toEqual([null, null]);
    });

    it('of a plan of which a part had gone back at PayPal before one of ours are left to an operator', async () => {
      const plan = await paid(shop.offers.normal);
      const alone = await paid(shop.offers.pro);
      const money = { amount: 199, currency: 'USD' } as const;
      await app.context.paypal?.refundCapture(plan.captureId, { requestId: 'lost before', money });
      for (const { id } of [plan, alone]) await refund(id, 200);
      await later(25 * 60);
      expect((await ledger()).payments).toMatchObject([
        { state: 'granted', refunded: 200, problem: 'refundUnreadable' },
        { state: 'granted', refunded: 200, problem: null },
      ]);
    });

    it('whose refund is never answered are asked about ever less often, and left to an operator after a month', async () => {
      const { id } = await paid();
      const asked = () => proxy.calls.filter(({ call }) => /POST .*\/refund$/.test(call)).length;
      proxy.fault = (call) => (/\/refund$|Webhook/.test(call) ? 'refuse' : null);
      await refund(id, 200);
      for (let minute = 0; minute < 60; minute += 1) await later(1);
      // Not sixty times.
      expect(asked()).toBeLessThan(10);
      await later(31 * 24 * 60);
      const [row] = (await ledger()).payments;
      expect(row).toMatchObject({ refunded: 0, state: 'granted', problem: 'refundUnanswered' });
      const before = asked();
      await later(12 * 24 * 60);
      expect(asked()).toBe(before);
      // PayPal has forgotten it by then: it tells that nothing went back.
      proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : null);
      await later(2 * 24 * 60);
      await later();
      expect(await ledger()).toMatchObject({ payments: [{ refunded: 200, problem: 'refundUnanswered' }] });
      expect((await ledger()).refunds.map(({ state, failureCode }) => [state, failureCode])).toEqual([
        ['failed', 'notSent'],
        ['completed', null],
      ]);
    });

    it('whose refund could not be repeated for six weeks are left to an operator: PayPal would send the money again', async () => {
      admin = app.client({ token: await adminToken() });
      const { id } = await paid();
      const asked = () => proxy.calls.filter(({ call }) => /POST .*\/refund$/.test(call)).length;
      proxy.fault = (call) => (/\/refund$/.test(call) ? 'lose' : WEBHOOK.test(call) ? 'refuse' : null);
      await refund(id, 200);
      proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : null);
      // An operator has switched PayPal off.
      for (const day of [31, 14]) {
        app.clock.advance(day * 24 * 60 * MINUTE);
        await reconcilePayments({ ...app.context, paypal: null });
        expect((await ledger()).payments).toMatchObject([{ refunded: 0, problem: 'refundUnanswered' }]);
      }
      const before = asked();
      await later(24 * 60);
      await later(24 * 60);
      expect(asked()).toBe(before);
      // What had been sent is found by asking, now that PayPal answers.
      expect(await ledger()).toMatchObject({
        payments: [{ refunded: 200 }],
        refunds: [{ state: 'completed', amount: 200 }],
      });
    });

    it('whose refund PayPal shows only unclearly after six weeks are not sent back again: an operator looks at it', async () => {
      admin = app.client({ token: await adminToken() });
      const sandbox = openSandboxStore(app.context.db, 'paypal', sandboxState);
      type Memory = Awaited<ReturnType<typeof sandbox.read>>;
      const hide: ((memory: Memory, captureId: string, refundId: string) => void)[] = [
        // Listed nowhere, though the payment says that a part went back.
        ({ refunds }, _, refundId) => void delete refunds[refundId],
        ({ refunds }, _, refundId) => void Object.assign(refunds[refundId] ?? {}, { currency: 'TWD' }),
        // The other way round.
        ({ payments: known }, captureId) => void Object.assign(known[captureId] ?? {}, { status: 'COMPLETED' }),
      ];
      const bought: Awaited<ReturnType<typeof paid>>[] = [];
      for (const change of hide) {
        const { id, td, captureId } = await paid();
        bought.push({ id, td, captureId });
        proxy.fault = (call) => (/\/refund$/.test(call) ? 'lose' : WEBHOOK.test(call) ? 'refuse' : null);
        await refund(id, 200);
        proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : null);
        await sandbox.change((memory) => {
          const sent = Object.values(memory.refunds).find(({ paymentId }) => paymentId === captureId);
          change(memory, captureId, sent?.id ?? '');
        });
      }
      app.clock.advance(45 * 24 * 60 * MINUTE);
      for (let hour = 0; hour < 3; hour += 1) await later(60);
      const { payments: known } = await sandbox.read();
      expect(bought.map(({ captureId }) => known[captureId]?.refunded)).toEqual([200, 200, 200]);
      const { payments: rows, refunds } = await ledger();
      expect(refunds.map((row) => row.state)).toEqual(['pending', 'pending', 'pending']);
      for (const { problem } of rows) expect(problem).toBe('refundUnanswered');
    });

    it('whose refund never reached PayPal for six weeks are refunded all the same, once', async () => {
      admin = app.client({ token: await adminToken() });
      const { id, captureId } = await paid();
      proxy.fault = (call) => (/\/refund$|Webhook/.test(call) ? 'refuse' : null);
      await refund(id, 200);
      proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : null);
      app.clock.advance(45 * 24 * 60 * MINUTE);
      for (let hour = 0; hour < 3; hour += 1) await later(60);
      expect(await ledger()).toMatchObject({ payments: [{ refunded: 200, problem: null }] });
      const sandbox = await openSandboxStore(app.context.db, 'paypal', sandboxState).read();
      const sent = Object.values(sandbox.refunds).filter(({ paymentId }) => paymentId === captureId);
      expect(sent.map(({ amount }) => amount)).toEqual([200]);
      expect((await ledger()).refunds.map(({ state, failureCode }) => [state, failureCode]).sort()).toEqual([
        ['completed', null],
        ['failed', 'notSent'],
      ]);
    });
    const adminToken = () => startSession(app.context, app.context.db, adminId, 'a test');
  });

  describe('of plans', () => {
    const subscribe = async (offer = shop.offers.normal) => {
      const begun = await buy(app, me, offer);
      await atPayPal(begun, 'approve');
      expect(await state(begun.td)).toBe('granted');
      return begun;
    };
    const plan = async () => (await me.call('subscriptions', { input: {} })).data.find(({ kind }) => kind === 'plan');
    const nextMonth = async () => {
      const until = Date.parse((await plan())?.paid_until ?? '');
      app.clock.advance(until - app.clock.now().getTime() + 2 * 3_600_000);
      // Sessions have ended too.
      me = app.client({ token: await logIn() });
      await reconcilePayments(app.context);
      await renewDue(app.context);
    };
    it('give the plan and its points, and renew by themselves, each month once [R-1.member.3][R-7.subscribe.2]', async () => {
      const begun = await subscribe();
      expect(await plan()).toMatchObject({
        plan_id: 2,
        state: 'active',
        renews: true,
        method: 'paypal',
        next_charge: { costs: 499, currency: 'USD' },
      });
      expect(await me.call('getCurrentPlan')).toMatchObject({ plan: { id: 2 } });
      expect(await ledger()).toMatchObject({ points: 300, payments: [{ state: 'granted' }] });
      expect((await refusal(buy(app, me, shop.offers.normal))).code).toBe('alreadySubscribed');
      await nextMonth();
      await nextMonth();
      const after = await ledger();
      expect(after.points).toBe(900);
      expect(after.payments.map((row) => [row.state, row.amount])).toEqual(Array(3).fill(['granted', 499]));
      expect(after.subscriptions).toHaveLength(1);
      expect(await state(begun.td)).toBe('granted');
      const input = { target: 2, product_solution: shop.offers.normal, resource_id: begun.td };
      expect((await me.call('plan_subscribe', { input })).subscription).toMatchObject({ plan_id: 2, state: 'active' });
    });

    it('cancelled end with what is paid, are not charged meanwhile, and go on when resumed in time', async () => {
      await subscribe();
      const until = (await plan())?.paid_until;
      expect(await me.call('plan_unsubscribe')).toMatchObject({
        cancel_at_end: true,
        state: 'active',
        paid_until: until,
        next_charge: null,
      });
      expect(await me.call('plan_unsubscribe')).toMatchObject({ cancel_at_end: true });
      const ref = (await ledger()).subscriptions[0]?.providerRef ?? '';
      const status = async () => (await app.context.paypal?.getSubscription(ref))?.status;
      await vi.waitFor(async () => expect(await status()).toBe('SUSPENDED'), { timeout: 15_000 });
      expect(await me.call('resumeSubscription')).toMatchObject({ cancel_at_end: false });
      await vi.waitFor(async () => expect(await status()).toBe('ACTIVE'), { timeout: 15_000 });
      await me.call('plan_unsubscribe');
      await vi.waitFor(async () => expect(await status()).toBe('SUSPENDED'), { timeout: 15_000 });
      await nextMonth();
      await endRunOut(app.context);
      expect(await plan()).toBeUndefined();
      await reconcilePayments(app.context);
      expect(await status()).toBe('CANCELLED');
      expect((await ledger()).payments).toHaveLength(1);
      expect((await refusal(me.call('resumeSubscription'))).code).toBe('noSubscription');
    });

    it('that PayPal does not cancel go on, which their members are told, and are cancelled when it answers [R-8.catalogue.20]', async () => {
      await subscribe();
      const ref = (await ledger()).subscriptions[0]?.providerRef ?? '';
      const status = async () => (await app.context.paypal?.getSubscription(ref))?.status;
      const cancelling = (fault: Fault) => {
        let isSilent = false;
        proxy.fault = (call) => {
          if (isSilent || WEBHOOK.test(call)) return 'refuse';
          if (!/\/suspend$/.test(call)) return null;
          // Where its answer is lost, the next one is too.
          isSilent = fault === 'lose';
          return fault;
        };
        return refusal(me.call('plan_unsubscribe'));
      };
      const { client: operator, userId: operatorId } = await app.admin();
      const told = async (code: 'paymentUnanswered' | 'paymentProblem') => {
        const mine = and(eq(notifications.userId, operatorId), eq(notifications.code, code));
        return app.context.db.$count(notifications, mine);
      };
      const [payment] = (await ledger()).payments;
      const shown = () => operator.call('managedPayment', { params: { id: payment?.id ?? '' } });
      const heard = {
        refuse: async () => {
          expect(await told('paymentUnanswered')).toBe(1);
          expect((await shown()).problem).toBeNull();
        },
        // A refusal may be for good.
        notFound: async () => {
          expect(await told('paymentProblem')).toBeGreaterThan(0);
          const { problem, events } = await shown();
          expect(problem).toBe('notStopped');
          const noted = events.filter(({ type }) => type === 'problem.notStopped');
          expect(noted).toMatchObject([{ body: { wish: 'cancel' } }]);
        },
        // Of silence once a day.
        lose: async () => expect(await told('paymentUnanswered')).toBe(1),
      };
      // A day on which nothing else was told.
      app.clock.advance(DAY);
      me = app.client({ token: await logIn() });
      for (const fault of ['refuse', 'notFound', 'notFound', 'lose'] as const) {
        const text = 'Your plan could not be cancelled and still renews. Please try again.';
        expect(await cancelling(fault)).toMatchObject({ code: 'unsubscribeFailed', status: 502, message: text });
        expect(await plan()).toMatchObject({ state: 'active', cancel_at_end: false });
        await heard[fault]();
      }
      proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : null);
      // It had been, without an answer: what the member was told becomes true of PayPal too.
      expect(await status()).toBe('SUSPENDED');
      app.clock.advance(2 * MINUTE);
      await renewDue(app.context);
      await vi.waitFor(async () => expect(await status()).toBe('ACTIVE'), { timeout: 15_000 });
      expect(await me.call('plan_unsubscribe')).toMatchObject({ cancel_at_end: true });
      expect(await status()).toBe('SUSPENDED');
      // What is cancelled already is not asked about.
      proxy.fault = () => 'refuse';
      expect(await me.call('plan_unsubscribe')).toMatchObject({ cancel_at_end: true });
    });

    it('are cancelled by two presses at once, and by one whose answer was lost, as PayPal tells when asked', async () => {
      await subscribe();
      let suspended = 0;
      proxy.fault = (call) => {
        if (WEBHOOK.test(call)) return 'refuse';
        if (!/\/suspend$/.test(call)) return null;
        suspended += 1;
        // Both have seen that it goes on.
        if (suspended === 2) setImmediate(() => proxy.release());
        return 'hang';
      };
      const presses = [me.call('plan_unsubscribe'), me.call('plan_unsubscribe')];
      for (const answer of await Promise.all(presses)) expect(answer).toMatchObject({ cancel_at_end: true });
      expect(suspended).toBe(2);
      proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : null);
      const ref = (await ledger()).subscriptions[0]?.providerRef ?? '';
      const status = async () => (await app.context.paypal?.getSubscription(ref))?.status;
      await me.call('resumeSubscription');
      await vi.waitFor(async () => expect(await status()).toBe('ACTIVE'), { timeout: 15_000 });
      proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : /\/suspend$/.test(call) ? 'lose' : null);
      expect(await me.call('plan_unsubscribe')).toMatchObject({ cancel_at_end: true });
      expect(await status()).toBe('SUSPENDED');
    });

    it('of a PayPal that is switched off, or of another account, can be cancelled all the same', async () => {
      const off = app.context as { -readonly [Part in 'paypal']: (typeof app.context)[Part] };
      const { paypal } = off;
      await subscribe();
      off.paypal = null;
      const cancelled = await me.call('plan_unsubscribe').finally(() => Object.assign(off, { paypal }));
      expect(cancelled).toMatchObject({ cancel_at_end: true });
      await me.call('resumeSubscription');
      const ref = (await ledger()).subscriptions[0]?.providerRef ?? '';
      const store = openSandboxStore(app.context.db, 'paypal', sandboxState);
      await store.change((memory) => void delete memory.subscriptions[ref]);
      expect(await me.call('plan_unsubscribe')).toMatchObject({ cancel_at_end: true });
      // Nothing is left that an operator would have to change there.
      await alignAtPayPal(app.context, ref);
    });

    it('whose renewal fails are suspended until they are paid, keep everything, and are back at once [A75]', async () => {
      await subscribe();
      const ref = (await ledger()).subscriptions[0]?.providerRef ?? '';
      const pays = (value: boolean) => setPays(ref, value);
      await pays(false);
      await nextMonth();
      expect(await plan()).toMatchObject({ state: 'suspended', plan_id: 2 });
      expect(await ledger()).toMatchObject({ isSuspended: true, points: 300 });
      expect((await app.mailTo(email, 3)).subject).toContain('did not go through');
      proxy.calls.length = 0;
      // After a lost answer it is the same attempt, after a refusal another, also in the same minute.
      proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : CAPTURE.test(call) ? 'lose' : null);
      expect((await refusal(me.call('payNow'))).code).toBe('paymentPending');
      proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : null);
      expect((await refusal(me.call('payNow'))).code).toBe('transactionFailed');
      expect(attempts()).toBe(1);
      expect((await refusal(me.call('payNow'))).code).toBe('transactionFailed');
      expect(attempts()).toBe(2);
      await pays(true);
      expect(await me.call('payNow')).toMatchObject({ state: 'active' });
      expect(attempts()).toBe(3);
      expect(await ledger()).toMatchObject({ isSuspended: false, points: 600 });
      expect((await ledger()).payments.filter((row) => row.state === 'granted')).toHaveLength(2);
    });

    it('paid ahead are suspended as well when PayPal cannot charge them, and tells nobody', async () => {
      await subscribe();
      const [row] = (await ledger()).subscriptions;
      // A charge of the plan that this one took the place of arrives late, and its month is added.
      await app.context.db.transaction((tx) => renewSubscription(tx, row?.id ?? '', { paidAt: app.clock.now() }));
      await setPays(row?.providerRef ?? '', false);
      proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : null);
      app.clock.advance(31 * 86_400_000 + 2 * 3_600_000);
      await renewDue(app.context);
      me = app.client({ token: await logIn() });
      expect(await plan()).toMatchObject({ state: 'suspended' });
    });

    it('paid by a call whose answer and messages are lost are charged once, and restored by asking [A60]', async () => {
      await subscribe();
      const ref = (await ledger()).subscriptions[0]?.providerRef ?? '';
      await setPays(ref, false);
      await nextMonth();
      expect(await plan()).toMatchObject({ state: 'suspended' });
      await setPays(ref, true);
      proxy.calls.length = 0;
      const isCapture = (call: string) => call.endsWith(`${ref}/capture`);
      proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : isCapture(call) ? 'lose' : null);
      expect((await refusal(me.call('payNow'))).code).toBe('paymentPending');
      proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : null);
      await later();
      await renewDue(app.context);
      expect(await plan()).toMatchObject({ state: 'active' });
      expect(await ledger()).toMatchObject({ isSuspended: false, points: 600 });
      expect(attempts()).toBe(1);
      const status = async () => (await app.context.paypal?.getSubscription(ref))?.status;
      await vi.waitFor(async () => expect(await status()).toBe('ACTIVE'), { timeout: 15_000 });
    });

    it('stay as they are when a proxy answers in the place of PayPal that it has no such thing', async () => {
      await subscribe();
      proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : /subscriptions/.test(call) ? 'notFound' : null);
      await nextMonth();
      expect(await plan()).toMatchObject({ state: 'active', cancel_at_end: false, renews: true });
      proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : null);
      await later(24 * 60);
      await renewDue(app.context);
      expect(await ledger()).toMatchObject({ points: 600 });
    });

    /** How many different attempts to take money reached PayPal. */
    const attempts = () => new Set(captures().map(({ requestId }) => requestId)).size;

    /** The card behind a subscription at PayPal pays, or is refused. */
    async function setPays(ref: string, value: boolean): Promise<void> {
      await openSandboxStore(app.context.db, 'paypal', sandboxState).change((memory) => {
        const found = memory.subscriptions[ref];
        if (found) found.pays = value;
      });
    }

    it('are renewed for their holders after they were archived, and not sold to others [A77]', async () => {
      await subscribe(shop.offers.pro);
      const { db, clock } = app.context;
      await db.update(plans).set({ archivedAt: clock.now() }).where(eq(plans.id, LIMITS.planIds.pro));
      const other = app.client({ token: (await app.member()).token });
      expect((await refusal(buy(app, other, shop.offers.pro))).code).toBe('noOffer');
      await nextMonth();
      expect(await plan()).toMatchObject({ plan_id: 4, state: 'active' });
      expect((await ledger()).payments).toHaveLength(2);
      await db.update(plans).set({ archivedAt: null }).where(eq(plans.id, LIMITS.planIds.pro));
    });

    it('of an account that is to be deleted are cancelled at once, and charged no more once it is gone', async () => {
      await subscribe();
      const ref = (await ledger()).subscriptions[0]?.providerRef ?? '';
      await me.call('deleteAccount', { input: { password } });
      expect((await ledger()).subscriptions).toMatchObject([{ cancelAtEnd: true }]);
      app.clock.advance((LIMITS.account.graceDays + 1) * 1440 * MINUTE);
      await deleteRemovedAccounts(app.context);
      expect((await app.context.paypal?.getSubscription(ref))?.status).toBe('CANCELLED');
      // What was paid stays in the books, without the member.
      expect(await app.context.db.$count(payments, eq(payments.providerOrderId, ref))).toBe(1);
    });

    it('approved in a window that was closed are found before they could be bought, and charged, a second time', async () => {
      const begun = await buy(app, me, shop.offers.normal);
      await atPayPal(begun, 'approve');
      expect((await refusal(buy(app, me, shop.offers.normal))).code).toBe('alreadySubscribed');
      expect((await ledger()).payments.map((row) => row.state)).toEqual(['granted']);
    });

    it('that PayPal charges with another amount are stopped there at once', async () => {
      const begun = await buy(app, me, shop.offers.normal);
      await atPayPal(begun, 'approve');
      await openSandboxStore(app.context.db, 'paypal', sandboxState).change(({ payments: known }) => {
        for (const one of Object.values(known)) if (one.customId === begun.td) one.amount += 100;
      });
      expect(await me.call('payment', { params: { td: begun.td } })).toMatchObject({ failure: 'inReview' });
      const ref = (await ledger()).payments[0]?.providerOrderId ?? '';
      await vi.waitFor(async () => expect((await app.context.paypal?.getSubscription(ref))?.status).toBe('CANCELLED'), {
        timeout: 20_000,
      });
      await me.call('cancelPayment', { input: { td: begun.td } });
      await later(24 * 60);
      // One charge is one payment, however often it is read.
      const inReview = { state: 'expired', problem: 'amountMismatch', failureCode: 'cancelled' };
      expect(await ledger()).toMatchObject({ points: 0, subscriptions: [], payments: [inReview] });
    });

    it('whose end PayPal does not take at once after a standstill of ours are stopped again, without an operator', async () => {
      await subscribe();
      const ref = (await ledger()).subscriptions[0]?.providerRef ?? '';
      await me.call('plan_unsubscribe');
      await nextMonth();
      await endRunOut(app.context);
      proxy.fault = (call) => (/\/cancel$|Webhook/.test(call) ? 'refuse' : null);
      await later(10 * 24 * 60);
      const asked = () => proxy.calls.filter(({ call }) => call.endsWith(`${ref}/cancel`)).length;
      expect(asked()).toBeGreaterThan(0);
      expect((await ledger()).payments).toMatchObject([{ problem: null }]);
      proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : null);
      await later(25 * 60);
      expect((await app.context.paypal?.getSubscription(ref))?.status).toBe('CANCELLED');
      expect((await ledger()).payments).toMatchObject([{ problem: null }]);
    });

    it('whose end PayPal does not take are stopped again ever less often, and left to an operator after a week', async () => {
      await subscribe();
      const ref = (await ledger()).subscriptions[0]?.providerRef ?? '';
      await me.call('plan_unsubscribe');
      proxy.fault = (call) => (/\/cancel$|Webhook/.test(call) ? 'refuse' : null);
      await nextMonth();
      await endRunOut(app.context);
      const asked = () => proxy.calls.filter(({ call }) => call.endsWith(`${ref}/cancel`)).length;
      for (let minute = 0; minute < 60; minute += 1) await later(1);
      expect(asked()).toBeGreaterThan(2);
      expect(asked()).toBeLessThan(12);
      await later(8 * 24 * 60);
      expect((await ledger()).payments).toMatchObject([{ problem: 'notStopped' }]);
      proxy.fault = (call) => (WEBHOOK.test(call) ? 'refuse' : null);
      await later(25 * 60);
      expect((await app.context.paypal?.getSubscription(ref))?.status).toBe('CANCELLED');
    });

    it('charged while we stood still for half a year, before or after the first month, are all found', async () => {
      const approved = await buy(app, me, shop.offers.normal);
      await atPayPal(approved, 'approve');
      const standStill = async () => {
        app.clock.advance(200 * 24 * 60 * MINUTE);
        await later();
        await later(25 * 60);
      };
      const sales = async () => {
        const { payments: taken } = await openSandboxStore(app.context.db, 'paypal', sandboxState).read();
        return Object.values(taken)
          .filter(({ customId }) => customId === approved.td)
          .map(({ id }) => id)
          .sort();
      };
      const known = async () => (await ledger()).payments.map(({ providerCaptureId }) => providerCaptureId).sort();
      await standStill();
      expect((await sales()).length).toBeGreaterThan(5);
      expect(await known()).toEqual(await sales());
      await standStill();
      await renewDue(app.context);
      expect((await sales()).length).toBeGreaterThan(10);
      expect(await known()).toEqual(await sales());
    });

    it('of whose renewal a refund is told before its charge keep the first month, and lose the second', async () => {
      const { td } = await subscribe();
      const ref = (await ledger()).subscriptions[0]?.providerRef ?? '';
      app.clock.advance(32 * 24 * 60 * MINUTE);
      // With this call PayPal charges what is due.
      await app.context.paypal?.getSubscription(ref);
      const sandbox = openSandboxStore(app.context.db, 'paypal', sandboxState);
      const sales = Object.values((await sandbox.read()).payments).filter(
        ({ subscriptionId }) => subscriptionId === ref,
      );
      const [first, second] = sales.sort((a, b) => a.createdAt - b.createdAt).map(({ id }) => id);
      await app.context.paypal?.refundCapture(second ?? '', { requestId: 'before its charge', money: null });
      // No other message comes, of other tests neither.
      const event = await sandbox.change(({ events }) => {
        for (const one of Object.values(events)) one.nextAt = null;
        const isTold = (type: string, body: string) => type === 'PAYMENT.SALE.REFUNDED' && body.includes(second ?? '');
        return Object.values(events).find(({ type, body }) => isTold(type, body));
      });
      proxy.fault = () => null;
      await resend(event?.id ?? '');
      await vi.waitFor(
        async () =>
          expect((await ledger()).payments).toMatchObject([
            { id: idOfTd(td), providerCaptureId: first, state: 'granted', refunded: 0, problem: null },
            { providerCaptureId: second, state: 'refunded', refunded: 499, problem: null },
          ]),
        { timeout: 15_000 },
      );
      expect(await ledger()).toMatchObject({ points: 300, ledger: 300 });
    });

    it('whose first charge is declined are stopped at PayPal, though the process ends in the middle of it', async () => {
      const begun = await buy(app, me, shop.offers.normal);
      const ref = (await ledger()).payments[0]?.providerOrderId ?? '';
      await atPayPal(begun, 'decline');
      const { db } = app.context;
      // As if the power went where the job is written down.
      await db.execute(sql`create function no_job() returns trigger language plpgsql as $$
        begin if new.name = 'payment.stopBilling' then raise exception 'power cut'; end if; return new; end $$`);
      await db.execute(sql`create trigger no_job before insert on pgboss.job for each row execute function no_job()`);
      expect(await state(begun.td)).toBe('created');
      await db.execute(sql`drop function no_job() cascade`);
      await later();
      expect(await me.call('payment', { params: { td: begun.td } })).toMatchObject({
        state: 'failed',
        failure: 'declined',
      });
      await vi.waitFor(async () => expect((await app.context.paypal?.getSubscription(ref))?.status).toBe('CANCELLED'), {
        timeout: 15_000,
      });
      expect(await ledger()).toMatchObject({ points: 0, subscriptions: [] });
    });

    it('cancelled at PayPal itself cannot be resumed, but bought again before their end, and lose nothing', async () => {
      await subscribe();
      const ref = (await ledger()).subscriptions[0]?.providerRef ?? '';
      await app.context.paypal?.cancelSubscription(ref, 'The buyer does not want it.');
      app.clock.advance(MINUTE);
      await syncBilling(app.context, ref);
      const before = await plan();
      expect(before).toMatchObject({ state: 'active', cancel_at_end: true, renews: false, next_charge: null });
      expect((await refusal(me.call('resumeSubscription'))).code).toBe('paymentMethodUnavailable');
      await subscribe();
      const after = await plan();
      expect(after).toMatchObject({ state: 'active', cancel_at_end: false, renews: true });
      const { points, subscriptions } = await ledger();
      expect([points, subscriptions.length]).toEqual([600, 1]);
      const end = addMonths(new Date(before?.paid_until ?? ''), 1, subscriptions[0]?.anchorDay ?? 0);
      expect(after?.paid_until).toBe(end.toISOString());
    });

    it('replaced by another one are charged no more', async () => {
      await subscribe();
      const ref = (await ledger()).subscriptions[0]?.providerRef ?? '';
      await subscribe(shop.offers.pro);
      expect(await me.call('getCurrentPlan')).toMatchObject({ plan: { id: 4 } });
      await vi.waitFor(async () => expect((await app.context.paypal?.getSubscription(ref))?.status).toBe('CANCELLED'), {
        timeout: 15_000,
      });
      expect((await ledger()).points).toBe(2300);
    });
  });
});
