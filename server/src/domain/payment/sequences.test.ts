import type { PaymentStart } from '@framelift/contract';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { orders, payments, refunds, subscriptions, users } from '../../platform/db/schema.ts';
import { signedHeaders } from '../../sandbox/paypal/events.ts';
import { PAYPAL_SANDBOX } from '../../sandbox/paypal/paypal-sandbox.ts';
import { type SandboxState, sandboxState } from '../../sandbox/paypal/state.ts';
import { openSandboxStore, type SandboxStore } from '../../sandbox/store.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { type Fault, type FaultyProxy, openFaultyProxy } from '../../testing/faulty-proxy.ts';
import { atPayPal, ledgerOf, type Shop, stockShop } from '../../testing/purchases.ts';
import { endRunOut } from '../membership/subscriptions.ts';
import { insertMember } from '../user/user.sql.ts';
import { reconcilePayments } from './check.ts';
import { createPayment } from './create.ts';
import { cancelPayment, checkoutOrder, getPayment } from './payments.ts';
import { beginRefund, runRefund } from './refunds.ts';
import { renewDue } from './renewals.ts';
import { cancelPlan, payNow, resumePlan } from './subscribe.ts';
import { receivePayPalWebhook } from './webhook.ts';

/**
 * Random sequences of everything that buyers, PayPal, networks, operators and power cuts do, on the real database against
 * the local PayPal. PAYMENT_SEQUENCES=10000 runs as many; a failure names its seed, which PAYMENT_SEED repeats alone.
 */
const SEQUENCES = Number(process.env['PAYMENT_SEQUENCES'] ?? 30);
const ONLY = process.env['PAYMENT_SEED'];
const WEBHOOK_ID = 'webhook';
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

/** The process ends here. */
class Crash extends Error {}

/** Numbers that a seed repeats (mulberry32). */
function randomFrom(seed: number) {
  let state = seed;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  return {
    below,
    pick: <T>(list: readonly T[]): T => list[below(list.length)] as T,
    chance: (percent: number) => below(100) < percent,
  };
}

/**
 * Returns the context of a process that ends at its n-th step: before or after a transaction, or before or after a call of
 * PayPal. What the database has committed and PayPal has done stays.
 */
function mortal(context: Context, stepsLeft: number): Context {
  let left = stepsLeft;
  const step = () => {
    left -= 1;
    if (left <= 0) throw new Crash();
  };
  const around =
    <Args extends unknown[], Result>(task: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      step();
      const result = await task(...args);
      step();
      return result;
    };
  const { db, paypal } = context;
  const wrappedDb = new Proxy(db, {
    get: (target, name) =>
      name === 'transaction' ? around(target.transaction.bind(target)) : Reflect.get(target, name),
  });
  const wrappedPayPal =
    paypal &&
    new Proxy(paypal, {
      get: (target, name) =>
        around((Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>).bind(target)),
    });
  return { ...context, db: wrappedDb, paypal: wrappedPayPal };
}

