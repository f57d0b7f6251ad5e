import { type Client, LIMITS, MEDIA_STATUS, type MediaDetail, ORDER_TYPE, type Order } from '@framelift/contract';
import { eq } from 'drizzle-orm';
import { IANAZone } from 'luxon';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { conversions, media, orders } from '../../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { refusal, requestFor, smallJpeg, upload } from '../../testing/uploads.ts';
import { deleteRemovedAccounts } from '../account/removal.ts';
import { purge } from '../media/lifecycle/cleanup.ts';
import { lastDays } from './days.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

describe('the last days of a zone', () => {
  const span = (now: string, days: number, zone: string) => {
    const { from, to } = lastDays(new Date(now), days, zone);
    return [from.toISOString(), to.toISOString()];
  };

  it('begin and end at midnight there: at 00:30 in Taipei it is still yesterday in UTC [A100]', () => {
    expect(span('2026-03-09T16:30:00Z', 1, 'Asia/Taipei')).toEqual([
      '2026-03-09T16:00:00.000Z',
      '2026-03-10T16:00:00.000Z',
    ]);
    expect(span('2026-03-09T15:59:59.999Z', 1, 'Asia/Taipei')).toEqual([
      '2026-03-08T16:00:00.000Z',
      '2026-03-09T16:00:00.000Z',
    ]);
  });

  it('know a zone by its name in whatever letters, and keep it once', () => {
    const create = vi.spyOn(IANAZone, 'create');
    for (const zone of ['Asia/Tokyo', 'asia/tokyo', 'ASIA/TOKYO'])
      expect(span('2026-03-10T08:00:00Z', 1, zone)).toEqual(['2026-03-09T15:00:00.000Z', '2026-03-10T15:00:00.000Z']);
    expect(new Set(create.mock.calls.map(([name]) => name))).toEqual(new Set(['Asia/Tokyo']));
    create.mockRestore();
  });

  it.each([
    [LIMITS.orderDateDays.day, '2026-03-09T16:00:00.000Z'],
    [LIMITS.orderDateDays.week, '2026-03-03T16:00:00.000Z'],
    [LIMITS.orderDateDays.month, '2026-02-07T16:00:00.000Z'],
    [LIMITS.orderDateDays.season, '2025-12-07T16:00:00.000Z'],
  ])('are %d with today [R-9.orders.1]', (days, from) => {
    expect(span('2026-03-10T08:00:00Z', days, 'Asia/Taipei')).toEqual([from, '2026-03-10T16:00:00.000Z']);
  });

  it('are as long as they are where the clock is changed', () => {
    // The night of 29 March has no hour from 2 to 3 in Berlin; in Beirut the day begins at 1.
    expect(span('2026-03-29T10:00:00Z', 1, 'Europe/Berlin')).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
    expect(span('2026-03-30T10:00:00Z', 2, 'Asia/Beirut')).toEqual([
      '2026-03-28T22:00:00.000Z',
      '2026-03-30T21:00:00.000Z',
    ]);
  });
});

