import { type api, type DeviceTypeInput, MEDIA_STATUS, type MediaDetail, type SentInputOf } from '@framelift/contract';
import { DEVICES } from '@framelift/engine/formats';
import { afterAll, beforeAll, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { hashSecret } from '../../platform/secrets.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { portrait, refusal, requestFor, smallJpeg, storedKeys, upload } from '../../testing/uploads.ts';
import { insertFrame } from '../frame/frame.sql.ts';
import { newFrameToken } from '../frame/frame-token.ts';

const MIB = 1024 * 1024;
type Client = ReturnType<TestApp['client']>;

/** Queries for what members store and may store. Others run meanwhile. */
const STORAGE = /from "(objects|media|settings|subscriptions)"/;

describe('what operators run', () => {
  let database: TestDatabase;
  let app: TestApp;
  let admin: Client;
  let boss: Awaited<ReturnType<TestApp['admin']>>;
  let mia: Awaited<ReturnType<TestApp['member']>>;
  let me: Client;
  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp(database);
    boss = await app.admin('boss@example.com');
    admin = boss.client;
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    mia = await app.member();
    me = app.client({ token: mia.token });
  });

  const newestEntry = async () => (await admin.call('auditLog', { input: {} })).data[0];
  const deviceNamed = async (name: string) => {
    const { media: _media, ...device } =
      (await admin.call('managedDeviceTypes')).find((one) => one.name === name) ?? expect.fail(name);
    return device as DeviceTypeInput & { id: number };
  };
  const setDevice = (input: SentInputOf<typeof api.setDeviceType>) => admin.call('setDeviceType', { input });

  describe('device types', () => {
    it('are listed with all that an operator edits, in the notation of the specification [R-3.device-type.1][R-3.device-type.2][R-3.device-type.3]', async () => {
      const all = await admin.call('managedDeviceTypes');
      expect(all.map(({ name }) => name)).toEqual(DEVICES.map(({ name }) => name));
      expect(all[0]).toEqual({
        id: expect.any(Number),
        name: 'Looking Glass Portrait',
        note: '',
        ratio: '3,4',
        extendResolution: '2048,1536',
        is_actived: true,
        format: 'quilt',
        quilt: { columns: 8, rows: 6, width: 3360, height: 3360 },
        disparityBudget: 12,
        media: 0,
      });
      // Saved unchanged, none is refused and none is changed: the rules hold for every seed.
      for (const { media: _media, ...device } of all) await setDevice(device as DeviceTypeInput);
      expect(await admin.call('managedDeviceTypes')).toEqual(all);
      expect((await admin.call('auditLog', { input: { action: 'deviceType' } })).data).toEqual([]);
    });

    it('are refused where ratio and resolution, or format and grid, contradict each other', async () => {
      const device = await deviceNamed('Looking Glass Portrait');
      const wrong: Partial<DeviceTypeInput>[] = [
        { ratio: '4,3' },
        { extendResolution: '1536,2048' },
        { ratio: '3' },
        { quilt: null },
        { format: 'hsbs' },
        { disparityBudget: 0 },
        { quilt: { columns: 0, rows: 6, width: 3360, height: 3360 } },
        { name: ' ' },
      ];
      for (const change of wrong)
        expect((await refusal(setDevice({ ...device, ...change }))).code).toBe('invalidInput');
      expect(await deviceNamed('Looking Glass Portrait')).toEqual(device);
      const plain = await deviceNamed('Plain 3:4 frame');
      expect((await refusal(setDevice({ ...plain, ratio: '9,16' }))).code).toBe('invalidInput');
      expect((await refusal(setDevice({ ...device, id: 999_999 }))).code).toBe('unknownDeviceType');
    });

    it('once inactive can no longer be chosen, while what was made for them stays and can be made again; and undo it', async () => {
      const picture = await upload(app, me, await smallJpeg(), { effect_param_id: 0 });
      const input = await requestFor(me, await smallJpeg(1));
      const device = await deviceNamed('Looking Glass Portrait');
      expect(await setDevice({ ...device, is_actived: false })).toMatchObject({ is_actived: false, media: 1 });
      expect(await newestEntry()).toMatchObject({
        action: 'deviceType',
        target: 'Looking Glass Portrait',
        before: { isActive: true },
        after: { isActive: false },
      });
      expect((await me.call('getDeviceType')).map(({ name }) => name)).not.toContain('Looking Glass Portrait');
      expect((await refusal(me.call('requestUploadMedia', { input }))).code).toBe('unknownDeviceType');
      const kept: MediaDetail = await me.call('media', { params: { id: picture.id } });
      expect(kept).toMatchObject({ status: MEDIA_STATUS.finished, deviceType: { name: 'Looking Glass Portrait' } });
      await setDevice(device);
      await me.call('requestUploadMedia', { input });
    });

    it('are added with the usual strengths, and a changed name stands in every language', async () => {
      const { id: _id, ...portraitFields } = await deviceNamed('Looking Glass Portrait');
      const added = await setDevice({
        ...portraitFields,
        id: null,
        name: 'Shop window',
        ratio: '9,16',
        extendResolution: '2560,1440',
      });
      expect(added).toMatchObject({ name: 'Shop window', media: 0 });
      const offered = (await app.client({ language: 'ja' }).call('getDeviceType')).at(-1);
      expect(offered).toMatchObject({ id: added.id, name: 'Shop window', quilt: { columns: 8, rows: 6 } });
      const effects = await admin.call('managedEffects', { input: { device_type_id: String(added.id) } });
      expect(effects.map(({ effect, media_type }) => `${effect} ${media_type}`)).toEqual(
        [0, 1].flatMap((type) => [20, 40, 60, 80, 100].map((percent) => `${percent}% ${type}`)),
      );
      await setDevice({ ...portraitFields, id: added.id, name: 'Shop window', is_actived: false });
    });
  });

  it('strengths: added, reserved for VIPs, switched off, each written down [R-3.effect-param.2]', async () => {
    const { id } = await deviceNamed('3D TV (half side by side)');
    const offered = async () =>
      (await me.call('effect_params', { input: { device_type_id: String(id), media_type: '1' } })).data.map(
        ({ effect }) => effect,
      );
    const set = (percent: number, is_activated: boolean, vip_required: boolean) =>
      admin.call('setEffect', {
        input: { device_type_id: id, media_type: 1, percent, is_activated, vip_required },
      });
    expect(await set(50, true, false)).toMatchObject({ effect: '50%', is_activated: true });
    expect(await offered()).toEqual(['0%', '20%', '40%', '50%', '60%', '80%', '100%']);
    await set(50, true, true);
    await set(100, false, false);
    expect(await offered()).toEqual(['0%', '20%', '40%', '60%', '80%']);
    expect((await admin.call('auditLog', { input: { action: 'effect' } })).data).toMatchObject([
      { before: { percent: 100, active: true, vip: false }, after: { percent: 100, active: false, vip: false } },
      { before: { percent: 50, active: true, vip: false }, after: { percent: 50, active: true, vip: true } },
      { target: '3D TV (half side by side)', before: null, after: { percent: 50, active: true, vip: false } },
    ]);
    await set(100, true, false);
    const unknown = { device_type_id: 999_999, media_type: 1, percent: 50, is_activated: true, vip_required: false };
    expect((await refusal(admin.call('setEffect', { input: { ...unknown, media_type: 1 } }))).code).toBe(
      'unknownDeviceType',
    );
    expect((await refusal(set(0, true, false))).code).toBe('invalidInput');
  });

  it('paired frames: found by their owner, exported, and unpaired with a word to the owner', async () => {
    const { db, ids, clock } = app.context;
    const token = newFrameToken(app.context);
    const screen = { screenWidth: 1536, screenHeight: 2048, pixelRatio: 1 };
    await insertFrame(db, {
      id: ids.uuid(),
      ownerId: mia.userId,
      name: '=Shelf',
      kind: 'Chrome on Android',
      ...screen,
      tokenHash: hashSecret(token),
      createdAt: clock.now(),
    });
    const frame = app.client({ token });
    const size = { width: 1536, height: 2048, pixelRatio: 1 };
    const problem = { code: 'notDecoded', detail: 'no decoder' } as const;
    const problems = [{ ...problem, item: 'x' }];
    await frame.call('frameHeartbeat', { input: { version: '0.1.0', screen: size, problems } });
    const find = async (q: string) => (await admin.call('managedFrames', { input: { q } })).data;
    expect(await find('nobody')).toEqual([]);
    const [found] = await find(mia.email);
    expect(found).toMatchObject({
      name: '=Shelf',
      kind: 'Chrome on Android',
      owner: { id: mia.userId, email: mia.email },
      online: true,
      version: '0.1.0',
      screen: size,
      problems: [{ ...problem, at: expect.any(String) }],
    });
    const csv = await fetch(`${app.url}/api/managedFramesCsv?q=${mia.userId}`, {
      headers: { authorization: `Bearer ${await adminToken()}` },
    });
    expect(await csv.text()).toContain(`"'=Shelf"`.replaceAll('"', ''));

    const input = { id: found?.id ?? '' };
    await admin.call('unpairMemberFrame', { input });
    expect((await refusal(frame.call('thisFrame'))).code).toBe('tokenExpired');
    expect(await find(mia.userId)).toEqual([]);
    const [told] = (await me.call('notifications', { input: {} })).data;
    expect(told?.content).toBe('“=Shelf” was unpaired by the operator. You can pair it again.');
    expect(await newestEntry()).toMatchObject({ action: 'frame.unpaired', subject: { id: mia.userId } });
    expect(JSON.stringify(await newestEntry())).not.toContain('Shelf');
    expect((await refusal(admin.call('unpairMemberFrame', { input }))).code).toBe('frameNotFound');
  });

  const adminToken = async () => {
    const login = { email: 'boss@example.com', password: mia.password };
    return (await app.client().call('login', { input: login })).token;
  };

  it('storage: the limit of all, and one of a single member that wins; who stores most comes first', async () => {
    const bytes = await smallJpeg(2);
    const { id } = await upload(app, me, bytes, { effect_param_id: 0 });
    const own = async () => me.call('getUserUsage');
    const { limit: builtin } = await own();
    const setAll = (limit: number | null) => admin.call('setStorageDefault', { input: { limit } });
    const setOne = (limit: number | null) => admin.call('setUserStorage', { input: { id: mia.userId, limit } });
    await setAll(7 * MIB);
    expect((await own()).limit).toBe(7 * MIB);
    expect((await admin.call('siteSettings')).storage).toEqual({ limit: 7 * MIB, builtin });
    expect(await setOne(bytes.length + 10)).toMatchObject({
      email: mia.email,
      used: bytes.length,
      limit: bytes.length + 10,
      ownLimit: bytes.length + 10,
    });
    const input = await requestFor(me, await smallJpeg(3));
    expect((await refusal(me.call('requestUploadMedia', { input }))).code).toBe('storageLimitReached');
    // What was deleted comes back as far as the limit of this member allows, whatever that of all is.
    const many = { input: { media_ids: [id] } };
    await me.call('deleteManyMedia', many);
    await setOne(bytes.length - 1);
    expect((await refusal(me.call('restoreManyMedia', many))).code).toBe('storageLimitReached');
    await setOne(7 * MIB);
    await setAll(1);
    await me.call('restoreManyMedia', many);
    await setAll(7 * MIB);
    await setOne(bytes.length + 10);
    await setOne(null);
    await me.call('requestUploadMedia', { input });
    await setAll(null);
    expect((await own()).limit).toBe(builtin);

    const listed = await admin.call('storageUse', { input: {} });
    expect(listed.map(({ used }) => used)).toEqual(listed.map(({ used }) => used).sort((a, b) => b - a));
    expect((await admin.call('storageUse', { input: { q: mia.email } }))[0]).toMatchObject({
      id: mia.userId,
      ownLimit: null,
    });
    // What the list tells is what each of them is told, and the database is asked no more for many than for one.
    const usage = await own();
    expect(listed.find((row) => row.id === mia.userId)).toMatchObject(usage);
    const asked = async (input: object) => {
      const queries = vi.spyOn(database.pool, 'query') as unknown as MockInstance<(query: unknown) => unknown>;
      const { length } = await admin.call('storageUse', { input });
      // Others ask for other things meanwhile.
      const count = queries.mock.calls.filter(([query]) =>
        STORAGE.test((query as { text?: string }).text ?? ''),
      ).length;
      queries.mockRestore();
      return { length, count };
    };
    const [one, all] = [await asked({ q: mia.email }), await asked({})];
    expect([one.length, all.length > 1]).toEqual([1, true]);
    expect(one.count).toBeGreaterThan(0);
    expect(all.count).toBe(one.count);
    const entries = (await admin.call('auditLog', { input: {} })).data.slice(0, 4);
    expect(entries.map(({ action, after }) => [action, after])).toEqual([
      ['storage.default', { limit: null }],
      ['storage.member', { limit: null }],
      ['storage.member', { limit: bytes.length + 10 }],
      ['storage.default', { limit: 7 * MIB }],
    ]);
    expect(
      (await refusal(admin.call('setUserStorage', { input: { id: app.context.ids.uuid(), limit: 1 } }))).code,
    ).toBe('userNotFound');
  });

  it('the orders of all members, of one kind or one member, without their pictures, and none of guests', async () => {
    const other = await app.member();
    const guest = await app.guest();
    await upload(app, me, await smallJpeg(21), { effect_param_id: 0 });
    await upload(app, app.client({ token: other.token }), await smallJpeg(22), { effect_param_id: 0 });
    await upload(app, app.client({ token: guest.token }), await smallJpeg(23), { effect_param_id: 0 });
    const onSite = await admin.call('createOnSiteOrder', { input: { email: mia.email, name: 'Fair' } });
    const listed = async (input: SentInputOf<typeof api.managedOrders>) =>
      (await admin.call('managedOrders', { input })).data.map(({ type, member, media }) => [type, member.id, media]);
    expect((await listed({})).slice(0, 3)).toEqual([
      [1, mia.userId, 0],
      [0, other.userId, 1],
      [0, mia.userId, 1],
    ]);
    expect(await listed({ q: mia.email })).toEqual([
      [1, mia.userId, 0],
      [0, mia.userId, 1],
    ]);
    expect(await listed({ q: other.userId, kind: 'uploaded' })).toEqual([[0, other.userId, 1]]);
    expect(await listed({ q: mia.email, kind: 'purchased' })).toEqual([]);
    const [order] = (await admin.call('managedOrders', { input: { kind: 'onSite', q: mia.email } })).data;
    expect(order).toEqual(onSite);
  });

  it('pictures taken on site: an order of type 1 whose pictures belong to the member [R-3.order.3][R-2.videos.1]', async () => {
    const create = (email: string) => admin.call('createOnSiteOrder', { input: { email, name: 'Anniversary' } });
    expect((await refusal(create('nobody@example.com'))).code).toBe('userNotFound');
    const order = await create(mia.email.toUpperCase());
    expect(order).toMatchObject({ name: 'Anniversary', member: { id: mia.userId }, media: 0 });
    const { device } = await portrait(me);
    const send = async (seed: number) => {
      const bytes = await smallJpeg(seed);
      const {
        media_id: id,
        original,
        headers,
      } = await admin.call('requestOnSiteUpload', {
        input: {
          order_id: order.id,
          originalDetails: { name: `stage ${seed}.jpg`, size: bytes.length, type: 'image/jpeg' },
          deviceType: device.id,
          media_type: 1,
          effect_param_id: 0,
        },
      });
      // Announced but not sent, it is nobody's picture yet.
      expect((await me.call('orders', { input: {} })).data[0]?.media.map((one) => one.id)).not.toContain(id);
      await fetch(new URL(original, app.url), { method: 'PUT', headers, body: new Uint8Array(bytes) });
      const finish = () => admin.call('finishOnSiteUpload', { input: { order_id: order.id, id } });
      await finish();
      return { id, answer: await finish() };
    };
    const first = await send(11);
    const second = await send(12);
    expect(second.answer.media).toBe(2);
    await expect
      .poll(async () => (await admin.call('managedOrders', { input: { kind: 'onSite', q: mia.email } })).data, {
        timeout: 60_000,
      })
      .toMatchObject([{ id: order.id, member: { email: mia.email }, media: 2, finished: 2 }]);

    const own = (await me.call('orders', { input: { order_type: 'upload' } })).data;
    expect(own).toMatchObject([{ id: order.id, name: 'Anniversary', type: 1, costs: 0, progress: 100 }]);
    expect(own[0]?.media.map(({ id, type }) => [id, type])).toEqual([
      [first.id, 1],
      [second.id, 1],
    ]);
    const ofType = async (type: '0' | '1') =>
      (await me.call('videos', { input: { type } })).data.map(({ id }) => id).sort();
    expect(await ofType('1')).toEqual([first.id, second.id].sort());
    expect(await ofType('0')).toEqual([]);
    // The operator made them, and does not own them.
    expect((await refusal(admin.call('media', { params: { id: first.id } }))).code).toBe('mediaNotFound');
    expect((await admin.call('orders', { input: {} })).total).toBe(0);
    const [entry] = (await admin.call('auditLog', { input: { action: 'order.onSite' } })).data;
    expect(entry).toMatchObject({ subject: { id: mia.userId } });

    const other = await admin.call('createOnSiteOrder', { input: { email: 'boss@example.com', name: 'Mine' } });
    const finishElsewhere = admin.call('finishOnSiteUpload', { input: { order_id: other.id, id: first.id } });
    expect((await refusal(finishElsewhere)).code).toBe('mediaNotFound');
    const mine = await upload(app, me, await smallJpeg(13), { effect_param_id: 0 });
    const [uploaded] = (await me.call('orders', { input: {} })).data.filter(({ type }) => type === 0);
    expect(uploaded?.media[0]?.id).toBe(mine.id);
    const intoUploaded = admin.call('finishOnSiteUpload', { input: { order_id: uploaded?.id ?? '', id: mine.id } });
    expect((await refusal(intoUploaded)).code).toBe('noOrder');
  });

  describe('the shop', () => {
    const name = (en: string) => ({ en, zh: '', ja: '' });
    const LINES = { en: [], zh: [], ja: [] };
    const visitor = () => app.client();
    const flat = async (seed: number) => (await upload(app, admin, await smallJpeg(seed), { effect_param_id: 0 })).id;
    const code = async (call: Promise<unknown>) => (await refusal(call)).code;

    async function product(given: Partial<SentInputOf<typeof api.setProduct>> = {}) {
      const { id: store_id } = await admin.call('setStore', { input: { id: null, name: name('Paper Moon') } });
      const texts = { name: name('Lanterns'), content: name('Four evenings.') };
      const draft = { id: null, store_id, ...texts, album_id: null, has_free: false, is_activated: false, ...given };
      return { input: draft, made: await admin.call('setProduct', { input: draft }) };
    }
    async function album(...pictures: string[]) {
      const { id } = await admin.call('albumCreate', { input: { name: 'Content' } });
      await admin.call('editToAlbum', { input: { id, editType: 'add', media_ids: pictures } });
      return id;
    }

    it('has stores with an icon made of a picture, which close and open again', async () => {
      const { id } = await admin.call('setStore', { input: { id: null, name: name('Cedar'), position: 7 } });
      const set = (given: object) =>
        admin.call('setStore', { input: { id, name: name('Cedar'), position: 7, ...given } });
      const made = await set({ icon_media: await flat(11) });
      expect(made).toMatchObject({ is_active: true, products: 0, name: name('Cedar') });
      const icon = await fetch(app.url + (made.icon ?? ''));
      expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      const theirs = await upload(app, me, await smallJpeg(12), { effect_param_id: 0 });
      expect(await code(set({ icon_media: theirs.id }))).toBe('mediaNotFound');
      // It stays where it is not named, and the file goes with the icon.
      expect((await set({ position: 8 })).icon).toBe(made.icon);
      const keys = () => storedKeys(app, 'results/');
      const before = (await keys()).length;
      expect((await set({ icon_media: null })).icon).toBeNull();
      expect((await keys()).length).toBe(before - 1);
      expect((await visitor().call('stores', { input: {} })).data.map((store) => store.name)).toContain('Cedar');
      await set({ is_active: false });
      expect((await visitor().call('stores', { input: {} })).data.map((store) => store.name)).not.toContain('Cedar');
      expect((await admin.call('managedStores')).find((store) => store.id === id)?.is_active).toBe(false);
      expect(await newestEntry()).toMatchObject({ action: 'store', target: 'Cedar', after: { isActive: false } });
      const unknown = admin.call('setStore', { input: { id: 99_999, name: name('None') } });
      expect(await code(unknown)).toBe('storeNotFound');
    });

    it('activates a product once it has something to show, and is free or for sale', async () => {
      const { input, made } = await product();
      const set = (given: object) => admin.call('setProduct', { input: { ...input, id: made.id, ...given } });
      expect(await code(set({ is_activated: true }))).toBe('productNotReady');
      const album_id = await album(await flat(13));
      expect(await code(set({ is_activated: true, album_id }))).toBe('productNotReady');
      // Operators see what is to come, and nobody else does.
      const draft = await set({ album_id });
      const cover = (token?: string) =>
        fetch(app.url + (draft.cover ?? ''), { headers: token ? { authorization: `Bearer ${token}` } : {} });
      expect([(await cover(boss.token)).status, (await cover(mia.token)).status]).toEqual([200, 404]);
      expect(await code(set({ album_id: app.context.ids.uuid() }))).toBe('albumNotFound');
      expect(await set({ is_activated: true, album_id, has_free: true })).toMatchObject({
        is_activated: true,
        album: { id: album_id, name: 'Content', ready: 1, waiting: 0 },
        offers: 0,
        members: 0,
      });
      await me.call('product_subscribe', { input: { target: made.id } });
      const [row] = (await admin.call('managedProducts', { input: { store: String(input.store_id) } })).data;
      expect(row).toMatchObject({ id: made.id, members: 1 });
      expect((await fetch(app.url + (row?.cover ?? ''))).status).toBe(200);
      expect(await newestEntry()).toMatchObject({ action: 'product', after: { isActivated: true, hasFree: true } });
      expect(await code(set({ has_free: false, album_id, is_activated: true }))).toBe('productNotReady');
      // Members who saved it keep it.
      await set({ album_id });
      expect(await me.call('check_product_subscribe', { input: { target: made.id } })).toMatchObject({ isFree: true });
      expect((await me.call('albums', { input: {} })).data).toMatchObject([{ id: album_id }]);
    });

    it('sells at prices that never change: another price is another offer, and the old one keeps its own', async () => {
      const { input, made } = await product();
      const offer = { kind: 'product', product_id: made.id, period: 3, price_usd: 1200, price_twd: 360_00 } as const;
      const first = await admin.call('setOffer', { input: { ...offer, id: null } });
      await admin.call('setProduct', {
        input: { ...input, id: made.id, album_id: await album(await flat(14)), is_activated: true },
      });
      const sold = async () =>
        (await visitor().call('product_solutions', { input: { product_id: String(made.id) } })).data;
      expect((await sold()).map(({ id, costs, period }) => [id, costs, period])).toEqual([[first.id, 1200, 3]]);

      const renamed = await admin.call('setOffer', { input: { ...offer, id: first.id, name: name('A season') } });
      expect(renamed.id).toBe(first.id);
      const dearer = await admin.call('setOffer', { input: { ...offer, id: first.id, price_usd: 1500 } });
      expect(dearer.id).not.toBe(first.id);
      expect((await sold()).map(({ id, costs }) => [id, costs])).toEqual([[dearer.id, 1500]]);
      const { data } = await admin.call('managedOffers', { input: { product_id: String(made.id) } });
      expect(data.map(({ id, price_usd, archived_at }) => [id, price_usd, archived_at !== null])).toEqual([
        [first.id, 1200, true],
        [dearer.id, 1500, false],
      ]);
      expect(await newestEntry()).toMatchObject({
        action: 'offer',
        target: `offer-${dearer.id}`,
        before: { priceUsd: 1200 },
        after: { priceUsd: 1500 },
      });

      for (const archived of [true, true, false])
        await admin.call('archiveOffer', { input: { id: dearer.id, archived } });
      expect(await sold()).toHaveLength(1);
      // Of nothing else, in whole dollars, and never for nothing.
      const other = { kind: 'points', points: 10, name: name('Ten') } as const;
      const asPoints = admin.call('setOffer', { input: { ...other, id: dearer.id, price_usd: 99 } });
      expect(await code(asPoints)).toBe('offerNotFound');
      for (const wrong of [{ price_twd: 360_50 }, { price_usd: 0 }, { period: 0 }])
        expect(await code(admin.call('setOffer', { input: { ...offer, id: null, ...wrong } }))).toBe('invalidInput');
      const pack = await admin.call('setOffer', { input: { ...other, id: null, price_usd: 99, position: 9 } });
      const packs = (await visitor().call('point_solutions', { input: {} })).data;
      expect(packs.at(-1)).toMatchObject({ id: pack.id, points: 10, name: 'Ten', prices: [{ costs: 99 }] });
    });

    it('has plans whose benefits change for all who have them, and that may be archived and given for nothing', async () => {
      const [prime] = (await admin.call('managedPlans')).filter((plan) => plan.name.en === 'Prime');
      const { id = 0, members: _members, archived_at: _archived, ...plan } = prime ?? expect.fail('no Prime');
      const set = (given: object) => admin.call('setPlan', { input: { ...plan, id, archived: false, ...given } });
      const give = (plan_id: number | null) => admin.call('giveUserPlan', { input: { id: mia.userId, plan_id } });
      expect(await give(id)).toEqual({ plan_id: id });
      expect(await me.call('getCurrentPlan')).toEqual({ plan: { id, icon: 'prime', name: 'Prime' } });
      expect(await newestEntry()).toMatchObject({ action: 'user.plan', before: { plan: 1 }, after: { plan: id } });
      await set({ storage_bytes: 77 * 1024 ** 3 });
      expect((await me.call('getUserUsage')).limit).toBe(77 * 1024 ** 3);

      expect(await set({ archived: true, storage_bytes: plan.storage_bytes })).toMatchObject({ members: 1 });
      expect((await me.call('getCurrentPlan')).plan.id).toBe(id);
      const offered = async () =>
        (await visitor().call('plan_solutions', { input: {} })).data.map(({ plan_id }) => plan_id);
      expect(await offered()).not.toContain(id);
      await set({ archived: false });
      expect(await offered()).toContain(id);

      const made = await admin.call('setPlan', {
        input: { ...plan, id: null, name: name('Studio'), content: LINES, archived: false },
      });
      expect(made.id).toBeGreaterThan(4);
      await admin.call('setOffer', {
        input: { id: null, kind: 'plan', plan_id: made.id, price_usd: 4900, position: 8 },
      });
      expect((await visitor().call('plan_solutions', { input: {} })).data.at(-1)).toMatchObject({
        plan_id: made.id,
        name: 'Studio',
        period: 1,
        prices: [{ currency: 'USD', costs: 4900 }],
      });
      expect(await give(null)).toEqual({ plan_id: 1 });
      expect((await me.call('getCurrentPlan')).plan.id).toBe(1);
      expect(await code(give(99_999))).toBe('planNotFound');
    });
  });
});
