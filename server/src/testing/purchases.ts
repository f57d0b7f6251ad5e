import { type CardFields, type Client, LIMITS, type PaymentStart } from '@framelift/contract';
import { and, eq } from 'drizzle-orm';
import {
  albumMedia,
  deviceTypes,
  media,
  offers,
  orders,
  payments,
  pointEntries,
  refunds,
  subscriptions,
  users,
} from '../platform/db/schema.ts';
import { TEST_CARDS } from '../sandbox/sunpay/pages.ts';
import { startTestApp, type TestApp } from './app.ts';
import { openTestDatabase } from './database.ts';
import { openFaultyProxy } from './faulty-proxy.ts';
import { openTestShop } from './shop.ts';

type Choice = 'approve' | 'decline' | 'pending' | 'cancel';

/** Adds one paid and one free product. Returns the ids of the products, and of their offers and those of plans. */
export async function stockShop(app: TestApp) {
  const { db, clock, ids } = app.context;
  const shop = await openTestShop(app);
  const createdAt = clock.now();
  const [device] = await db.select().from(deviceTypes).limit(1);
  const add = async (name: string, hasFree: boolean) => {
    const { id, albumId } = await shop.product([], { name: { en: name, zh: '', ja: '' }, hasFree });
    // Something to show, without converting it.
    const picture = { ...{ id: ids.uuid(), ownerId: shop.operatorId, name: 'picture.jpg', mediaType: 1, createdAt } };
    const stored = { uploadState: 'stored', status: 1, resultRevision: 1, declaredSize: 1, declaredType: '' } as const;
    await db.insert(media).values({ ...picture, ...stored, deviceTypeId: device?.id ?? 0, effect: 50 });
    await db.insert(albumMedia).values({ albumId, mediaId: picture.id });
    return id;
  };
  const [paid, free] = [await add('Sea', false), await add('Sky', true)];
  const plan = async (planId: number) => (await db.select().from(offers).where(eq(offers.planId, planId)))[0]?.id ?? 0;
  const [pack] = await db
    .select()
    .from(offers)
    .where(and(eq(offers.kind, 'points'), eq(offers.points, 550)));
  return {
    products: { paid, free },
    offers: {
      sea: await shop.offer(paid, { priceTwd: 390_00 }),
      usdOnly: await shop.offer(paid, { priceUsd: 900, priceTwd: null, period: 1 }),
      pack: pack?.id ?? 0,
      normal: await plan(LIMITS.planIds.normal),
      pro: await plan(LIMITS.planIds.pro),
    },
  };
}
export type Shop = Awaited<ReturnType<typeof stockShop>>;

/**
 * Opens an app with a stocked shop whose calls to one provider go through a proxy.
 * @param logged takes the lines of its log
 */
export async function openFaultyShop(provider: 'paypal' | 'sunpay', logged: string[]) {
  const proxy = await openFaultyProxy();
  const onLog = (line: string) => void logged.push(line);
  const app = await startTestApp(await openTestDatabase(), { onLog, [`${provider}Origin`]: proxy.url });
  proxy.target = app.url;
  const close = async () => {
    await app.close();
    await proxy.close();
  };
  return { app, proxy, shop: await stockShop(app), close };
}

/** Begins a payment as the web app does. */
export function buy(app: TestApp, client: Client, offer_id: number, method: 'paypal' | 'card' = 'paypal') {
  return client.call('createPayment', { input: { offer_id, method, key: app.context.ids.uuid() } });
}

/** What the buyer chooses on the page of PayPal that a payment leads to. Returns where they are sent back to. */
export async function atPayPal({ step }: PaymentStart, choice: Choice): Promise<URL> {
  if (step.kind !== 'redirect') throw new Error(`The payment does not lead to PayPal but to ${step.kind}`);
  const page = new URL(step.url);
  const [name, token] = [...page.searchParams][0] ?? ['', ''];
  const body = new URLSearchParams({ choice, [name]: token });
  const answer = await fetch(page.origin + page.pathname, { method: 'POST', body, redirect: 'manual' });
  const location = answer.headers.get('location');
  if (!location) throw new Error(`PayPal answers ${answer.status}: ${await answer.text()}`);
  return new URL(location);
}

/** What the buyer chooses on the page of the card provider. */
export async function payByCard(
  page: string,
  result: 'success' | 'failure' | 'created',
  more: { readonly silent?: '1'; readonly declines?: '1' } = {},
): Promise<{ back: Record<string, string>; action: string }> {
  const body = new URLSearchParams({ ...TEST_CARDS[0], result, ...more });
  const answer = await fetch(page, { method: 'POST', body });
  const text = await answer.text();
  const fields = [...text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value?.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
  ]);
  return { back: Object.fromEntries(fields), action: /<form method="post" action="([^"]+)">/.exec(text)?.[1] ?? '' };
}

/** Opens the page of the card provider to which a payment leads. */
export function cardPage(client: Client, start: PaymentStart): Promise<string> {
  return openCardPage(start, (input) => client.call('sunpayToken', { input }));
}

export async function openCardPage(
  { step }: PaymentStart,
  send: (fields: CardFields) => Promise<{ readonly result: { readonly pay_code: string } | null }>,
): Promise<string> {
  if (step.kind === 'token') return (await send(step.fields)).result?.pay_code ?? '';
  if (step.kind !== 'form') throw new Error(`The payment does not lead to a card page but to ${step.kind}`);
  const body = new URLSearchParams(step.fields);
  const answer = await fetch(step.action, { method: 'POST', body, redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? '', step.action).href;
}

/** What the server holds about money of a member. */
export async function ledgerOf({ context: { db } }: TestApp, userId: string) {
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  const entries = await db.select().from(pointEntries).where(eq(pointEntries.userId, userId));
  return {
    points: user?.points ?? 0,
    isSuspended: user?.suspendedAt !== null,
    ledger: entries.filter(({ kind }) => kind === 'points').reduce((sum, { amount }) => sum + amount, 0),
    payments: await db.select().from(payments).where(eq(payments.userId, userId)).orderBy(payments.createdAt),
    refunds: (
      await db
        .select()
        .from(refunds)
        .innerJoin(payments, eq(payments.id, refunds.paymentId))
        .where(eq(payments.userId, userId))
    ).map((row) => row.refunds),
    orders: await db.select().from(orders).where(eq(orders.ownerId, userId)),
    subscriptions: await db
      .select()
      .from(subscriptions)
      .where(eq(subscriptions.userId, userId))
      .orderBy(subscriptions.createdAt),
  };
}
