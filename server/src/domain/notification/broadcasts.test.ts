import type { Api, Client, SentInputOf } from '@framelift/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { broadcasts, users } from '../../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { openStream } from '../../testing/events.ts';
import { refusal } from '../../testing/uploads.ts';

describe('notifications of operators', () => {
  let app: TestApp;
  let admin: Client;
  let mia: Awaited<ReturnType<typeof enter>>;
  let vip: Awaited<ReturnType<typeof enter>>;
  const enter = async () => {
    const { token, userId, email } = await app.member();
    return { token, userId, email, client: app.client({ token }) };
  };
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
    const { db } = app.context;
    admin = (await app.admin()).client;
    mia = await enter();
    vip = await enter();
    await db.update(users).set({ vipAt: app.clock.now() }).where(eq(users.id, vip.userId));
  });
  afterAll(() => app.close());
  beforeEach(() => app.context.db.delete(broadcasts).then(() => {}));

  const title = { en: 'New pictures', zh: '新照片', ja: '' };
  const content = { en: 'Have a look.', zh: '來看看吧。', ja: '' };
  const send = (changes: Partial<SentInputOf<Api['sendNotification']>> = {}, client = admin) => {
    const id = app.context.ids.uuid();
    const release_at = app.clock.now().toISOString();
    const input = {
      id,
      audience: 'all',
      kind: 'info',
      title,
      content,
      link: '/store',
      release_at,
      ...changes,
    } as const;
    return client.call('sendNotification', { input });
  };
  const list = async (client: Client) => (await client.call('notifications', { input: {} })).data;

  it('reach all members, once, in the language of each, with their own read state', async () => {
    const id = app.context.ids.uuid();
    expect(await send({ id })).toEqual({ sent: 3 });
    // An answer was lost, and the operator presses again.
    expect(await send({ id })).toEqual({ sent: 3 });
    const [told, ...more] = await list(mia.client);
    expect(more).toEqual([]);
    expect(told).toMatchObject({
      title: 'New pictures',
      content: 'Have a look.',
      kind: 'info',
      account: 'Framelift',
      link: '/store',
      is_read: false,
    });
    expect((await list(app.client({ token: mia.token, language: 'zh' })))[0]?.title).toBe('新照片');
    // What has no text in a language is in English.
    expect((await list(app.client({ token: mia.token, language: 'ja' })))[0]?.title).toBe('New pictures');
    await mia.client.call('readNotifications', { input: { ids: [told?.id ?? ''] } });
    expect((await list(mia.client))[0]?.is_read).toBe(true);
    expect((await list(vip.client))[0]?.is_read).toBe(false);
    expect((await admin.call('managedNotifications', { input: {} })).data).toMatchObject([
      { id, audience: 'all', title, sent: 3, read: 1, withdrawn: false, member: null },
    ]);
    const { data } = await admin.call('auditLog', { input: { action: 'notification.sent' } });
    expect(data).toMatchObject([{ target: 'New pictures' }]);
  });

  it('reach the members of a role, or one member', async () => {
    // Administrators are VIPs as well.
    expect(await send({ audience: 'vip', title: { ...title, en: 'For VIPs' } })).toEqual({ sent: 2 });
    expect(await send({ audience: 'admin', title: { ...title, en: 'For us' } })).toEqual({ sent: 1 });
    const one = { audience: 'one', email: mia.email.toUpperCase(), kind: 'warning', link: null } as const;
    expect(await send({ ...one, title: { ...title, en: 'For Mia' } })).toEqual({ sent: 1 });
    const titles = async (client: Client) => (await list(client)).map((told) => told.title);
    expect(await titles(mia.client)).toEqual(['For Mia']);
    expect(await titles(vip.client)).toEqual(['For VIPs']);
    expect((await list(mia.client))[0]).toMatchObject({ kind: 'warning', link: null });
    for (const whom of [{}, { email: 'nobody@example.org' }])
      expect((await refusal(send({ audience: 'one', ...whom }))).code).toBe('userNotFound');
    const { data } = await admin.call('managedNotifications', { input: {} });
    expect(data.map(({ member }) => member?.email)).toEqual(
      data.map(({ title: of }) => (of.en === 'For Mia' ? mia.email : undefined)),
    );
  });

  it('are shown from their time on, to visitors those to all, and can be withdrawn and shown again', async () => {
    const id = app.context.ids.uuid();
    const release_at = new Date(app.clock.now().getTime() + 60_000).toISOString();
    await send({ id, release_at });
    await send({ audience: 'admin', title: { ...title, en: 'For us' } });
    const visible = async () => [
      (await list(mia.client)).length,
      (await app.client({ language: 'zh' }).call('publicNotifications', { input: {} })).data.map((one) => one.title),
    ];
    expect(await visible()).toEqual([0, []]);
    app.clock.advance(61_000);
    expect(await visible()).toEqual([1, ['新照片']]);
    const stream = await openStream(`${app.url}/api/notifications/events`, mia.token);
    const events = stream.events[Symbol.asyncIterator]();
    await events.next();
    const withdraw = (withdrawn: boolean) => admin.call('setNotificationWithdrawn', { input: { id, withdrawn } });
    await withdraw(true);
    // Open pages learn of it.
    expect((await events.next()).value?.event).toBe('notifications');
    stream.leave();
    expect(await visible()).toEqual([0, []]);
    await withdraw(false);
    await withdraw(false);
    expect(await visible()).toEqual([1, ['新照片']]);
    const { data } = await admin.call('auditLog', { input: { action: 'notification.withdrawn' } });
    expect(data).toMatchObject([{ after: { withdrawn: false } }, { after: { withdrawn: true } }]);
    const unknown = { id: app.context.ids.uuid(), withdrawn: true };
    expect((await refusal(admin.call('setNotificationWithdrawn', { input: unknown }))).code).toBe(
      'notificationNotFound',
    );
  });

  it('lead to pages of this site only, and have a title in English', async () => {
    for (const link of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      'store',
      '/a b',
      'javascript:alert(1)',
    ])
      expect((await refusal(send({ link }))).code).toBe('invalidInput');
    expect((await refusal(send({ title: { ...title, en: ' ' } }))).code).toBe('invalidInput');
    expect((await refusal(send({}, vip.client))).code).toBe('notAllowed');
  });
});