describe('payments in any order of events', () => {
  let app: TestApp;
  let proxy: FaultyProxy;
  let shop: Shop;
  let store: SandboxStore<SandboxState>;
  beforeAll(async () => {
    proxy = await openFaultyProxy();
    app = await startTestApp(await openTestDatabase(), { paypalOrigin: proxy.url });
    proxy.target = app.url;
    shop = await stockShop(app);
    store = openSandboxStore(app.context.db, 'paypal', sandboxState);
  });
  afterAll(async () => {
    await app.close();
    await proxy.close();
  });

  async function run(seed: number): Promise<void> {
    const random = randomFrom(seed);
    const { db, clock, ids } = app.context;
    const userId = ids.uuid();
    const now = clock.now();
    const member = {
      name: 'Mia',
      email: `${userId}@example.com`,
      phone: '',
      passwordHash: '',
      language: 'en',
    } as const;
    await insertMember(db, { id: userId, ...member, createdAt: now, confirmedAt: now });
    const actor: Actor = { kind: 'member', userId, sessionId: null, language: 'en' };
    await store.change((state) => {
      Object.assign(state, { orders: {}, payments: {}, refunds: {}, subscriptions: {}, events: {}, answered: {} });
    });
    const log: string[] = [];
    const begun: PaymentStart[] = [];
    const keys: { key: string; offer: number }[] = [];
    let ahead = 0;
    const pass = (ms: number) => {
      ahead += ms;
      app.clock.advance(ms);
    };
    /** Deliveries are made below, in any order. */
    const quiet = (fault: (call: string) => Fault | null) => {
      proxy.fault = (call) => (call.endsWith('/paypalWebhook') ? 'refuse' : fault(call));
    };
    const touch = () => fetch(`${app.url}${PAYPAL_SANDBOX}/checkoutnow?token=none`).then((answer) => answer.text());

    /** One event of PayPal, perhaps again, to a process that may end in the middle. */
    async function deliver(context: Context, number: number): Promise<void> {
      const state = await store.read();
      const events = Object.values(state.events).sort((a, b) => a.number - b.number);
      const event = events[number % Math.max(1, events.length)];
      if (!event) return;
      const headers = signedHeaders(state, event, WEBHOOK_ID, clock.now().getTime());
      await receivePayPalWebhook(context, { headers, body: Buffer.from(event.body) });
    }

    const some = () => (random.chance(60) ? begun.at(-1) : random.pick(begun)) ?? null;
    const claim = { projectId: '', payment_amount: '0', payment_currency: '', capture_status: '', details: {} };
    const actions: Record<string, (context: Context) => Promise<unknown>> = {
      /** What most buyers do. */
      async purchase(context) {
        await actions['buy']?.(context);
        const payment = begun.at(-1);
        if (!payment) return;
        await atPayPal(payment, 'approve');
        if (random.chance(70)) await checkoutOrder(context, actor, { ...claim, resourceId: payment.td });
      },
      async buy(context) {
        const offer = random.pick([shop.offers.pack, shop.offers.sea, shop.offers.normal, shop.offers.pro]);
        const again = keys.length > 0 && random.chance(20) ? random.pick(keys) : null;
        const request = again ?? { key: ids.uuid(), offer };
        keys.push(request);
        begun.push(
          await createPayment(context, actor, { offer_id: request.offer, method: 'paypal', key: request.key }),
        );
      },
      async approve() {
        const payment = some();
        const choice = random.pick([...Array<'approve'>(6).fill('approve'), 'decline', 'pending', 'cancel'] as const);
        log.push(`  ${choice}`);
        if (payment) await atPayPal(payment, choice).catch(() => {});
      },
      async checkout(context) {
        const payment = some();
        if (payment) await checkoutOrder(context, actor, { ...claim, resourceId: payment.td });
      },
      async reload(context) {
        const payment = some();
        pass(6000);
        if (payment) await getPayment(context, actor, { td: payment.td });
      },
      async twoAtOnce(context) {
        const payment = some();
        if (!payment) return;
        const both = [
          checkoutOrder(context, actor, { ...claim, resourceId: payment.td }),
          checkoutOrder(app.context, actor, { ...claim, resourceId: payment.td }),
          deliver(app.context, random.below(50)),
          reconcilePayments(app.context),
        ];
        await Promise.allSettled(both);
      },
      async cancel(context) {
        const payment = some();
        if (payment) await cancelPayment(context, actor, { td: payment.td });
      },
      webhook: (context) => deliver(context, random.below(50)),
      webhookAgain: (context) => deliver(context, random.below(50)),
      reconcile: (context) => reconcilePayments(context),
      async wait() {
        pass(random.pick([MINUTE, 3 * MINUTE, 30 * MINUTE, 7 * 60 * MINUTE]));
      },
      async month(context) {
        pass(random.pick([3 * DAY, 20 * DAY, 32 * DAY]));
        await touch();
        await renewDue(context);
      },
      async card() {
        await store.change((state) => {
          for (const one of Object.values(state.subscriptions)) one.pays = random.chance(60);
        });
      },
      unsubscribe: (context) => cancelPlan(context, actor),
      resume: (context) => resumePlan(context, actor),
      payNow: (context) => payNow(context, actor),
      async refund(context) {
        const rows = await db.select().from(payments).where(eq(payments.userId, userId));
        const paid = rows.filter(({ state }) => state === 'paid' || state === 'granted');
        if (paid.length === 0) return;
        const { id, amount } = random.pick(paid);
        const part = random.chance(50) ? null : 1 + random.below(amount);
        const wish = { paymentId: id, amount: part, reason: 'random', actorId: userId };
        const refund = await context.db.transaction((tx) => beginRefund(context, tx, wish));
        await runRefund(context, refund.id);
      },
      async refundAtPayPal() {
        const taken = Object.values((await store.read()).payments).filter(({ status }) => status === 'COMPLETED');
        if (taken.length === 0) return;
        const { id, amount, currency } = random.pick(taken);
        const money = random.chance(50) ? null : { amount: 1 + random.below(amount), currency };
        quiet(() => null);
        await app.context.paypal?.refundCapture(id, { requestId: ids.uuid(), money });
      },
    };

    const names = Object.keys(actions);
    /** Mostly what leads somewhere. */
    const often = { purchase: 9, approve: 3, checkout: 3, webhook: 4, month: 5, refund: 3, refundAtPayPal: 2, card: 1 };
    const weighted = [...names, ...Object.entries(often).flatMap(([name, count]) => Array<string>(count).fill(name))];
    for (let count = 4 + random.below(14); count > 0; count -= 1) {
      const name = random.pick(weighted);
      const fault = random.chance(15) ? random.pick(['refuse', 'lose', 'null'] as const) : null;
      const nth = 1 + random.below(4);
      let seen = 0;
      quiet((call) => (fault && !call.startsWith('GET') && ++seen === nth ? fault : null));
      const steps = random.chance(25) ? 1 + random.below(12) : 0;
      log.push(`${name}${fault ? ` (${fault})` : ''}${steps ? ` (crash at ${steps})` : ''}`);
      try {
        await actions[name]?.(steps ? mortal(app.context, steps) : app.context);
      } catch (error) {
        // Refusals, lost answers and crashes are part of life; wrong money is not.
        log.push(`  → ${error instanceof Error ? error.message : error}`);
      }
    }
    // The network is well again, and everything is given its time.
    quiet(() => null);
    for (let round = 0; round < 4; round += 1) {
      const { events } = await store.read();
      for (let number = 0; number < Object.keys(events).length; number += 1) await deliver(app.context, number);
      await reconcilePayments(app.context);
      pass(round < 3 ? 7 * 60 * MINUTE : 5 * MINUTE);
      await touch();
      await renewDue(app.context);
      await endRunOut(app.context);
    }
    await reconcilePayments(app.context);
    try {
      await check(userId);
    } catch (error) {
      const ledger = await ledgerOf(app, userId);
      const rows = ledger.payments.map(({ id, route, state, amount, refunded, problem, pendingReason }) =>
        JSON.stringify({ id: id.slice(0, 6), route, state, amount, refunded, problem, pendingReason }),
      );
      const text = [`PAYMENT_SEED=${seed}`, ...log, ...rows].join('\n');
      throw new Error(`${text}\n${error instanceof Error ? error.message : error}`, { cause: error });
    } finally {
      app.clock.setBack(ahead);
      await db.delete(users).where(eq(users.id, userId));
      await db.update(payments).set({ nextCheckAt: null });
      await db.update(refunds).set({ state: 'failed' }).where(eq(refunds.state, 'pending'));
    }
  }

  /** What is always true of money, once everybody was heard. */
  async function check(userId: string): Promise<void> {
    const provider = await store.read();
    const ledger = await ledgerOf(app, userId);
    const paid = ledger.payments.filter(({ paidAt }) => paidAt !== null);
    // Every amount that PayPal took is one payment of ours, and every payment of ours was taken.
    const taken = Object.values(provider.payments).filter(({ status }) => /COMPLETED|REFUNDED/.test(status));
    expect(paid.map(({ providerCaptureId }) => providerCaptureId).sort()).toEqual(taken.map(({ id }) => id).sort());
    for (const { id, amount, refunded } of taken) {
      const ours = paid.find(({ providerCaptureId }) => providerCaptureId === id);
      expect([id, ours?.amount, ours?.refunded]).toEqual([id, amount, refunded]);
      expect([id, ours?.state]).toEqual([id, refunded === amount ? 'refunded' : 'granted']);
    }
    // Captured less refunded is granted.
    const granted = paid.filter(({ state }) => state === 'granted');
    const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
    expect(sum(granted.map(({ amount, refunded }) => amount - refunded))).toBe(
      sum(taken.map(({ amount, refunded }) => amount - refunded)),
    );
    // The ledger is the balance, and each payment is in it once.
    expect(ledger.points).toBe(ledger.ledger);
    expect(ledger.points).toBeGreaterThanOrEqual(0);
    const packs = granted.filter(({ target }) => target.startsWith('points:'));
    const months = granted.filter(({ target }) => target === 'plan');
    expect(ledger.points).toBe(
      550 * packs.length + sum(months.map(({ offerId }) => (offerId === shop.offers.pro ? 2000 : 300))),
    );
    // Only a charge for a plan that has ended is a problem, and goes back by itself.
    expect(ledger.payments.filter(({ problem }) => problem !== null && problem !== 'subscriptionEnded')).toEqual([]);
    // Nothing is left undecided, and no order is paid twice.
    expect(ledger.payments.filter(({ state }) => state === 'paid' || state === 'pending')).toEqual([]);
    expect(new Set(ledger.payments.map(({ orderId }) => orderId)).size).toBe(ledger.payments.length);
    expect(ledger.orders).toHaveLength(ledger.payments.length);
    // What one has was paid, and what was paid one has.
    const now = app.clock.now();
    const live = ledger.subscriptions.filter(({ state }) => state === 'active' || state === 'suspended');
    const products = granted.filter(({ target }) => target.startsWith('product:'));
    const stillPaid = products.some(({ paidAt }) => (paidAt?.getTime() ?? 0) + 85 * DAY > now.getTime());
    if (stillPaid) expect(live.filter(({ kind }) => kind === 'product')).toHaveLength(1);
    if (products.length === 0) expect(live.filter(({ kind }) => kind === 'product')).toEqual([]);
    const plan = live.filter(({ kind }) => kind === 'plan');
    expect(plan.length).toBeLessThanOrEqual(1);
    if (months.length === 0) expect(plan).toEqual([]);
    // PayPal charges nothing that nobody has.
    const charged = Object.values(provider.subscriptions).filter(({ status }) => status === 'ACTIVE');
    expect(charged.map(({ id }) => id)).toEqual(
      plan.filter(({ cancelAtEnd, state }) => state === 'active' && !cancelAtEnd).map(({ providerRef }) => providerRef),
    );
  }

  it('never lose, double or invent money', { timeout: 4 * 3_600_000 }, async () => {
    if (ONLY) return run(Number(ONLY));
    const first = 1;
    for (let seed = first; seed < first + SEQUENCES; seed += 1) await run(seed);
    // They did happen.
    const { db } = app.context;
    const [counts] = await db
      .select({
        granted: sql<number>`count(*) filter (where ${payments.state} = 'granted')`.mapWith(Number),
        refunded: sql<number>`count(*) filter (where ${payments.state} = 'refunded')`.mapWith(Number),
        renewals: sql<number>`count(*) filter (where ${payments.providerOrderId} like 'I-%:%')`.mapWith(Number),
        failed: sql<number>`count(*) filter (where ${payments.state} in ('failed', 'expired'))`.mapWith(Number),
      })
      .from(payments);
    for (const count of Object.values(counts ?? {})) expect(count).toBeGreaterThan(0);
    expect(await db.$count(orders)).toBe(0);
    expect(await db.$count(subscriptions)).toBe(0);
  });
});
