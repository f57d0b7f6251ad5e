import { buffer } from 'node:stream/consumers';
import type { Client } from '@framelift/contract';
import { errorText } from '@framelift/texts/node';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { conversions, media, notifications, users } from '../../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { openStream } from '../../testing/events.ts';
import { ended, refusal, smallJpeg, upload } from '../../testing/uploads.ts';
import { accountJobs, removeAccounts } from '../account/account.jobs.ts';
import { fail } from '../media/convert/attempt.ts';
import { notifyOfEnd, notifyOfFrame, notifyOfFriend, notifyOfGuestUploads, notifyOfLinkUpload } from './notify.ts';

describe('notifications', () => {
  let app: TestApp;
  let me: Client;
  let token: string;
  let userId: string;
  let password: string;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
    ({ token, userId, password } = await app.member());
    me = app.client({ token });
  });
  afterAll(() => app.close());

  beforeEach(() => app.context.db.delete(notifications).then(() => {}));

  const list = async (client = me, page?: string) =>
    client.call('notifications', { input: page === undefined ? {} : { page } });
  /** Creates a media of the member without running its conversion. */
  async function picture(name = 'shop.jpg') {
    const bytes = await smallJpeg();
    const details = { name, size: bytes.length, type: 'image/jpeg' };
    const { id } = await upload(app, me, bytes, { effect_param_id: 0, originalDetails: details });
    return { id, ownerId: userId, name, mediaType: 1 };
  }
  const tell = (
    what: Awaited<ReturnType<typeof picture>>,
    failure: 'pictureDamaged' | null = null,
    format: string | null = null,
  ) => app.context.db.transaction((tx) => notifyOfEnd(app.context, tx, { media: what, format, failure }));

  it('tells a member that a conversion has ended, once, with title, content and time, in the place of what was told before [R-3.notification.1][R-7.lists.9]', async () => {
    expect(await list()).toMatchObject({ data: [], hasNext: false, next: null });
    const before = app.clock.now().getTime();
    const { id } = await upload(app, me, await smallJpeg());
    await ended(me, id);
    const { data } = await list();
    expect(data).toEqual([
      {
        id: expect.any(String),
        title: 'Your picture is ready',
        content: 'You can view “shop.jpg” and download it.',
        release_at: expect.any(String),
        kind: 'upload',
        is_read: false,
        account: 'Mia',
        link: `/result/${id}`,
        media_id: id,
      },
    ]);
    expect(Date.parse(data[0]?.release_at ?? '')).toBeGreaterThanOrEqual(before);
    // An ended conversion is not ended again, whichever process comes late.
    const [conversion] = await app.context.db.select().from(conversions).where(eq(conversions.mediaId, id));
    await fail(app.context, { conversionId: conversion?.id ?? '' });
    expect((await list()).data).toEqual(data);

    // A failure replaces the notification, and so does the next result.
    await tell({ id, ownerId: userId, name: 'shop.jpg', mediaType: 1 }, 'pictureDamaged');
    expect((await list()).data).toMatchObject([
      {
        title: 'A picture could not be converted',
        content: `“shop.jpg”: ${errorText('pictureDamaged', 'en')}`,
        kind: 'warning',
      },
    ]);
    await me.call('changeMedia', { params: { id }, input: { convergence: 0.4 } });
    await ended(me, id);
    expect((await list()).data).toMatchObject([{ title: 'Your picture is ready', media_id: id }]);
  });

  it('records a conversion that is given up in the transaction that ends it', async () => {
    const { id } = await picture();
    const conversionId = app.context.ids.uuid();
    const { db } = app.context;
    await db
      .insert(conversions)
      .values({ id: conversionId, mediaId: id, failureCode: 'pictureTooLarge', createdAt: app.clock.now() });
    await fail(app.context, { conversionId });
    await fail(app.context, { conversionId });
    expect((await list()).data).toMatchObject([
      { content: `“shop.jpg”: ${errorText('pictureTooLarge', 'en')}`, kind: 'warning', media_id: id },
    ]);
    // If the transaction fails, the end is not recorded.
    await db.update(media).set({ status: 1 }).where(eq(media.id, id));
    const second = app.context.ids.uuid();
    await db
      .insert(conversions)
      .values({ id: second, mediaId: id, failureCode: 'pictureTooLarge', createdAt: app.clock.now() });
    const broken = { ...app.context, ids: { ...app.context.ids, uuid: () => 'not an id' } };
    await expect(fail(broken, { conversionId: second })).rejects.toThrow();
    expect((await me.call('media', { params: { id } })).status).toBe(1);
    expect(await db.$count(conversions, eq(conversions.state, 'waiting'))).toBe(1);
    await db.delete(conversions).where(eq(conversions.id, second));
  });

  it('reads in the language of whoever asks, names and all [R-4.lang-change.2]', async () => {
    const one = await picture('{failure} $& 海辺.jpg');
    await tell(one, 'pictureDamaged');
    await tell(one, null, 'hsbs');
    const read = async (language: string) => (await list(app.client({ token, language }))).data;
    expect((await read('zh'))[1]).toMatchObject({
      title: '照片無法轉換',
      content: `「{failure} $& 海辺.jpg」：${errorText('pictureDamaged', 'zh')}`,
    });
    expect(await read('ja')).toMatchObject([
      {
        title: '動画を別の形式に変換しました',
        content: '「{failure} $& 海辺.jpg」をご希望の形式でダウンロードできます。',
      },
      { title: '写真を変換できませんでした' },
    ]);
  });

  it('goes on after the last one seen, newest first, without a repeat when more arrive meanwhile [A97]', async () => {
    const one = await picture();
    for (let n = 0; n < 22; n++) {
      await tell(one, null, `format ${n}`);
      app.clock.advance(1000);
    }
    const first = await list();
    expect(first.data).toHaveLength(20);
    expect(first.hasNext).toBe(true);
    await tell(one, null, 'one more');
    const cursor = new URLSearchParams((first.next ?? '').split('?')[1]).get('page') ?? '';
    const second = await list(me, cursor);
    expect(second.data).toHaveLength(2);
    expect(second.next).toBeNull();
    const times = [...first.data, ...second.data].map(({ release_at }) => release_at);
    expect(times).toEqual([...times].sort().reverse());
    expect((await refusal(list(me, 'nonsense'))).code).toBe('invalidInput');
  });

  it('shows nothing before its time', async () => {
    const one = await picture();
    await tell(one);
    const later = new Date(app.clock.now().getTime() + 60_000);
    await app.context.db.update(notifications).set({ releaseAt: later }).where(eq(notifications.userId, userId));
    expect((await list()).data).toEqual([]);
    app.clock.advance(61_000);
    expect((await list()).data).toHaveLength(1);
  });

  it('marks as read what is named, and nothing of another member [A56]', async () => {
    const one = await picture();
    await tell(one);
    await tell(one, null, 'hsbs');
    const [newer, older] = (await list()).data.map(({ id }) => id);
    const stranger = app.client({ token: (await app.member()).token });
    const unknown = app.context.ids.uuid();
    expect(await stranger.call('readNotifications', { input: { ids: [newer ?? '', unknown] } })).toEqual({ read: 0 });
    expect((await list(stranger)).data).toEqual([]);
    expect((await list()).data.map(({ is_read }) => is_read)).toEqual([false, false]);
    expect(await me.call('readNotifications', { input: { ids: [newer ?? '', unknown] } })).toEqual({ read: 1 });
    expect(await me.call('readNotifications', { input: { ids: [newer ?? ''] } })).toEqual({ read: 0 });
    expect((await list()).data).toMatchObject([
      { id: newer, is_read: true },
      { id: older, is_read: false },
    ]);
  });

  it('reaches an open page when it is sent, when its time has come, when it is read elsewhere, and when it goes with its picture', async () => {
    const stream = await openStream(`${app.url}/api/notifications/events`, token);
    expect(stream.response.headers.get('content-type')).toMatch('text/event-stream');
    const events = stream.events[Symbol.asyncIterator]();
    const changed = async () => expect((await events.next()).value?.event).toBe('notifications');
    await changed();
    const one = await picture();
    await tell(one);
    await changed();
    const [sent] = (await list()).data;
    await me.call('readNotifications', { input: { ids: [sent?.id ?? ''] } });
    await changed();
    // Hidden until later, and then shown without anything being sent.
    const releaseAt = new Date(app.clock.now().getTime() + 60_000);
    const row = {
      id: app.context.ids.uuid(),
      userId,
      kind: 'info',
      code: 'framePaired',
      data: { name: 'Shelf' },
    } as const;
    await app.context.db.insert(notifications).values({ ...row, releaseAt });
    expect((await list()).data).toHaveLength(1);
    app.clock.advance(61_000);
    await changed();
    expect((await list()).data).toMatchObject([{ id: row.id }, { id: sent?.id }]);
    await me.call('deleteMedia', { input: { id: one.id } });
    await changed();
    expect((await list()).data).toMatchObject([{ id: row.id }]);
    stream.leave();
  });

  it('says who sent it and where to go on', async () => {
    const { context } = app;
    await context.db.transaction(async (tx) => {
      await notifyOfFrame(context, tx, 'frameReceived', { ownerId: userId, name: 'Shelf', sender: 'Grandma' });
      app.clock.advance(1000);
      await notifyOfFrame(context, tx, 'framePaired', { ownerId: userId, name: 'Shelf' });
      app.clock.advance(1000);
      await notifyOfFriend(context, tx, 'friendRequest', { userId, name: 'Bo' });
      app.clock.advance(1000);
      await notifyOfLinkUpload(context, tx, { userId, sender: 'Ken', link: 'Wedding' });
      app.clock.advance(1000);
      await notifyOfGuestUploads(context, tx, userId);
    });
    expect((await list()).data.map(({ account, link, kind }) => [account, link, kind])).toEqual([
      ['Mia', '/member/video', 'warning'],
      ['Ken', '/member/video', 'upload'],
      ['Bo', '/addfriend', 'info'],
      ['Mia', '/menu/frameSetting', 'info'],
      ['Grandma', '/menu/frameSetting', 'info'],
    ]);
    // Who has no name goes by the address.
    await context.db.update(users).set({ name: '' }).where(eq(users.id, userId));
    expect((await list()).data[0]?.account).toMatch(/@/);
    await context.db.update(users).set({ name: 'Mia' }).where(eq(users.id, userId));
  });

  it('goes out of the list with its picture, and comes back with it', async () => {
    const one = await picture();
    await tell(one);
    await me.call('deleteMedia', { input: { id: one.id } });
    expect((await list()).data).toEqual([]);
    await me.call('restoreMedia', { input: { id: one.id } });
    expect((await list()).data).toHaveLength(1);
  });

  it('is not kept for guests, who have nowhere to read it', async () => {
    const guest = await app.guest();
    const { id } = await picture();
    await tell({ id, ownerId: guest.userId, name: 'shop.jpg', mediaType: 1 });
    expect(await app.context.db.$count(notifications)).toBe(0);
    expect((await refusal(list(app.client({ token: guest.token })))).code).toBe('notAllowed');
  });

  it('comes along in the export and goes with the account', async () => {
    await tell(await picture('sea.jpg'));
    const { url } = await me.call('exportAccount', { input: { password } });
    const response = await fetch(new URL(url, app.url), { headers: { authorization: `Bearer ${token}` } });
    const zip = await fromBufferPromise(Buffer.from(await response.arrayBuffer()));
    const entry = await zip.eachEntry().next();
    const account = JSON.parse((await buffer(await zip.openReadStreamPromise(entry.value))).toString());
    expect(account.notifications).toMatchObject([{ title: 'Your picture is ready', is_read: false }]);

    await me.call('deleteAccount', { input: { password } });
    app.clock.advance(15 * 86_400_000);
    const job = accountJobs.find((handler) => handler.job.name === removeAccounts.name) ?? expect.fail('no handler');
    await job.run(app.context, {}, { id: 'x', attempt: 1, signal: new AbortController().signal });
    await vi.waitFor(async () => {
      expect(await app.context.db.$count(users, eq(users.id, userId))).toBe(0);
    });
    expect(await app.context.db.$count(notifications, eq(notifications.userId, userId))).toBe(0);
  });
});
