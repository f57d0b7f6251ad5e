import { type Client, LIMITS } from '@framelift/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSunPayStore } from '../../sandbox/sunpay/sandbox.ts';
import { addTrade } from '../../sandbox/sunpay/state.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { type FaultyProxy, openFaultyProxy } from '../../testing/faulty-proxy.ts';
import { atPayPal, buy, cardPage, ledgerOf, payByCard, type Shop, stockShop } from '../../testing/purchases.ts';
import { refusal } from '../../testing/uploads.ts';
import { reportUnstopped } from './billing.ts';
import { reconcilePayments } from './check.ts';
import { listEvents } from './payment.sql.ts';
import { renewDue } from './renewals.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('payments whose provider does not answer', () => {
  let app: TestApp;
  let paypal: FaultyProxy;
  let sunpay: FaultyProxy;
  let shop: Shop;
  let me: Client;
  let userId: string;
  let login: { email: string; password: string };
  let admin: Client;
  beforeAll(async () => {
    [paypal, sunpay] = [await openFaultyProxy(), await openFaultyProxy()];
    app = await startTestApp(await openTestDatabase(), { paypalOrigin: paypal.url, sunpayOrigin: sunpay.url });
    [paypal.target, sunpay.target] = [app.url, app.url];
    // Operators are told once a day.
    app.clock.advance(DAY - (app.clock.now().getTime() % DAY));
    shop = await stockShop(app);
  });
  afterAll(async () => {
    await app.close();
    await paypal.close();
    await sunpay.close();
  });
  beforeEach(async () => {
    const { token, email, password, ...member } = await app.member();
    userId = member.userId;
    login = { email, password };
    me = app.client({ token });
    ({ client: admin } = await app.admin());
    paypal.fault = () => null;
    sunpay.fault = () => null;
  });

  const ledger = () => ledgerOf(app, userId);
  const later = async (ms: number) => {
    app.clock.advance(ms);
    await reconcilePayments(app.context);
  };
  const silent = () => 'refuse' as const;
  const unanswered = async () =>
    (await admin.call('managedPayments', { input: { problem: 'unanswered', member: userId } })).data;
  const told = async () =>
    (await admin.call('notifications', { input: {} })).data.filter(({ link }) => link?.includes('unanswered'));
  const close = (id: string) => admin.call('closePayment', { input: { id, reason: 'Nothing in the console' } });
  const last = async () => (await ledger()).payments.at(-1) ?? expect.fail();
  /** Approves a pack of points at PayPal, whose answer to the capture is lost, and which is silent from then on. */
  const buyWithoutAnswer = async (capture: 'lose' | 'refuse') => {
    const begun = await buy(app, me, shop.offers.pack);
    await atPayPal(begun, 'approve');
    paypal.fault = (call) => (/capture$/.test(call) ? capture : /Webhook/.test(call) ? 'refuse' : null);
    await me.call('payment', { params: { td: begun.td } });
    paypal.fault = silent;
    return { id: (await last()).id, td: begun.td };
  };

  it('for an hour are shown to operators, who are told once a day, and can be closed after one more question', async () => {
    const { id, td } = await buyWithoutAnswer('refuse');
    await later(30 * MINUTE);
    expect(await unanswered()).toEqual([]);
    expect((await refusal(close(id))).code).toBe('paymentNotClosable');
    await later(31 * MINUTE);
    await later(2 * HOUR);
    expect(await unanswered()).toMatchObject([{ id, state: 'pending', problem: null }]);
    expect((await admin.call('siteStatus')).payments).toMatchObject({ unanswered: 1, problems: 0 });
    expect(await told()).toMatchObject([{ link: '/admin/payments?problem=unanswered', kind: 'warning' }]);
    // The member can neither give it up nor pay again: its money may have moved.
    expect((await refusal(me.call('cancelPayment', { input: { td } }))).code).toBe('paymentPending');
    expect((await refusal(buy(app, me, shop.offers.pack, 'card'))).code).toBe('paymentPending');
    expect((await refusal(me.call('closePayment', { input: { id, reason: 'I say so' } }))).status).toBe(403);
    // It is recorded once, also when two operators close it at the same time.
    for (const closed of await Promise.all([close(id), close(id)]))
      expect(closed).toMatchObject({ state: 'expired', unanswered_since: null, code: 'notCharged' });
    // A repeated call, after a lost answer, changes nothing.
    expect((await close(id)).events.filter(({ type }) => type === 'closed')).toHaveLength(1);
    expect((await admin.call('auditLog', { input: { action: 'payment.closed' } })).data).toMatchObject([
      { target: td, after: { state: 'expired', reason: 'Nothing in the console' } },
    ]);
    expect(await unanswered()).toEqual([]);
    expect(await me.call('payment', { params: { td } })).toMatchObject({ failure: 'providerUnreachable' });
    expect((await buy(app, me, shop.offers.pack, 'card')).step.kind).toBe('form');
    await later(DAY);
    expect(await told()).toHaveLength(1);
    expect((await ledger()).points).toBe(0);
  });

  it('and were closed are granted all the same if their money had moved, however late the provider tells', async () => {
    const { id } = await buyWithoutAnswer('lose');
    await later(MINUTE);
    await later(2 * HOUR);
    await close(id);
    for (let week = 0; week < 4; week += 1) await later(7 * DAY);
    expect(await last()).toMatchObject({ state: 'expired' });
    paypal.fault = (call) => (/Webhook/.test(call) ? 'refuse' : null);
    await later(DAY);
    expect(await ledger()).toMatchObject({ points: 550, payments: [{ state: 'granted', failureCode: null }] });
  });

  it('for a plan and were closed are asked about all the same once an operator has to stop them at PayPal', async () => {
    app.clock.advance(DAY);
    const begun = await buy(app, me, shop.offers.normal);
    paypal.fault = (call) => (/Webhook/.test(call) ? 'refuse' : null);
    await atPayPal(begun, 'approve');
    paypal.fault = silent;
    await later(3 * MINUTE);
    await later(3 * HOUR);
    const { id, providerOrderId } = await last();
    await close(id);
    // What the job does after days.
    await reportUnstopped(app.context, providerOrderId ?? '');
    for (let week = 0; week < 4; week += 1) await later(7 * DAY);
    expect(await last()).toMatchObject({ state: 'expired', problem: 'notStopped' });
    paypal.fault = (call) => (/Webhook/.test(call) ? 'refuse' : null);
    await later(DAY);
    expect((await ledger()).payments.find((row) => row.id === id)).toMatchObject({ state: 'granted' });
  });

  it('are not closed if it answers just then: its word counts', async () => {
    const { id } = await buyWithoutAnswer('lose');
    await later(MINUTE);
    await later(2 * HOUR);
    expect(await unanswered()).toHaveLength(1);
    paypal.fault = () => null;
    expect((await refusal(close(id))).code).toBe('paymentNotClosable');
    expect(await ledger()).toMatchObject({ points: 550, payments: [{ state: 'granted' }] });
    expect(await unanswered()).toEqual([]);
  });

  it('are shown too where nobody came back from a page on which they may have been made [R-9.payment.3]', async () => {
    app.clock.advance(DAY);
    const order = await buy(app, me, shop.offers.sea);
    const page = await buy(app, me, shop.offers.pack, 'card');
    const opened = await cardPage(me, page);
    const approved = await buy(app, me, shop.offers.normal);
    paypal.fault = (call) => (/Webhook/.test(call) ? 'refuse' : null);
    await atPayPal(approved, 'approve');
    paypal.fault = sunpay.fault = silent;
    await later(3 * MINUTE);
    expect(await unanswered()).toEqual([]);
    await later(3 * HOUR);
    const listed = await unanswered();
    // An order at PayPal is charged by us alone.
    expect(listed.map(({ td, state }) => [td, state])).toEqual([
      [approved.td, 'created'],
      [page.td, 'created'],
    ]);
    expect((await admin.call('siteStatus')).payments).toMatchObject({ unanswered: 2 });
    expect(await told()).toHaveLength(2);
    for (const { id } of listed)
      expect(await close(id)).toMatchObject({ state: 'expired', code: 'notCharged', unanswered_since: null });
    const audited = (await admin.call('auditLog', { input: { action: 'payment.closed' } })).data;
    expect(audited.find(({ target }) => target === page.td)).toMatchObject({ before: { state: 'created' } });
    expect(await unanswered()).toEqual([]);
    expect(await me.call('payment', { params: { td: order.td } })).toMatchObject({ state: 'created' });
    // Both can be bought again; what was approved is charged by PayPal no more, and what was paid on the page is found.
    paypal.fault = sunpay.fault = () => null;
    await payByCard(opened, 'success', { silent: '1' });
    await later(DAY);
    expect((await ledger()).payments.find(({ provider }) => provider === 'sunpay')).toMatchObject({ state: 'granted' });
    const ref = (await ledger()).payments.find(({ route }) => route === 'billing')?.providerOrderId ?? '';
    const status = async () => (await app.context.paypal?.getSubscription(ref))?.status;
    await vi.waitFor(async () => expect(await status()).toBe('CANCELLED'), { timeout: 20_000 });
  });

  it('by a code are shown once it has run out: until then its buyer may still pay', async () => {
    app.clock.advance(DAY);
    const begun = await buy(app, me, shop.offers.pack, 'card');
    await payByCard(await cardPage(me, begun), 'created');
    await vi.waitFor(async () => expect(await last()).toMatchObject({ pendingReason: 'code' }), { timeout: 20_000 });
    sunpay.fault = silent;
    for (let day = 0; day < 8; day += 1) await later(DAY);
    expect(await unanswered()).toEqual([]);
    await later(2 * HOUR);
    ({ client: admin } = await app.admin());
    expect(await unanswered()).toMatchObject([{ td: begun.td, state: 'pending', code: 'code' }]);
    expect(await close((await last()).id)).toMatchObject({ state: 'expired' });
  });

  it('of what was granted are not asked for refunds for ever: a month after the last look operators are told', async () => {
    const begun = await buy(app, me, shop.offers.pack, 'card');
    await payByCard(await cardPage(me, begun), 'success');
    await vi.waitFor(async () => expect(await last()).toMatchObject({ state: 'granted' }), { timeout: 20_000 });
    const off = app.context as { -readonly [Part in 'sunpay']: (typeof app.context)[Part] };
    const { sunpay: on } = off;
    off.sunpay = null;
    try {
      await later(179 * DAY);
      await later(30 * DAY);
      ({ client: admin } = await app.admin());
      expect((await last()).nextCheckAt).not.toBeNull();
      // An operator who asks just now is answered, too.
      const { id } = await last();
      const asked = await refusal(admin.call('repairPayment', { input: { id, clear: false, reason: 'Refunded?' } }));
      expect(asked.code).toBe('providerSilent');
      await later(2 * DAY);
      expect(await last()).toMatchObject({ state: 'granted', nextCheckAt: null, problem: null });
      const { data } = await admin.call('notifications', { input: {} });
      expect(data.map(({ title, link }) => [title, link])).toContainEqual([
        'Refunds can no longer be checked',
        '/admin/payments',
      ]);
      expect((await admin.call('managedPayment', { params: { id } })).events.at(-1)?.type).toBe('refunds.unasked');
    } finally {
      off.sunpay = on;
    }
  });

  it('of what was granted are asked for refunds for a month more after a standstill of ours, however long it was', async () => {
    const begun = await buy(app, me, shop.offers.pack, 'card');
    await payByCard(await cardPage(me, begun), 'success');
    await vi.waitFor(async () => expect(await last()).toMatchObject({ state: 'granted' }), { timeout: 20_000 });
    sunpay.fault = silent;
    await later(220 * DAY);
    for (let week = 0; week < 4; week += 1) await later(7 * DAY);
    expect((await last()).nextCheckAt).not.toBeNull();
    sunpay.fault = () => null;
    await later(7 * DAY);
    expect(await last()).toMatchObject({ state: 'granted', nextCheckAt: null, unansweredSince: null });
    const events = await listEvents(app.context.db, (await last()).id);
    expect(events.map(({ type }) => type)).not.toContain('refunds.unasked');
  });

  it('by card for a renewal are closed as a failed charge: the plan waits for its money, late or of another try', async () => {
    const plan = async () => (await me.call('subscriptions', { input: {} })).data[0];
    const begun = await me.call('plan_subscribe', {
      input: { target: LIMITS.planIds.normal, product_solution: shop.offers.normal, check_required: true },
    });
    await payByCard(await cardPage(me, begun.payment ?? expect.fail()), 'success');
    await vi.waitFor(async () => expect(await plan()).toMatchObject({ state: 'active' }), { timeout: 20_000 });
    const end = Date.parse((await plan())?.paid_until ?? '');
    app.clock.advance(end - app.clock.now().getTime() + MINUTE);
    const relogin = async () => {
      me = app.client({ token: (await app.client().call('login', { input: login })).token });
      ({ client: admin } = await app.admin());
    };
    await relogin();
    sunpay.fault = silent;
    await renewDue(app.context);
    const { id } = await last();
    await later(MINUTE);
    await later(2 * HOUR);
    expect(await unanswered()).toMatchObject([{ id, route: 'charge' }]);
    expect(await told()).toHaveLength(1);
    expect(await close(id)).toMatchObject({ state: 'failed', failure: 'providerUnreachable' });
    expect(await plan()).toMatchObject({ state: 'suspended', due: { costs: 150_00 } });
    // It had been charged after all, which the provider tells once it is back.
    const td = id.replaceAll('-', '');
    await openSunPayStore(app.context.db).change((memory) => {
      addTrade(memory, 'charge', { td, mn: '150' }, app.clock.now().getTime());
      Object.assign(memory.trades[td] ?? {}, { result: 'success' });
    });
    sunpay.fault = () => null;
    await later(DAY);
    await relogin();
    expect(await plan()).toMatchObject({ state: 'active' });
    expect((await ledger()).payments.at(-1)).toMatchObject({ state: 'granted' });
  });
});
