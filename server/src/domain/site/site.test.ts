import { featurePreset, type Language } from '@framelift/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { features, operatorSettings } from '../../platform/db/schema.ts';
import { registration, startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { refusal } from '../../testing/uploads.ts';

const HOUR_MS = 3_600_000;

describe('what an operator sets for the whole site', () => {
  let app: TestApp;
  let admin: ReturnType<TestApp['client']>;
  let adminPassword: string;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
    ({ client: admin, password: adminPassword } = await app.admin('boss@example.com'));
  });
  afterAll(() => app.close());

  const hours = (count: number) => new Date(app.clock.now().getTime() + count * HOUR_MS).toISOString();

  it('is no maintenance at first, with the window of the specification [R-3.configuration.3][R-9.maintenance.1]', async () => {
    expect(await app.client().call('config')).toMatchObject({
      isMaintenance: false,
      maintenance: { from: '2024-10-15T00:00:00+08:00', to: '2024-10-16T10:00:00+08:00' },
    });
  });

  it('may be maintenance: everybody but admins is told to come back, and what there is stays [R-2.route-maintenance.1]', async () => {
    const member = await app.member();
    const me = app.client({ token: member.token });
    const [from, to] = [hours(0), hours(2)];
    await admin.call('setMaintenance', { input: { on: true, from, to } });
    expect(await app.client().call('config')).toMatchObject({ isMaintenance: true, maintenance: { from, to } });

    const refused = await refusal(me.call('user'));
    expect(refused).toMatchObject({ code: 'maintenance', status: 503 });
    expect(refused.retryAfter).toBeGreaterThan(2 * 3600 - 60);
    expect((await refusal(app.client().call('getDeviceType'))).code).toBe('maintenance');
    // Admins can still log in.
    const input = { email: 'boss@example.com', password: adminPassword };
    const { token } = await app.client().call('login', { input });
    expect((await app.client({ token }).call('user')).isAdmin).toBe(true);

    await admin.call('setMaintenance', { input: { on: false, from, to } });
    expect((await me.call('user')).id).toBe(member.userId);
  });

  it('may be maintenance that another process switched: seen within seconds', async () => {
    const value = { on: true, from: hours(0), to: hours(-1) };
    await app.client().call('getDeviceType');
    await app.context.db.update(operatorSettings).set({ value }).where(eq(operatorSettings.name, 'maintenance'));
    app.clock.advance(3_000);
    const refused = await refusal(app.client().call('getDeviceType'));
    // After its announced end, the default of a minute is returned.
    expect([refused.code, refused.retryAfter]).toEqual(['maintenance', 60]);
    await admin.call('setMaintenance', { input: { ...value, on: false } });
  });

  it('is no announcement at first, or one of three languages from one time to another [R-3.configuration.2]', async () => {
    const shown = async () => {
      const { Announcement, announcement } = await app.client().call('config');
      return { Announcement, announcement };
    };
    const none = { Announcement: false, announcement: null };
    expect(await shown()).toEqual(none);
    const text = { en: 'New frames', zh: '新相框', ja: '新しいフレーム' };
    const put = (from: string, to: string) =>
      admin.call('setAnnouncement', { input: { announcement: { text, from, to } } });
    const first = await put(hours(1), hours(3));
    expect(await shown()).toEqual(none);
    app.clock.advance(2 * HOUR_MS);
    expect(await shown()).toEqual({ Announcement: true, announcement: first.announcement });
    app.clock.advance(2 * HOUR_MS);
    expect(await shown()).toEqual(none);

    const second = await put(hours(0), hours(3));
    expect(second.announcement?.id).not.toBe(first.announcement?.id);
    expect((await shown()).announcement?.text).toEqual(text);
    expect(await admin.call('setAnnouncement', { input: { announcement: null } })).toEqual({ announcement: null });
    expect(await shown()).toEqual(none);
    const half = { announcement: { text: { en: 'x', zh: '', ja: 'x' }, from: hours(0), to: hours(1) } };
    expect((await refusal(admin.call('setAnnouncement', { input: half }))).code).toBe('invalidInput');
  });

  it('refuses an announcement that ends before it begins, and shows a coming one to administrators alone', async () => {
    const text = { en: 'x', zh: 'x', ja: 'x' };
    const wrong = { announcement: { text, from: hours(2), to: hours(1) } };
    expect((await refusal(admin.call('setAnnouncement', { input: wrong }))).code).toBe('invalidInput');
    await admin.call('setAnnouncement', { input: { announcement: { text, from: hours(1), to: hours(2) } } });
    expect((await admin.call('siteSettings')).announcement?.text).toEqual(text);
    expect((await app.client().call('config')).announcement).toBeNull();
    await admin.call('setAnnouncement', { input: { announcement: null } });
  });

  it('switches features one by one or to a preset, which every process sees within seconds', async () => {
    const shown = async () => (await app.client().call('config')).features;
    const full = await shown();
    expect(full).toEqual(featurePreset('full'));
    await admin.call('setFeatures', { input: { features: { store: 'off' } } });
    expect(await shown()).toEqual({ ...full, store: 'off' });
    expect(await admin.call('setFeatures', { input: { preset: 'literal', features: { convert2to3: 'on' } } })).toEqual({
      ...featurePreset('literal'),
      convert2to3: 'on',
    });
    const [entry] = (await admin.call('auditLog', { input: { action: 'features' } })).data;
    expect(entry).toMatchObject({ target: 'literal', before: { store: 'off' }, after: { store: 'in_development' } });
    expect(entry?.after).not.toHaveProperty('convert2to3');

    // As if changed by another process.
    await app.context.db.update(features).set({ state: 'on' }).where(eq(features.name, 'store'));
    app.clock.advance(3_000);
    expect((await shown()).store).toBe('on');
    const wrong = { features: { store: 'sometimes' as 'on' } };
    expect((await refusal(admin.call('setFeatures', { input: wrong }))).code).toBe('invalidInput');
    await admin.call('setFeatures', { input: { preset: 'full' } });
    expect(await shown()).toEqual(full);
  });

  it('closes registration, guests and shared links, each with its own sentence in every language', async () => {
    const guestId = 'a'.repeat(20);
    const member = app.client({ token: (await app.member()).token });
    const id = app.context.ids.uuid();
    const calls = {
      signUp: (language: Language) =>
        app.client({ language }).call('register', { input: registration('x@example.com') }),
      guests: (language: Language) => app.client({ language }).call('guestLogin', { input: { guestId } }),
      shares: () => member.call('shareMedia', { input: { id } }),
    };
    const { token } = await app.guest();
    for (const name of ['signUp', 'guests', 'shares'] as const) {
      await admin.call('setFeatures', { input: { features: { [name]: 'off' } } });
      const refused = await refusal(calls[name]('ja'));
      expect([refused.code, refused.status]).toEqual([`${name}Closed`, 403]);
      if (name !== 'shares') expect(refused.message).toMatch(/現在/);
      await admin.call('setFeatures', { input: { features: { [name]: 'on' } } });
    }
    await calls.signUp('en');
    expect((await calls.guests('en')).user.isGuest).toBe(true);
    expect((await refusal(calls.shares())).code).toBe('mediaNotFound');
    // Who has begun as a guest goes on.
    await admin.call('setFeatures', { input: { features: { guests: 'off' } } });
    expect((await app.client({ token }).call('user')).isGuest).toBe(true);
    await admin.call('setFeatures', { input: { features: { guests: 'on' } } });
  });

  it('writes down who switched maintenance, from what to what, and from where', async () => {
    const [from, to] = [hours(0), hours(1)];
    await admin.call('setMaintenance', { input: { on: true, from, to } });
    await admin.call('setMaintenance', { input: { on: false, from, to } });
    const [off, on] = (await admin.call('auditLog', { input: { action: 'maintenance' } })).data;
    expect(on).toMatchObject({ after: { on: true, from, to }, by: { name: 'Mia' } });
    expect(off).toMatchObject({
      before: { on: true },
      after: { on: false },
      address: expect.stringContaining('127.0'),
    });
  });
});
