import { type Client, MEDIA_STATUS, type PointKind } from '@framelift/contract';
import { drawScene, encoder } from '@framelift/engine/testing/pictures';
import { asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { conversions, media, pointEntries } from '../../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { ended, portrait, put, refusal, requestFor, smallJpeg, upload } from '../../testing/uploads.ts';
import { fail } from '../media/convert/attempt.ts';
import { startSession } from '../user/session.ts';
import { changePoints } from './points.ts';

describe('points', () => {
  let app: TestApp;
  let admin: Client;
  let adminId: string;
  let me: Client;
  let userId: string;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase(), { app: { rateLimiter: { db: null, limitsOf: () => [] } } });
    ({ client: admin, userId: adminId } = await app.admin());
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    const member = await app.member();
    ({ userId } = member);
    me = app.client({ token: member.token });
    await setPrice(null);
  });

  let pictures = 0;
  const jpeg = async () => Buffer.from(await smallJpeg(++pictures));
  const setPrice = (points: number | null, device: number | null = null, media_type: 0 | 1 = 1) =>
    admin.call('setConversionPrice', { input: { device_type_id: device, media_type, points } });
  const give = (amount: number, kind: PointKind = 'points', id = app.context.ids.uuid()) =>
    admin.call('correctPoints', { input: { id, userId, kind, amount, note: 'A gift' } });
  const balance = async () => {
    const { points, freePoints } = await me.call('user');
    return { points, freePoints };
  };
  /** Sends a picture without finishing it. */
  const send = async (given: object = {}) => {
    const bytes = await jpeg();
    const link = await me.call('requestUploadMedia', {
      input: await requestFor(me, bytes, { effect_param_id: 0, ...given }),
    });
    expect((await put(app, link, bytes)).ok).toBe(true);
    return link.media_id;
  };
  const finish = (id: string) => me.call('setMediaS3UploadFinish', { input: { id } });
  const list = (input: object = {}) => me.call('pointEntries', { input });
  const lines = async () => (await list()).data.map(({ reason, kind, amount }) => [reason, kind, amount]);

  const inWork = (id: string) =>
    vi.waitFor(async () => expect((await me.call('media', { params: { id } })).step).not.toBe('waiting'), {
      timeout: 30_000,
      interval: 20,
    });

  /** Checks that the balances are the sums of the ledger, at each of its entries. */
  async function checkLedger(): Promise<void> {
    const { db } = app.context;
    const rows = await db
      .select()
      .from(pointEntries)
      .where(eq(pointEntries.userId, userId))
      .orderBy(asc(pointEntries.createdAt), asc(pointEntries.id));
    const sums = { points: 0, freePoints: 0 };
    for (const { kind, amount, balance: after } of rows) {
      sums[kind] += amount;
      expect(after).toBe(sums[kind]);
    }
    expect(await balance()).toEqual(sums);
  }

  it('are the sum of their ledger after 20 requests at the same time, and never negative [A72]', async () => {
    await setPrice(3);
    await give(10);
    await give(4, 'freePoints');
    const uploads = await Promise.all(
      Array.from({ length: 6 }, (_, n) => send(n % 2 ? { points: 0 } : { free_points: 0 })),
    );
    const corrections = [2, -5, 1, -4, 3, -6, 2, -1, 5, -7, 1, -2, 4, -3];
    const results = await Promise.allSettled([
      ...uploads.map(finish),
      ...corrections.map((amount, n) => give(amount, n % 3 ? 'points' : 'freePoints')),
    ]);
    expect(results).toHaveLength(20);
    const reasons = results.map((result) => (result.status === 'fulfilled' ? 'done' : result.reason.code));
    expect(new Set(reasons)).toEqual(new Set(['done', ...reasons.filter((code) => /^notEnough/.test(code))]));
    await checkLedger();
    const done = reasons.slice(0, uploads.length).filter((code) => code === 'done').length;
    expect((await lines()).filter(([reason]) => reason === 'conversion')).toHaveLength(done);
  });

  it('for one conversion pay for one of two that are finished at once; the other one goes on after more were added [A72][R-5.points.1][R-8.catalogue.1]', async () => {
    await setPrice(5);
    await give(8);
    const ids = [await send(), await send()];
    const answers = await Promise.allSettled(ids.map(finish));
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const left = answers.findIndex(({ status }) => status === 'rejected');
    const error = await refusal(finish(ids[left] ?? ''));
    expect([error.status, error.code]).toEqual([402, 'notEnoughPoints']);
    expect(await balance()).toEqual({ points: 3, freePoints: 0 });
    await give(2);
    // The file has arrived: it is not sent again, and a lost answer costs nothing.
    expect((await finish(ids[left] ?? '')).uploaded).toBe(true);
    await finish(ids[left] ?? '');
    expect(await balance()).toEqual({ points: 0, freePoints: 0 });
    await checkLedger();
    expect((await me.call('orders', { input: {} })).data.map(({ costs, currency }) => [costs, currency])).toEqual([
      [5, 'points'],
      [5, 'points'],
    ]);
  });

  it('are of the kind that the request names, at the price of the server, told beforehand [R-5.points.2][R-8.catalogue.2]', async () => {
    const { device } = await portrait(me);
    expect(await me.call('prices')).toEqual([]);
    await setPrice(9);
    await setPrice(2, device.id);
    await setPrice(50, device.id, 0);
    expect(await me.call('prices')).toEqual([
      { device_type_id: null, media_type: 1, points: 9 },
      { device_type_id: device.id, media_type: 0, points: 50 },
      { device_type_id: device.id, media_type: 1, points: 2 },
    ]);
    const request = async (given: object) => requestFor(me, await jpeg(), { effect_param_id: 0, ...given });
    const code = async (given: object) =>
      (await refusal(me.call('requestUploadMedia', { input: await request(given) }))).code;
    // Refused before anything is sent.
    expect(await code({ free_points: 0 })).toBe('notEnoughFreePoints');
    expect(await code({ points: 0 })).toBe('notEnoughPoints');
    expect(await code({})).toBe('notEnoughPoints');
    await give(4, 'freePoints');
    await give(4);
    expect(await code({ deviceType: (await otherDevice()).id })).toBe('notEnoughPoints');
    await finish(await send({ free_points: 1 }));
    expect(await balance()).toEqual({ points: 4, freePoints: 2 });
    await finish(await send({ points: 1 }));
    expect(await balance()).toEqual({ points: 2, freePoints: 2 });
    // With both or neither: free ones, then bought ones.
    await finish(await send({ points: 0, free_points: 0 }));
    await finish(await send());
    expect(await balance()).toEqual({ points: 0, freePoints: 0 });
    for (const media_type of [0, 1] as const) await setPrice(null, device.id, media_type);
  });

  const otherDevice = async () =>
    (await me.call('getDeviceType')).find(({ name }) => !/Portrait/.test(name)) ?? expect.fail();

  it('cost what the member was told when the upload was announced, whatever the operator does meanwhile', async () => {
    await setPrice(2);
    await give(10);
    const id = await send();
    await setPrice(7);
    await finish(id);
    expect(await balance()).toEqual({ points: 8, freePoints: 0 });
  });

  it('are not charged to guests, to operators and for changes of what is paid for', async () => {
    await setPrice(3);
    const guest = app.client({ token: (await app.guest()).token });
    expect(await guest.call('prices')).toEqual([]);
    expect(await upload(app, guest, await jpeg(), { effect_param_id: 0 })).toMatchObject({ status: 1 });
    expect(await admin.call('prices')).toEqual([]);
    expect(await upload(app, admin, await jpeg(), { effect_param_id: 0 })).toMatchObject({ status: 1 });
    await give(3);
    const { id } = await upload(app, me, await jpeg(), { effect_param_id: 0 });
    const crop = { x: 0, y: 0, width: 300, height: 400 };
    await me.call('changeMedia', { params: { id }, input: { crop } });
    await ended(me, id);
    expect(await lines()).toEqual([
      ['conversion', 'points', -3],
      ['correction', 'points', 3],
    ]);
  });

  it('are returned once when a conversion fails for good, and charged again when it is tried again', async () => {
    await setPrice(3);
    await give(3, 'freePoints');
    const whole = await encoder(drawScene(480, 640)).avif().toBuffer();
    const damaged = whole.subarray(0, Math.round(whole.length * 0.6));
    const { id } = await upload(app, me, damaged, { effect_param_id: 0 });
    expect((await me.call('media', { params: { id } })).status).toBe(MEDIA_STATUS.unable);
    expect(await balance()).toEqual({ points: 0, freePoints: 3 });
    // Another process gives it up as well.
    const [conversion] = await app.context.db.select().from(conversions).where(eq(conversions.mediaId, id));
    await Promise.all([1, 2].map(() => fail(app.context, { conversionId: conversion?.id ?? '' })));
    await me.call('retryMedia', { input: { id } });
    await ended(me, id);
    expect(await lines()).toEqual([
      ['conversionReturned', 'freePoints', 3],
      ['conversion', 'freePoints', -3],
      ['conversionReturned', 'freePoints', 3],
      ['conversion', 'freePoints', -3],
      ['correction', 'freePoints', 3],
    ]);
    await give(-3, 'freePoints');
    // What was returned cannot be used again, by whatever way.
    expect((await refusal(me.call('retryMedia', { input: { id } }))).code).toBe('notEnoughPoints');
    const change = me.call('changeMedia', { params: { id }, input: { crop: { x: 0, y: 0, width: 300, height: 400 } } });
    expect((await refusal(change)).code).toBe('notEnoughPoints');
    expect((await me.call('media', { params: { id } })).status).toBe(MEDIA_STATUS.unable);
    await checkLedger();
  });

  it('are returned for what is cancelled or deleted before it has begun, and used by what was running', async () => {
    await setPrice(1);
    await give(3);
    const deep = async () => {
      const { strength } = await portrait(me);
      return upload(app, me, await jpeg(), { effect_param_id: strength(100) });
    };
    const first = await deep();
    await inWork(first.id);
    // One is converted at a time.
    const [second, third] = [await deep(), await deep()];
    await me.call('cancelMedia', { input: { id: second.id } });
    await me.call('deleteMedia', { input: { id: third.id } });
    await me.call('cancelMedia', { input: { id: first.id } });
    expect(await balance()).toEqual({ points: 2, freePoints: 0 });
    // It is paid for, and what was used is not returned by cancelling the retry before it begins.
    await me.call('changeMedia', {
      params: { id: second.id },
      input: { crop: { x: 0, y: 0, width: 300, height: 400 } },
    });
    expect(await balance()).toEqual({ points: 1, freePoints: 0 });
    await inWork(second.id);
    await me.call('retryMedia', { input: { id: first.id } });
    await me.call('cancelMedia', { input: { id: first.id } });
    await me.call('cancelMedia', { input: { id: second.id } });
    expect(await balance()).toEqual({ points: 1, freePoints: 0 });
    await me.call('retryMedia', { input: { id: first.id } });
    expect((await ended(me, first.id)).status).toBe(MEDIA_STATUS.finished);
    await me.call('restoreMedia', { input: { id: third.id } });
    await me.call('retryMedia', { input: { id: third.id } });
    expect(await balance()).toEqual({ points: 0, freePoints: 0 });
    await me.call('cancelMedia', { input: { id: third.id } });
    await checkLedger();
  });

  it('are not returned for what was delivered, when its lost files are made again and that is cancelled or fails', async () => {
    await setPrice(2);
    await give(4);
    const { id } = await upload(app, me, await jpeg(), { effect_param_id: 0 });
    expect(await balance()).toEqual({ points: 2, freePoints: 0 });
    const { db } = app.context;
    const [row] = await db.select().from(media).where(eq(media.id, id));
    const again = { status: MEDIA_STATUS.processing, resultRevision: null };
    const startAgain = () =>
      db.transaction(async (tx) => {
        const [locked] = await tx.update(media).set(again).where(eq(media.id, id)).returning();
        const conversionId = app.context.ids.uuid();
        // As when the files are lost, without a worker that is faster than this test.
        await tx.insert(conversions).values({ id: conversionId, mediaId: id, createdAt: app.clock.now() });
        return { conversionId, paidFor: locked?.paidFor };
      });
    const first = await startAgain();
    expect(first.paidFor).toBe(row?.paidFor);
    await me.call('cancelMedia', { input: { id } });
    expect(await balance()).toEqual({ points: 2, freePoints: 0 });
    const { conversionId } = await startAgain();
    await fail(app.context, { conversionId });
    expect((await me.call('media', { params: { id } })).status).toBe(MEDIA_STATUS.unable);
    await me.call('retryMedia', { input: { id } });
    await ended(me, id);
    expect(await balance()).toEqual({ points: 2, freePoints: 0 });
    await checkLedger();
  });

  it('of the owner pay for pictures that others send by a link, who are told nothing about them', async () => {
    await setPrice(2);
    const { device } = await portrait(me);
    const settings = { name: 'Wedding', device_type_id: device.id, days: 7, max_uploads: 5 };
    const token = (await me.call('createUploadLink', { input: settings })).url.split('/').at(-1) ?? '';
    const sender = app.client();
    const bytes = await jpeg();
    const file = { name: 'cake.jpg', size: bytes.length, type: 'image/jpeg' };
    const announce = () => sender.call('announceLinkUpload', { input: { token, sender: 'Aunt Mia', file } });
    const finishSent = (media_id: string) => sender.call('finishLinkUpload', { input: { token, media_id } });
    expect((await refusal(announce())).code).toBe('uploadLinkPaused');
    await give(3);
    const sent = [await announce(), await announce()];
    for (const link of sent) expect((await put(app, link, bytes)).ok).toBe(true);
    const [first = expect.fail(), second = expect.fail()] = sent;
    await finishSent(first.media_id);
    expect((await refusal(finishSent(second.media_id))).code).toBe('uploadLinkPaused');
    expect(await balance()).toEqual({ points: 1, freePoints: 0 });
    await me.call('cancelMedia', { input: { id: first.media_id } });
  });

  it('are listed page by page, by kind, with a reason in the language of whoever asks', async () => {
    for (const amount of [5, -2]) await give(amount);
    for (let n = 0; n < 20; n++) await give(1, 'freePoints');
    expect((await list({ kind: 'points' })).data).toMatchObject([
      {
        kind: 'points',
        amount: -2,
        balance: 3,
        reason: 'correction',
        title: 'Correction by the operator',
        note: 'A gift',
      },
      { amount: 5, balance: 5 },
    ]);
    const page = await list();
    expect([page.data.length, page.hasNext]).toEqual([20, true]);
    const next = new URL(page.next ?? '', app.url).searchParams.get('page') ?? '';
    const rest = (await list({ page: next })).data;
    expect(rest.map(({ balance: after }) => after)).toEqual([3, 5]);
    const { token } = await app.member();
    expect((await app.client({ token }).call('pointEntries', { input: {} })).data).toEqual([]);
    for (const [language, title] of [
      ['zh', '營運人員調整'],
      ['ja', '運営者による調整'],
    ] as const) {
      const { data } = await admin.call('userPointEntries', { params: { id: userId }, input: { kind: 'points' } });
      expect(data).toHaveLength(2);
      const theirs = app.client({ token: await startSession(app.context, app.context.db, userId, 'a test'), language });
      expect((await theirs.call('pointEntries', { input: {} })).data[0]?.title).toBe(title);
    }
  });

  it('are corrected by an operator once a call, for a reason, in the log, and not below zero', async () => {
    const id = app.context.ids.uuid();
    await Promise.all([1, 2, 3].map(() => give(6, 'points', id)));
    expect(await balance()).toEqual({ points: 6, freePoints: 0 });
    expect((await refusal(give(-7))).code).toBe('notEnoughPoints');
    expect((await refusal(give(-1, 'freePoints'))).code).toBe('notEnoughFreePoints');
    const input = { id: app.context.ids.uuid(), userId, kind: 'points', amount: 1, note: '' } as const;
    expect((await refusal(admin.call('correctPoints', { input }))).code).toBe('invalidInput');
    const guest = await app.guest();
    const toGuest = admin.call('correctPoints', { input: { ...input, note: 'A gift', userId: guest.userId } });
    expect((await refusal(toGuest)).code).toBe('userNotFound');
    const { data } = await admin.call('auditLog', { input: { subject: userId } });
    expect(data).toMatchObject([
      {
        action: 'points.corrected',
        by: { id: adminId },
        before: { points: 0 },
        after: { points: 6, reason: 'A gift' },
      },
    ]);
    await setPrice(4);
    await setPrice(5);
    const { data: prices } = await admin.call('auditLog', { input: { action: 'conversion.price' } });
    expect(prices[0]).toMatchObject({ before: { picture: 4 }, after: { picture: 5 } });
    const unknown = admin.call('setConversionPrice', { input: { device_type_id: 9999, media_type: 1, points: 1 } });
    expect((await refusal(unknown)).code).toBe('unknownDeviceType');
  });

  it('and their entry are written together or not at all', async () => {
    const { db } = app.context;
    const change = { userId, kind: 'points', amount: 4, reason: 'pack', reference: 'a payment' } as const;
    const lost = db.transaction(async (tx) => {
      await changePoints(app.context, tx, change);
      throw new Error('crash');
    });
    await expect(lost).rejects.toThrow('crash');
    expect(await list()).toMatchObject({ data: [] });
    const add = () => db.transaction((tx) => changePoints(app.context, tx, change));
    expect(await Promise.all([add(), add(), add()])).toEqual([4, 4, 4]);
    const charge = (n: number) =>
      db.transaction((tx) => changePoints(app.context, tx, { ...change, amount: -1, reference: `payment ${n}` }));
    const charges = await Promise.allSettled(Array.from({ length: 7 }, (_, n) => charge(n)));
    expect(charges.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    expect(await balance()).toEqual({ points: 0, freePoints: 0 });
    await checkLedger();
  });
});