describe('orders', () => {
  let app: TestApp;
  let me: Awaited<ReturnType<TestApp['member']>>;
  let client: Client;
  /** Uploaded by the first test. */
  let picture: MediaDetail;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
    me = await app.member();
    client = app.client({ token: me.token });
  });
  afterAll(() => app.close());

  let pictures = 0;
  const send = async (own: Client) => upload(app, own, await smallJpeg(++pictures), { effect_param_id: 0 });
  const list = (input: object = {}) => client.call('orders', { input });
  const names = async (input: object = {}) => (await list(input)).data.map(({ name }) => name);
  const pageAfter = (next: string | null) => new URL(next ?? '', app.url).searchParams.get('page') ?? '';
  /** Replaces all orders by others, as a shop would create them. */
  const write = async (rows: { name: string; createdAt: Date; type?: number }[]) => {
    const { db, ids } = app.context;
    await db.update(media).set({ orderId: null });
    await db.delete(orders);
    const bought = { ownerId: me.userId, type: ORDER_TYPE.purchased, costs: 500, currency: 'points' };
    await db.insert(orders).values(rows.map((row) => ({ id: ids.uuid(), ...bought, ...row })));
  };
  /** Advances the clock to the next time that it is this late in Taipei, which has no daylight saving time. */
  const turnTo = (hour: number, minute: number): number => {
    const wanted = ((hour - 8 + 24) % 24) * HOUR_MS + minute * 60_000;
    const now = app.clock.now().getTime();
    app.clock.advance((wanted - (now % DAY_MS) + DAY_MS) % DAY_MS);
    return app.clock.now().getTime();
  };

  it('are made by uploads that have arrived, with all that an order has [R-3.order.1][R-3.order.2]', async () => {
    await client.call('requestUploadMedia', { input: await requestFor(client, await smallJpeg()) });
    expect(await list()).toEqual({ data: [], hasNext: false, next: null, total: 0 });
    picture = await send(client);
    const { data, total } = await list();
    expect(total).toBe(1);
    expect(data).toEqual([
      {
        id: expect.any(String),
        name: 'shop.jpg',
        type: 0,
        costs: 0,
        currency: 'points',
        date: expect.any(String),
        progress: 100,
        media: [
          expect.objectContaining({ id: picture.id, name: 'shop.jpg', status: 1, cover: picture.cover, type: 0 }),
        ],
        product: null,
        solution_order: null,
      },
    ]);
    expect(await client.call('order', { params: { id: data[0]?.id ?? '' } })).toEqual(data[0]);
    // Finishing the upload again after a lost response gives the same order.
    await client.call('setMediaS3UploadFinish', { input: { id: picture.id } });
    expect((await list()).total).toBe(1);
  });

  it('tell how far the conversion is, without a copy of it that could be behind', async () => {
    const { db, clock, ids } = app.context;
    const progress = async () => (await list()).data[0]?.progress;
    const set = (status: number) => db.update(media).set({ status }).where(eq(media.id, picture.id));
    await set(MEDIA_STATUS.processing);
    const state = { state: 'running', progress: 0.5, createdAt: clock.now() } as const;
    await db.insert(conversions).values({ id: ids.uuid(), mediaId: picture.id, ...state });
    expect(await progress()).toBe(49);
    await set(MEDIA_STATUS.finished);
    expect(await progress()).toBe(100);
  });

  it('of another member and of nobody are not found, and never listed [R-8.catalogue.5][R-5.server-rules.2][A56]', async () => {
    const stranger = app.client({ token: (await app.member()).token });
    for (const id of [(await list()).data[0]?.id ?? '', app.context.ids.uuid()]) {
      const error = await refusal(stranger.call('order', { params: { id } }));
      expect([error.status, error.code, error.message]).toEqual([404, 'noOrder', 'This order was not found.']);
    }
    expect((await stranger.call('orders', { input: {} })).total).toBe(0);
  });

  it('outlive what was ordered: it is marked as deleted for a day, then it is out of the order', async () => {
    const { id, cover } = picture;
    const seen = async () => {
      const [order] = (await list()).data;
      return { progress: order?.progress, media: order?.media.map((one) => [one.status, one.cover]) };
    };
    const there = { progress: 100, media: [[MEDIA_STATUS.finished, cover]] };
    expect(await seen()).toEqual(there);
    await client.call('deleteMedia', { input: { id } });
    expect(await seen()).toEqual({ progress: 100, media: [[MEDIA_STATUS.deleted, null]] });
    await client.call('restoreMedia', { input: { id } });
    expect(await seen()).toEqual(there);
    await client.call('deleteMedia', { input: { id } });
    app.clock.advance(DAY_MS);
    // Not even before the job has run: it can no longer be restored.
    const gone = { progress: 100, media: [] };
    expect(await seen()).toEqual(gone);
    await purge(app.context);
    expect(await seen()).toEqual(gone);
    expect(await app.context.db.$count(media, eq(media.id, id))).toBe(0);
  });

  it('come page by page, none twice and none left out while new ones arrive [A97]', async () => {
    const start = app.clock.now().getTime() - HOUR_MS;
    // In pairs with equal times, so that the id decides.
    const rows = Array.from({ length: 2 * LIMITS.pageSize + 3 }, (_, n) => ({
      name: `order ${n}`,
      createdAt: new Date(start - 1000 * Math.floor(n / 2)),
    }));
    await write(rows);
    const pages: Order[][] = [];
    const totals: (number | undefined)[] = [];
    let page: string | undefined;
    do {
      const answer = await list(page === undefined ? {} : { page });
      pages.push([...answer.data]);
      totals.push(answer.total);
      page = answer.hasNext ? pageAfter(answer.next) : undefined;
      const bought = { ownerId: me.userId, type: 2, name: 'new', costs: 1, currency: 'TWD' };
      await app.context.db.insert(orders).values({ id: app.context.ids.uuid(), ...bought, createdAt: app.clock.now() });
    } while (page !== undefined);
    expect(pages.map(({ length }) => length)).toEqual([LIMITS.pageSize, LIMITS.pageSize, 3]);
    expect(totals).toEqual([43, 44, 45]);
    const seen = pages.flat();
    expect(new Set(seen.map(({ name }) => name))).toEqual(new Set(rows.map(({ name }) => name)));
    expect(new Set(seen.map(({ id }) => id)).size).toBe(rows.length);
    expect(seen.map(({ date }) => date)).toEqual(rows.map(({ createdAt }) => createdAt.toISOString()));
  });

  it('are none behind the last page, and still counted [A99]', async () => {
    const createdAt = app.clock.now();
    await write(['a', 'b'].map((name) => ({ name, createdAt })));
    const page = Buffer.from(`2000-01-01T00:00:00.000Z ${app.context.ids.uuid()}`).toString('base64url');
    expect(await list({ page })).toEqual({ data: [], hasNext: false, next: null, total: 2 });
    expect((await refusal(list({ page: 'x' }))).code).toBe('invalidInput');
  });

  it('are listed by category and by days, and by nothing else [R-7.lists.1][R-2.orders.1]', async () => {
    const now = turnTo(12, 0);
    await write([
      { name: 'bought', createdAt: new Date(now) },
      { name: 'on site', createdAt: new Date(now - 6 * DAY_MS), type: ORDER_TYPE.onSite },
      { name: 'uploaded', createdAt: new Date(now - 30 * DAY_MS), type: ORDER_TYPE.uploaded },
      { name: 'last season', createdAt: new Date(now - 92 * DAY_MS) },
      { name: 'long ago', createdAt: new Date(now - 93 * DAY_MS) },
    ]);
    const all = ['bought', 'on site', 'uploaded', 'last season', 'long ago'];
    expect(await names()).toEqual(all);
    expect(await names({ order_type: 'upload' })).toEqual(['on site', 'uploaded']);
    expect(await names({ order_type: 'purchase_details' })).toEqual(['bought', 'last season', 'long ago']);
    for (const [days, count] of [
      ['1', 1],
      ['7', 2],
      ['31', 3],
      ['93', 4],
    ])
      expect(await names({ dt_condition: days })).toEqual(all.slice(0, Number(count)));
    const both = await list({ order_type: 'purchase_details', dt_condition: '93' });
    expect([both.data.length, both.total]).toEqual([2, 2]);
    for (const wrong of [{ dt_condition: '2' }, { order_type: '0' }, { time_zone: 'Moon/Base' }, { from: '2026' }])
      expect((await refusal(list(wrong))).code, JSON.stringify(wrong)).toBe('invalidInput');
  });

  it('of today are those since midnight in the zone of the member, Taipei where none is named [A100]', async () => {
    const now = turnTo(0, 30);
    const midnight = now - (now % HOUR_MS);
    expect(new Date(midnight).toISOString().slice(11)).toBe('16:00:00.000Z');
    await write([
      { name: 'first of today', createdAt: new Date(midnight) },
      { name: 'last of yesterday', createdAt: new Date(midnight - 1) },
    ]);
    expect(await names({ dt_condition: '1' })).toEqual(['first of today']);
    // In London it is the afternoon of the same day for both.
    const london = { dt_condition: '1', time_zone: 'Europe/London' };
    expect(await names(london)).toEqual(['first of today', 'last of yesterday']);
  });

  it('of a guest move into the account; at 01:30 in Taipei they count for the day that has begun there [A55][A101]', async () => {
    await write([{ name: 'last of yesterday', createdAt: new Date(turnTo(1, 30) - 2 * HOUR_MS) }]);
    const guest = await app.guest();
    const asGuest = app.client({ token: guest.token });
    expect((await refusal(asGuest.call('orders', { input: {} }))).code).toBe('notAllowed');
    const { id } = await send(asGuest);
    await asGuest.call('login', { input: { email: me.email, password: me.password } });
    expect(await app.context.db.$count(orders, eq(orders.ownerId, guest.userId))).toBe(0);
    const today = await list({ dt_condition: '1' });
    expect([today.total, today.data.flatMap(({ media }) => media.map((one) => one.id))]).toEqual([1, [id]]);
    turnTo(0, 5);
    expect((await list({ dt_condition: '1' })).total).toBe(0);
    expect((await list({ dt_condition: '7' })).total).toBe(2);
  });

  it('go with the account', async () => {
    await client.call('deleteAccount', { input: { password: me.password } });
    app.clock.advance((LIMITS.account.graceDays + 1) * DAY_MS);
    await deleteRemovedAccounts(app.context);
    expect(await app.context.db.$count(orders)).toBe(0);
  });
});
