import { createHash } from 'node:crypto';
import { type Client, type FramePlaylist, LIMITS } from '@framelift/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { friendships } from '../../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { frame as deviceNamed, ended, refusal, smallJpeg, upload } from '../../testing/uploads.ts';

const SCREEN = { width: 1920, height: 1080, pixelRatio: 1 };

describe('what a frame plays', () => {
  let app: TestApp;
  let mia: Client;
  let miasId: string;
  let ken: Client;
  let kensId: string;
  let friendship: string;
  /** Flat pictures of Mia, and one of Ken. */
  let pictures: string[];
  let kens: string;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
    const [one, two] = [await app.member(), await app.member()];
    mia = app.client({ token: one.token });
    miasId = one.userId;
    ken = app.client({ token: two.token });
    kensId = two.userId;
    const flat = async (client: Client, seed: number) =>
      (await upload(app, client, await smallJpeg(seed), { effect_param_id: 0 })).id;
    pictures = [await flat(mia, 1), await flat(mia, 2), await flat(mia, 3)];
    kens = await flat(ken, 4);
    friendship = await befriend();
  });
  afterAll(() => app.close());

  async function befriend(): Promise<string> {
    const { db, ids, clock } = app.context;
    const id = ids.uuid();
    await db.insert(friendships).values({
      id,
      requesterId: miasId,
      targetEmail: 'ken@example.com',
      targetEmailLower: 'ken@example.com',
      targetId: kensId,
      createdAt: clock.now(),
      confirmedAt: clock.now(),
    });
    return id;
  }

  /** Returns a frame that a member has paired. */
  async function paired(owner: Client, { screen = SCREEN, kind = 'Chrome, Linux' } = {}) {
    const codes = await app.client().call('startFrame', { input: { screen, kind } });
    const { id } = await owner.call('addDevice', { input: { deviceId: codes.user_code } });
    const { access_token: token } = await app.client().call('pollFrame', { input: { device_code: codes.device_code } });
    const client = app.client({ token });
    const get = (etag?: string, path = 'playlist') =>
      fetch(`${app.url}/api/frame/${path}`, {
        headers: { authorization: `Bearer ${token}`, ...(etag ? { 'if-none-match': etag } : {}) },
      });
    const playlist = () => client.call('framePlaylist');
    /** Waits until nothing is being made any more. */
    const settled = () =>
      vi.waitFor(
        async () => {
          const list = await playlist();
          if (list.waiting > 0) throw new Error(`${list.waiting} are waiting`);
          return list;
        },
        { timeout: 60_000, interval: 100 },
      );
    const show = (client: Client, media: string[], albums: string[] = []) =>
      client.call('showOnFrame', { input: { frames: [id], media_ids: media, album_ids: albums } });
    return { id, token, client, get, playlist, settled, show };
  }
  const mediaOf = ({ items }: FramePlaylist) => items.map(({ mediaId }) => mediaId);

  it('plays what was shown on it, with files that are what the playlist says, and answers 304 until something changes', async () => {
    const shelf = await paired(mia);
    expect(await shelf.playlist()).toMatchObject({ items: [], waiting: 0, frame: { id: shelf.id, owner: 'Mia' } });
    await shelf.show(mia, pictures.slice(0, 2));
    const list = await shelf.settled();
    expect(mediaOf(list)).toEqual(pictures.slice(0, 2));
    const [first] = list.items;
    expect(first).toMatchObject({ kind: 'picture', effect: 0, sender: null, seconds: null, quilt: null });
    const file = first?.files.main ?? expect.fail('no file');
    expect(file.url.startsWith('/files/')).toBe(true);
    const answer = await fetch(app.url + file.url);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get('content-type')).toBe(file.type);
    expect(bytes.length).toBe(file.size);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(file.sha256);
    const part = await fetch(app.url + file.url, { headers: { range: 'bytes=0-9' } });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10]);

    const etag = (await shelf.get()).headers.get('etag') ?? '';
    expect(etag).toBe(`"${list.version}"`);
    expect((await shelf.get(etag)).status).toBe(304);
    expect((await shelf.get(etag, 'feed')).status).toBe(304);
    expect((await shelf.get('"another"')).status).toBe(200);
    const feed = await shelf.client.call('frameFeed');
    expect(feed.items).toMatchObject([
      { id: first?.id, title: 'shop.jpg', sha256: file.sha256, size: file.size, layout: 'whole' },
      {},
    ]);
    expect(feed.items[0]?.url.startsWith('http://framelift.test/files/')).toBe(true);
  });

  it('has another version after every change, removal included [A91]', async () => {
    const shelf = await paired(mia);
    const { id } = shelf;
    const seen = new Set<string>();
    const isNew = async (what: string) => {
      const { version } = await shelf.settled();
      expect([what, seen.has(version)]).toEqual([what, false]);
      seen.add(version);
    };
    await isNew('empty');
    const [{ items = [] } = {}] = await shelf.show(mia, pictures.slice(0, 2));
    await isNew('added');
    const [one = '', two = ''] = items;
    await mia.call('moveFrameItem', { params: { id }, input: { item: two, before: one } });
    await isNew('moved');
    await mia.call('fitFrameItem', { params: { id }, input: { item: one, fit: 'fill' } });
    await isNew('fitted');
    await mia.call('setFrameOptions', { params: { id }, input: { brightness: 0.5 } });
    await isNew('dimmed');
    await mia.call('renameFrame', { input: { id, name: 'Attic' } });
    await isNew('renamed');
    await mia.call('removeFrameItems', { params: { id }, input: { items: [one] } });
    await isNew('removed');
    const album = await mia.call('albumCreate', { input: { name: 'Summer' } });
    await shelf.show(mia, [], [album.id]);
    await mia.call('editToAlbum', { input: { id: album.id, editType: 'add', media_ids: [pictures[2] ?? ''] } });
    await isNew('added to an album');
    expect(mediaOf(await shelf.playlist())).toEqual([pictures[1], pictures[2]]);
    await mia.call('editToAlbum', { input: { id: album.id, editType: 'delete', media_ids: [pictures[2] ?? ''] } });
    await mia.call('editToAlbum', { input: { id: album.id, editType: 'add', media_ids: [pictures[0] ?? ''] } });
    await isNew('another in the album');
    await mia.call('deleteAlbum', { input: { id: album.id } });
    const { version } = await shelf.playlist();
    await mia.call('deleteMedia', { input: { id: pictures[1] ?? '' } });
    await isNew('deleted');
    await mia.call('restoreMedia', { input: { id: pictures[1] ?? '' } });
    expect((await shelf.playlist()).version).toBe(version);
  });

  it('shows what an allowed friend sends, marked, and nothing of them as soon as that is withdrawn', async () => {
    const shelf = await paired(mia);
    const { id } = shelf;
    expect((await refusal(shelf.show(ken, [kens]))).code).toBe('frameNotFound');
    expect(await ken.call('framesOfFriends')).toEqual([]);
    const allow = (allowed: boolean) =>
      mia.call('setFrameSender', { params: { id }, input: { friend: friendship, allowed } });
    expect(await mia.call('frameSenders', { params: { id } })).toMatchObject([{ friend: friendship, allowed: false }]);
    expect(await allow(true)).toMatchObject([{ allowed: true }]);
    expect(await ken.call('framesOfFriends')).toMatchObject([{ id, owner: 'Mia' }]);
    await shelf.show(mia, [pictures[0] ?? '']);
    await shelf.show(ken, [kens]);
    const list = await shelf.settled();
    expect(mediaOf(list)).toEqual([pictures[0], kens]);
    expect(list.items.map(({ sender }) => sender)).toEqual([null, 'Mia']);
    expect((await mia.call('notifications', { input: {} })).data[0]?.content).toContain('something new');
    // The friend sees their own picture there, and nothing else.
    expect(await ken.call('frameItems', { params: { id } })).toMatchObject([{ media_id: kens }]);
    expect((await mia.call('frameItems', { params: { id } })).map(({ sender }) => sender)).toEqual([null, 'Mia']);
    for (const cover of (await mia.call('frameItems', { params: { id } })).map((item) => item.cover))
      expect(cover).not.toBeNull();

    const url = list.items[1]?.files.main?.url ?? '';
    expect((await fetch(app.url + url)).status).toBe(200);
    await allow(false);
    expect(mediaOf(await shelf.playlist())).toEqual([pictures[0]]);
    expect((await fetch(app.url + url)).status).toBe(404);
    expect((await refusal(ken.call('frameItems', { params: { id } }))).code).toBe('frameNotFound');
    await allow(true);
    expect(mediaOf(await shelf.playlist())).toEqual([pictures[0]]);
    await shelf.show(ken, [kens]);
    expect(mediaOf(await shelf.settled())).toEqual([pictures[0], kens]);
    // The end of the friendship.
    await app.context.db.delete(friendships).where(eq(friendships.id, friendship));
    expect(mediaOf(await shelf.playlist())).toEqual([pictures[0]]);
    friendship = await befriend();
  });

  it('keeps the order of two who move at the same time, and never two items in one place', async () => {
    const shelf = await paired(mia);
    const { id } = shelf;
    const [{ items = [] } = {}] = await shelf.show(mia, pictures);
    const move = (item: string, before: string | null) =>
      mia.call('moveFrameItem', { params: { id }, input: { item, before } });
    const [a = '', b = '', c = ''] = items;
    await Promise.all([move(a, null), move(c, a), move(b, null), shelf.show(mia, pictures), move(a, b)]);
    const order = (await mia.call('frameItems', { params: { id } })).map((item) => item.id);
    expect([...order].sort()).toEqual([...items].sort());
    await move(order[2] ?? '', order[0] ?? '');
    const after = (await mia.call('frameItems', { params: { id } })).map((item) => item.id);
    expect(after).toEqual([order[2], order[0], order[1]]);
    expect((await refusal(move(a, app.context.ids.uuid()))).code).toBe('frameItemNotFound');
  });

  it('tells the owner what it shows, when each picture was first shown, and what went wrong', async () => {
    const shelf = await paired(mia);
    const { id } = shelf;
    const [{ items = [] } = {}] = await shelf.show(mia, pictures.slice(0, 2));
    const { version, items: playing } = await shelf.settled();
    const beat = (report: object) =>
      shelf.client.call('frameHeartbeat', { input: { version: '2.0.0', screen: SCREEN, ...report } });
    const state = async () => await mia.call('getFrame', { params: { id } });
    expect(await state()).toMatchObject({ state: 'downloading', count: 2, waiting: 0, showing: null });
    const since = app.context.clock.now().toISOString();
    await beat({
      playlist: version,
      showing: { item: playing[0]?.id, since },
      shown: [playing[0]?.id],
      problems: [{ item: playing[1]?.id, code: 'notDecoded', detail: 'no decoder' }],
    });
    expect(await state()).toMatchObject({
      state: 'upToDate',
      showing: { item: items[0], name: 'shop.jpg', since, cover: expect.stringContaining('/cover') },
      problems: [{ name: 'shop.jpg', code: 'notDecoded', detail: 'no decoder' }],
    });
    const shown = (await mia.call('frameItems', { params: { id } })).map((item) => item.shown_at);
    expect(shown).toEqual([expect.stringMatching(/^20/), null]);
    await mia.call('removeFrameItems', { params: { id }, input: { items } });
    expect(await state()).toMatchObject({ state: 'empty', showing: null });
    await mia.call('restoreFrameItems', { params: { id }, input: { items } });
    expect(await state()).toMatchObject({ state: 'upToDate' });
    // A page of an earlier version reports less.
    await beat({});
    expect(await state()).toMatchObject({ state: 'upToDate', version: '2.0.0' });
    app.clock.advance(LIMITS.frames.onlineSeconds * 1000);
    expect(await state()).toMatchObject({ state: 'offline' });
  });

  it('knows a light field by its panel, and a tablet with the same panel as a plain frame', async () => {
    const names = new Map((await mia.call('getDeviceType')).map(({ id, name }) => [id, name]));
    const panel = { width: 1536, height: 2048, pixelRatio: 1 };
    const device = async (screen: typeof panel, kind: string) => {
      const { id } = await paired(mia, { screen, kind });
      const { device_type_id, options } = await mia.call('getFrame', { params: { id } });
      return [names.get(device_type_id ?? -1) ?? null, options.mode];
    };
    expect(await device(panel, 'Chrome, Windows')).toEqual(['Looking Glass Portrait', 'quilt']);
    expect(await device(panel, 'Safari, iPad')).toEqual(['Plain 3:4 frame', 'parallax']);
    expect(await device({ ...panel, width: 1440, height: 2560 }, 'Chrome, Windows')).toEqual([
      'Looking Glass Go',
      'quilt',
    ]);
    expect(await device({ ...panel, width: 3840, height: 2160 }, 'Chrome, Linux')).toEqual([null, 'parallax']);
  });

  it('crops a picture again for a frame of another ratio, as a copy that nobody sees, and follows its changes', async () => {
    const { device } = await deviceNamed(mia, '3D projector (half side by side)');
    const portrait = await deviceNamed(mia, 'Looking Glass Portrait');
    const own = await upload(app, mia, await smallJpeg(9, 640, 640), {
      deviceType: portrait.device.id,
      effect_param_id: portrait.strength(60),
    });
    await ended(mia, own.id);
    const used = await mia.call('getUserUsage');
    const shelf = await paired(mia);
    const { id } = shelf;
    await mia.call('setFrameDevice', { params: { id }, input: { device_type_id: device.id } });
    await shelf.show(mia, [own.id]);
    expect(await shelf.playlist()).toMatchObject({ items: [], waiting: 1 });
    expect(await mia.call('frameItems', { params: { id } })).toMatchObject([{ state: 'waiting' }]);
    const [item] = (await shelf.settled()).items;
    expect(item).toMatchObject({ mediaId: own.id, effect: 60, budget: device.disparityBudget });
    expect((item?.width ?? 0) / (item?.height ?? 1)).toBeCloseTo(16 / 9, 1);
    expect(item?.files.main).toMatchObject({ layout: 'sideBySide', type: 'image/jpeg' });
    const file = await fetch(app.url + (item?.files.main?.url ?? ''));
    expect(file.status).toBe(200);
    await file.body?.cancel();
    const listed = (await mia.call('videos', { input: {} })).data.map((media) => media.id);
    expect(listed.filter((media) => media === own.id)).toHaveLength(1);
    expect(new Set(listed).size).toBe(listed.length);
    expect((await mia.call('getUserUsage')).used).toBe(used.used);

    await mia.call('changeMedia', { params: { id: own.id }, input: { effect_param_id: portrait.strength(100) } });
    expect((await shelf.playlist()).items).toEqual([]);
    await ended(mia, own.id);
    const [changed] = (await shelf.settled()).items;
    expect(changed).toMatchObject({ mediaId: own.id, effect: 100 });
    expect(changed?.files.main?.sha256).not.toBe(item?.files.main?.sha256);
    await mia.call('deleteMedia', { input: { id: own.id } });
    expect((await shelf.playlist()).items).toEqual([]);
  }, 180_000);
});
