import type { api, Client, InputOf } from '@framelift/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditLog, liveEvents } from '../../platform/db/schema.ts';
import { DAY_MS, HOUR_MS } from '../../platform/time.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { auditActions } from '../../testing/audit.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { watchAs } from '../../testing/live.ts';
import { codeOf, smallJpeg, upload } from '../../testing/uploads.ts';

type Input = InputOf<typeof api.setLiveEvent>;

describe('live events in the administration', () => {
  let app: TestApp;
  let admin: Client;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
    admin = (await app.admin()).client;
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    await app.context.db.delete(liveEvents);
    await app.context.db.delete(auditLog);
  });

  const event = (given: Partial<Input> = {}): Input => {
    const now = app.context.clock.now().getTime();
    return {
      id: null,
      title: { en: 'Final', zh: '決賽', ja: '決勝' },
      starts_at: new Date(now - HOUR_MS).toISOString(),
      ends_at: new Date(now + HOUR_MS).toISOString(),
      is_active: true,
      is_free_view: true,
      product_id: null,
      angles: [
        { id: null, name: { en: 'Goal', zh: '球門', ja: '' }, source: 'https://cdn.example.com/goal.m3u8?key=secret' },
        { id: null, name: { en: 'Stands', zh: '', ja: '' }, source: 'store:live/stands' },
      ],
      ...given,
    };
  };
  const set = (input: Input) => admin.call('setLiveEvent', { input });

  it('are added, changed with their angles in order, and written to the log without the keys of the broadcaster', async () => {
    const { starts_at, ends_at } = event();
    const added = await set(event({ starts_at, ends_at }));
    expect(added).toMatchObject({ state: 'live', viewers: 0, product: null, cover: null, angles: [{}, {}] });
    const [goal, stands] = added.angles;
    const { angles } = await set(
      event({
        ...{ id: added.id, starts_at, ends_at },
        title: { en: 'Grand final', zh: '', ja: '' },
        angles: [stands ?? expect.fail(), { id: null, name: { en: 'Sky', zh: '', ja: '' }, source: 'store:live/sky' }],
      }),
    );
    expect(angles.map(({ name }) => name.en)).toEqual(['Stands', 'Sky']);
    expect(angles[0]?.id).toBe(stands?.id);
    expect(angles.map(({ id }) => id)).not.toContain(goal?.id);
    const member = app.client({ token: (await app.member()).token, language: 'ja' });
    // A language without a text shows the English one.
    expect(await member.call('liveEvent', { params: { event_id: added.id } })).toMatchObject({ title: 'Grand final' });
    const log = JSON.stringify(await app.context.db.select().from(auditLog));
    expect(log).toContain('https://cdn.example.com/goal.m3u8?…');
    expect(log).not.toContain('secret');
    // Saving what is there already is no change.
    const title = { en: 'Grand final', zh: '', ja: '' };
    await set(event({ id: added.id, starts_at, ends_at, title, angles }));
    expect(await auditActions(admin)).toEqual(['liveEvent', 'liveEvent']);
  });

  it('tell how many watch', async () => {
    const { id } = await set(event());
    for (let viewers = 1; viewers <= 2; viewers += 1) {
      await watchAs(app.client({ token: (await app.member()).token }), id);
      expect((await admin.call('managedLiveEvent', { params: { id } })).viewers).toBe(viewers);
    }
  });

  it('take no end before the start, no angle of another event, no source inside, and no unknown product', async () => {
    const other = await set(event());
    const angles = (source: string, id: string | null = null) => [{ id, name: { en: 'A', zh: '', ja: '' }, source }];
    expect(await codeOf(set(event({ ends_at: event().starts_at })))).toBe('invalidInput');
    expect(await codeOf(set(event({ angles: angles('store:live/x', other.angles[0]?.id) })))).toBe('liveEventNotFound');
    for (const source of ['http://127.0.0.1/a', 'https://10.0.0.1/a', 'http://[::1]/a', 'http://localhost/a'])
      expect([source, await codeOf(set(event({ angles: angles(source) })))]).toEqual([source, 'liveSourceRefused']);
    for (const source of ['file:///etc/passwd', 'store:results/x', 'store:live/../x', 'https://me:pw@a.example/x', 'x'])
      expect([source, await codeOf(set(event({ angles: angles(source) })))]).toEqual([source, 'invalidInput']);
    expect(await codeOf(set(event({ product_id: 999_999 })))).toBe('productNotFound');
    expect(await codeOf(set(event({ id: app.context.ids.uuid() })))).toBe('liveEventNotFound');
    expect(await codeOf(set(event({ cover_media: app.context.ids.uuid() })))).toBe('mediaNotFound');
    expect((await admin.call('managedLiveEvents', { input: {} })).data).toHaveLength(1);
  });

  it('are deleted, and restored within a day; hidden ones are seen by operators alone', async () => {
    const { id } = await set(event());
    const shown = async () => (await app.client().call('liveEvents', { input: {} })).data.length;
    const listed = async () => (await admin.call('managedLiveEvents', { input: {} })).data.length;
    await admin.call('deleteLiveEvent', { input: { id } });
    expect([await shown(), await listed()]).toEqual([0, 0]);
    expect(await codeOf(admin.call('deleteLiveEvent', { input: { id } }))).toBe('liveEventNotFound');
    expect(await codeOf(set(event({ id })))).toBe('liveEventNotFound');
    expect(await admin.call('restoreLiveEvent', { input: { id } })).toMatchObject({ id, angles: [{}, {}] });
    expect([await shown(), await listed()]).toEqual([1, 1]);
    const { angles } = await admin.call('managedLiveEvent', { params: { id } });
    await set(event({ id, is_active: false, angles }));
    expect([await shown(), await listed()]).toEqual([0, 1]);
    expect(await codeOf(app.client().call('liveEvent', { params: { event_id: id } }))).toBe('liveEventNotFound');
    await admin.call('deleteLiveEvent', { input: { id } });
    expect(await auditActions(admin)).toEqual([
      'liveEvent',
      'liveEvent.deleted',
      'liveEvent.restored',
      'liveEvent',
      'liveEvent.deleted',
    ]);
    app.clock.advance(DAY_MS + 1);
    expect(await codeOf(admin.call('restoreLiveEvent', { input: { id } }))).toBe('liveEventNotFound');
  });

  it('have a picture made from one of the operator, for everybody to see', async () => {
    const { id: mediaId } = await upload(app, admin, await smallJpeg(), { effect_param_id: 0 });
    await expect
      .poll(async () => (await admin.call('media', { params: { id: mediaId } })).cover, { timeout: 60_000 })
      .not.toBeNull();
    const { id, cover, angles } = await set(event({ cover_media: mediaId }));
    const response = await fetch(`${app.url}${cover}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    await response.body?.cancel();
    // Without a word about it, it stays.
    expect((await set(event({ id, angles }))).cover).toBe(cover);
    expect((await set(event({ id, angles, cover_media: null }))).cover).toBeNull();
    expect((await fetch(`${app.url}${cover}`)).status).toBe(404);
  }, 90_000);

  it('can be watched from the countries that the operator names', async () => {
    expect(await admin.call('liveSettings')).toEqual({ countries: ['TW'] });
    expect(await codeOf(admin.call('setLiveSettings', { input: { countries: ['tw'] } }))).toBe('invalidInput');
    await admin.call('setLiveSettings', { input: { countries: ['TW', 'JP'] } });
    expect(await admin.call('liveSettings')).toEqual({ countries: ['TW', 'JP'] });
    expect(await auditActions(admin)).toEqual(['liveSettings']);
  });
});
