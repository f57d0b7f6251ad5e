import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Client, type FrameMode, type FramePlaylist, LIMITS, MEDIA_STATUS } from '@framelift/contract';
import { errorText } from '@framelift/texts/node';
import { and, eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  albums as albumRows,
  frameFiles,
  frameItems,
  frames,
  mediaAssets,
  media as mediaRows,
  objects,
  users,
} from '../../platform/db/schema.ts';
import { openDiskStorage } from '../../platform/storage/disk.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { createTestClock } from '../../testing/clock.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { openStream } from '../../testing/events.ts';
import {
  assetKey,
  frame as deviceNamed,
  ended,
  refusal,
  smallJpeg,
  storedKeys,
  upload,
} from '../../testing/uploads.ts';
import { smallVideo, videoSettings } from '../../testing/videos.ts';
import { fillAlbum } from '../album/albums.ts';
import { listFileVariants } from '../media/asset.sql.ts';
import { purge } from '../media/lifecycle/cleanup.ts';
import { evictFiles } from '../media/usage.sql.ts';
import { frameJobs } from './frame.jobs.ts';
import { showUpload } from './items.ts';

const SCREEN = { width: 1920, height: 1080, pixelRatio: 1 };

describe('what a frame plays', () => {
  let app: TestApp;
  let mia: Client;
  let miasId: string;
  let ken: Client;
  let kensId: string;
  let kensEmail: string;
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
    [kensId, kensEmail] = [two.userId, two.email];
    const flat = async (client: Client, seed: number) =>
      (await upload(app, client, await smallJpeg(seed), { effect_param_id: 0 })).id;
    pictures = [await flat(mia, 1), await flat(mia, 2), await flat(mia, 3)];
    kens = await flat(ken, 4);
    friendship = await befriend();
  });
  afterAll(() => app.close());

  /** Returns the id of a new friendship of Mia and Ken. */
  async function befriend(): Promise<string> {
    await mia.call('addFriend', { input: { email: kensEmail } });
    const [asked] = (await ken.call('friends', { input: { list: 'received' } })).data;
    return (await ken.call('confirmFriend', { input: { id: asked?.id ?? '' } })).id ?? '';
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
    expect(await mia.call('frameItems', { params: { id } })).toMatchObject([
      { sender: null, friend: null },
      { sender: 'Mia', friend: friendship },
    ]);
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
    await ken.call('deleteFriend', { input: { id: friendship } });
    expect(mediaOf(await shelf.playlist())).toEqual([pictures[0]]);
    friendship = await befriend();
  });

  it('takes nothing from friends while an operator has switched that off; what they sent before stays', async () => {
    const shelf = await paired(mia);
    const { id } = shelf;
    await mia.call('setFrameSender', { params: { id }, input: { friend: friendship, allowed: true } });
    const album = await ken.call('albumCreate', { input: { name: 'For Mia' } });
    const own = await ken.call('albumCreate', { input: { name: 'My own' } });
    await shelf.show(ken, [kens], [album.id]);
    const { client: admin } = await app.admin();
    await admin.call('setFeatures', { input: { features: { friendPictures: 'off' } } });
    const addTo = ({ id }: { readonly id: string }) =>
      ken.call('editToAlbum', { input: { id, editType: 'add', media_ids: [kens] } });
    for (const send of [() => shelf.show(ken, [kens]), () => addTo(album)]) {
      const closed = await refusal(send());
      expect([closed.code, closed.status]).toEqual(['friendPicturesClosed', 403]);
    }
    // An upload that was made for it is told of once, also if there are more.
    const told = async () => (await ken.call('notifications', { input: {} })).data.map(({ content }) => content);
    const before = await told();
    for (let n = 0; n < 2; n++) await fillAlbum(app.context, { mediaId: kens, destination: album.id });
    expect(await told()).toEqual([
      `What you uploaded for “For Mia” is in your content. ${errorText('friendPicturesClosed', 'en')}`,
      ...before,
    ]);
    await addTo(own);
    await shelf.show(mia, [pictures[0] ?? '']);
    expect(mediaOf(await shelf.settled())).toEqual([kens, pictures[0]]);
    await admin.call('setFeatures', { input: { features: { friendPictures: 'on' } } });
    await shelf.show(ken, [kens]);
    await addTo(album);
    expect(mediaOf(await shelf.settled())).toEqual([kens, kens, pictures[0]]);
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

  it('plays an upload that was made for it, as far as it is its sender’s own, still there and not full', async () => {
    const shelf = await paired(mia);
    const send = async (client: Client, seed: number, to: string) =>
      (await upload(app, client, await smallJpeg(seed), { effect_param_id: 0, to })).id;
    const first = await send(mia, 40, shelf.id);
    await expect.poll(async () => mediaOf(await shelf.settled())).toEqual([first]);
    await send(ken, 41, shelf.id);
    // Jobs of one type run in order: when this one has arrived, the one before has run.
    const second = await send(mia, 42, shelf.id);
    await expect.poll(async () => mediaOf(await shelf.settled())).toEqual([first, second]);
    const gone = await paired(mia);
    await mia.call('unpairFrame', { input: { id: gone.id } });
    const left = await send(mia, 43, gone.id);
    const third = await send(mia, 44, shelf.id);
    await expect.poll(async () => mediaOf(await shelf.settled())).toEqual([first, second, third]);
    expect((await mia.call('media', { params: { id: left } })).status).toBe(MEDIA_STATUS.finished);
  });

  it('keeps the time zone that the frame reports, until its owner chooses one', async () => {
    const shelf = await paired(mia);
    const { id } = shelf;
    const zone = async () => (await shelf.playlist()).options.timeZone;
    const beat = (timeZone?: string) =>
      shelf.client.call('frameHeartbeat', {
        input: { version: '2.0.0', screen: SCREEN, ...(timeZone !== undefined && { timeZone }) },
      });
    const { version } = await shelf.playlist();
    expect(await zone()).toBe(LIMITS.timeZone);
    await beat('europe/berlin');
    expect(await zone()).toBe('Europe/Berlin');
    expect((await shelf.playlist()).version).not.toBe(version);
    expect((await mia.call('getFrame', { params: { id } })).options.timeZone).toBe('Europe/Berlin');
    // Neither a page of an earlier version nor a zone that is unknown here changes it.
    await beat();
    await beat('Etc/Nowhere');
    expect(await zone()).toBe('Europe/Berlin');
    await mia.call('setFrameOptions', { params: { id }, input: { timeZone: 'Asia/Tokyo' } });
    await beat('America/Lima');
    expect(await zone()).toBe('Asia/Tokyo');
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

  it('tells the frame of every change within seconds, and ends its streams when it is unpaired', async () => {
    const shelf = await paired(mia);
    const { id } = shelf;
    const open = () => openStream(`${app.url}/api/frame/events`, shelf.token);
    const stream = await open();
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream');
    const events = stream.events[Symbol.asyncIterator]();
    const next = async () => (await events.next()).value;
    const current = async () => ({ event: 'playlist', data: { version: (await shelf.playlist()).version } });
    /** Reads on until the frame knows its present playlist: files that are made meanwhile are told of as well. */
    const untilCurrent = async () => {
      for (;;) {
        const event = (await next()) ?? expect.fail('The stream ended');
        if (isDeepStrictEqual(event, await current())) return;
      }
    };
    await untilCurrent();
    const album = await mia.call('albumCreate', { input: { name: 'Winter' } });
    await mia.call('editToAlbum', { input: { id: album.id, editType: 'add', media_ids: [pictures[0] ?? ''] } });
    await shelf.show(mia, [], [album.id]);
    await untilCurrent();
    // Nobody tells the frames of these changes: the server sees them in the database.
    await mia.call('editToAlbum', { input: { id: album.id, editType: 'add', media_ids: [pictures[1] ?? ''] } });
    await untilCurrent();
    await mia.call('deleteMedia', { input: { id: pictures[1] ?? '' } });
    await untilCurrent();
    await mia.call('restoreMedia', { input: { id: pictures[1] ?? '' } });
    await untilCurrent();
    expect(mediaOf(await shelf.playlist())).toHaveLength(2);
    // A frame that reconnects again and again keeps the newest streams.
    const others = await Promise.all([open(), open(), open()]);
    expect(others.map(({ response }) => response.status)).toEqual([200, 200, 200]);
    expect(await next()).toBeUndefined();
    const [last] = others;
    const ending = last?.events[Symbol.asyncIterator]();
    expect((await ending?.next())?.value).toEqual(await current());
    const url = (await shelf.playlist()).items[0]?.files.main?.url ?? '';
    await mia.call('unpairFrame', { input: { id } });
    expect((await ending?.next())?.value).toEqual({ event: 'unpaired', data: {} });
    expect((await ending?.next())?.done).toBe(true);
    expect((await refusal(shelf.playlist())).code).toBe('tokenExpired');
    expect((await fetch(app.url + url)).status).toBe(404);
    for (const { leave } of others) leave();
  });

  it('makes what is missing of a picture whose conversion has ended, for a frame that only listens', async () => {
    const projector = await deviceNamed(mia, '3D projector (half side by side)');
    const shelf = await paired(mia);
    const { id } = shelf;
    await mia.call('setFrameDevice', { params: { id }, input: { device_type_id: projector.device.id } });
    const stream = await openStream(`${app.url}/api/frame/events`, shelf.token);
    // Converted for a frame of another ratio: first a copy is made, and then its stereo pair.
    const own = await upload(app, mia, await smallJpeg(12), {});
    await shelf.show(mia, [own.id]);
    const state = async () => (await mia.call('frameItems', { params: { id } })).map((item) => item.state);
    expect(await state()).toEqual(['waiting']);
    await vi.waitFor(async () => expect(await state()).toEqual(['ready']), { timeout: 60_000, interval: 100 });
    stream.leave();
  }, 120_000);

  it('opens to nobody else: items of another frame, links of what is gone, and expired ones [A56]', async () => {
    const [shelf, kensFrame] = [await paired(mia), await paired(ken)];
    const [{ items = [] } = {}] = await shelf.show(mia, pictures.slice(0, 2));
    const { id } = shelf;
    const params = { id: kensFrame.id };
    const [one = '', two = ''] = items;
    const asKen = [
      ken.call('moveFrameItem', { params, input: { item: one, before: null } }),
      ken.call('removeFrameItems', { params, input: { items } }),
      ken.call('restoreFrameItems', { params, input: { items } }),
      ken.call('fitFrameItem', { params, input: { item: one, fit: 'fill' } }),
    ];
    for (const { code } of await Promise.all(asKen.map(refusal))) expect(code).toBe('frameItemNotFound');
    expect((await refusal(kensFrame.show(ken, pictures))).code).toBe('mediaNotFound');
    expect((await refusal(kensFrame.show(ken, [], [app.context.ids.uuid()]))).code).toBe('albumNotFound');
    // An allowed friend changes neither the frame nor what is not theirs.
    await mia.call('setFrameSender', { params: { id }, input: { friend: friendship, allowed: true } });
    const asFriend = [
      ken.call('getFrame', { params: { id } }),
      ken.call('moveFrameItem', { params: { id }, input: { item: one, before: null } }),
      ken.call('fitFrameItem', { params: { id }, input: { item: one, fit: 'fill' } }),
      ken.call('setFrameOptions', { params: { id }, input: { brightness: 1 } }),
      ken.call('setFrameDevice', { params: { id }, input: { device_type_id: null } }),
      ken.call('setFrameCalibration', { params: { id }, input: { calibration: null } }),
      ken.call('frameSenders', { params: { id } }),
      ken.call('retryFrameItems', { params: { id } }),
      ken.call('unpairFrame', { input: { id } }),
    ];
    for (const { code } of await Promise.all(asFriend.map(refusal))) expect(code).toBe('frameNotFound');
    const remove = (client: Client, ids: string[]) =>
      client.call('removeFrameItems', { params: { id }, input: { items: ids } });
    expect((await refusal(remove(ken, [one]))).code).toBe('frameItemNotFound');
    const [{ items: sent = [] } = {}] = await shelf.show(ken, [kens]);
    expect((await refusal(remove(ken, [sent[0] ?? '', two]))).code).toBe('frameItemNotFound');
    const list = await shelf.settled();
    expect(mediaOf(list)).toEqual([pictures[0], pictures[1], kens]);
    await remove(ken, sent);
    await remove(ken, sent);
    expect(mediaOf(await shelf.playlist())).toEqual(pictures.slice(0, 2));

    const [first = '', second = '', third = ''] = list.items.map(({ files }) => files.main?.url ?? '');
    const status = async (url: string) => {
      const answer = await fetch(app.url + url);
      await answer.body?.cancel();
      return answer.status;
    };
    expect(await Promise.all([first, second, third].map(status))).toEqual([200, 200, 404]);
    await remove(mia, [one]);
    expect(await status(first)).toBe(404);
    // The link is for this frame and no other.
    expect(await status(second.replace(id, kensFrame.id))).toBe(403);
    await mia.call('deleteMedia', { input: { id: pictures[1] ?? '' } });
    expect(await status(second)).toBe(404);
    await mia.call('restoreMedia', { input: { id: pictures[1] ?? '' } });
    expect(await status(second)).toBe(200);
    app.clock.advance(LIMITS.frames.linkHours * 3_600_000 + 1000);
    expect(await status(second)).toBe(410);
    const [fresh] = (await shelf.playlist()).items;
    expect(await status(fresh?.files.main?.url ?? '')).toBe(200);
  });

  it('takes a bounded number of items, of friends fewer, and restores what was removed for a day', async () => {
    const shelf = await paired(mia);
    const { id } = shelf;
    const { db, ids, clock } = app.context;
    const fill = (count: number, friendshipId: string | null) =>
      db.insert(frameItems).values(
        Array.from({ length: count }, (_, index) => {
          const addedById = friendshipId ? kensId : miasId;
          return {
            id: ids.uuid(),
            frameId: id,
            albumId: albums.get(addedById)?.[index],
            position: 1,
            addedById,
            friendshipId,
            createdAt: clock.now(),
          };
        }),
      );
    const albums = new Map<string, string[]>();
    for (const ownerId of [miasId, kensId]) {
      const rows = Array.from({ length: LIMITS.frames.items }, () => ({ id: ids.uuid(), ownerId, name: 'x' }));
      await db.insert(albumRows).values(rows.map((row) => ({ ...row, createdAt: clock.now() })));
      albums.set(
        ownerId,
        rows.map((row) => row.id),
      );
    }
    await mia.call('setFrameSender', { params: { id }, input: { friend: friendship, allowed: true } });
    await fill(LIMITS.frames.itemsOfFriend, friendship);
    expect((await refusal(shelf.show(ken, [kens]))).code).toBe('frameFull');
    const [{ items = [] } = {}] = await shelf.show(mia, pictures.slice(0, 1));
    expect((await shelf.show(mia, pictures.slice(0, 1)))[0]?.items).toEqual(items);
    await fill(LIMITS.frames.items - LIMITS.frames.itemsOfFriend - 1, null);
    expect((await refusal(shelf.show(mia, pictures))).code).toBe('frameFull');
    // An upload that was made for it meanwhile stays in the library alone, which its owner is told.
    const full = await db.$count(frameItems, eq(frameItems.frameId, id));
    await showUpload(app.context, { mediaId: pictures[2] ?? '', destination: id });
    expect(await db.$count(frameItems, eq(frameItems.frameId, id))).toBe(full);
    expect((await mia.call('notifications', { input: {} })).data[0]?.content).toContain(errorText('frameFull', 'en'));
    const change = (name: 'removeFrameItems' | 'restoreFrameItems') =>
      mia.call(name, { params: { id }, input: { items } });
    await change('removeFrameItems');
    await shelf.show(mia, pictures.slice(1, 2));
    expect((await refusal(change('restoreFrameItems'))).code).toBe('frameFull');
    // What is not shown leaves room, and takes it again when it comes back.
    const hidden = (deletedAt: Date | null) =>
      db.update(albumRows).set({ deletedAt }).where(eq(albumRows.ownerId, kensId));
    await hidden(clock.now());
    expect((await shelf.show(mia, pictures.slice(2, 3)))[0]?.items).toHaveLength(1);
    await hidden(null);
    expect((await refusal(change('restoreFrameItems'))).code).toBe('frameFull');
    await db.delete(frameItems).where(eq(frameItems.friendshipId, friendship));
    await change('restoreFrameItems');
    expect((await mia.call('frameItems', { params: { id } })).map((item) => item.id)).toContain(items[0]);
    await change('removeFrameItems');
    app.clock.advance(24 * 3_600_000);
    expect((await refusal(change('restoreFrameItems'))).code).toBe('frameItemNotFound');
    await frameJobs[0]?.run(app.context, {}, { id: '', attempt: 1, signal: new AbortController().signal });
    expect(await db.$count(frameItems, eq(frameItems.id, items[0] ?? ''))).toBe(0);
  });

  it('hides what a friend sent while their account is locked or about to be removed, and pages its frames without gaps', async () => {
    const shelf = await paired(mia);
    const { id } = shelf;
    const { db, clock } = app.context;
    await mia.call('setFrameSender', { params: { id }, input: { friend: friendship, allowed: true } });
    await shelf.show(ken, [kens]);
    expect(mediaOf(await shelf.settled())).toEqual([kens]);
    const set = (values: object) => db.update(users).set(values).where(eq(users.id, kensId));
    for (const [on, off] of [
      [{ restrictedAt: clock.now() }, { restrictedAt: null }],
      [{ deletionAt: clock.now() }, { deletionAt: null }],
    ] as const) {
      await set(on);
      expect(mediaOf(await shelf.playlist())).toEqual([]);
      await set(off);
      expect(mediaOf(await shelf.playlist())).toEqual([kens]);
    }
    await db.update(users).set({ restrictedAt: clock.now() }).where(eq(users.id, miasId));
    expect((await refusal(shelf.playlist())).code).toBe('accountRestricted');
    await db.update(users).set({ restrictedAt: null }).where(eq(users.id, miasId));

    for (let count = 0; count < 25; count++) {
      const { kind, screenWidth, screenHeight, pixelRatio } =
        (await db.select().from(frames).where(eq(frames.id, id)))[0] ?? expect.fail();
      const row = {
        kind,
        screenWidth,
        screenHeight,
        pixelRatio,
        ownerId: kensId,
        name: `${count}`,
        createdAt: clock.now(),
      };
      await db.insert(frames).values({ ...row, id: app.context.ids.uuid() });
    }
    const first = await ken.call('frames', { input: {} });
    const page = new URL(first.next ?? '', app.url).searchParams.get('page') ?? '';
    const second = await ken.call('frames', { input: { page } });
    const all = [...first.data, ...second.data].map((one) => one.id);
    expect(first.data).toHaveLength(LIMITS.pageSize);
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBe(await db.$count(frames, eq(frames.ownerId, kensId)));
  });
  it('crops a picture again for a frame of another ratio, as a copy that nobody sees, follows its changes and ends with it', async () => {
    const { device } = await deviceNamed(mia, '3D projector (half side by side)');
    const own = await upload(app, mia, await smallJpeg(9, 640, 640), { effect_param_id: 0 });
    const used = await mia.call('getUserUsage');
    const shelf = await paired(mia);
    const { id } = shelf;
    await mia.call('setFrameDevice', { params: { id }, input: { device_type_id: device.id } });
    await shelf.show(mia, [own.id]);
    const ratioOf = async () => {
      const [item] = (await shelf.settled()).items;
      return [item?.mediaId, ((item?.width ?? 0) / (item?.height ?? 1)).toFixed(2), item?.files.main?.layout];
    };
    expect(await ratioOf()).toEqual([own.id, '1.78', 'whole']);
    const sha = async () => (await shelf.settled()).items[0]?.files.main?.sha256;
    const first = await sha();
    const listed = (await mia.call('videos', { input: {} })).data.map((media) => media.id);
    expect(listed.filter((media) => media === own.id)).toHaveLength(1);
    expect((await mia.call('getUserUsage')).used).toBe(used.used);
    const copies = async () =>
      app.context.db.select({ id: mediaRows.id }).from(mediaRows).where(eq(mediaRows.copyOf, own.id));
    const [copy = { id: '' }] = await copies();
    expect(listed).not.toContain(copy.id);
    for (const name of ['deleteMedia', 'restoreMedia', 'retryMedia', 'cancelMedia', 'getMediaLink'] as const)
      expect((await refusal(mia.call(name, { input: { id: copy.id } }))).code).toBe('mediaNotFound');
    for (const name of ['media', 'undoMediaChange'] as const)
      expect((await refusal(mia.call(name, { params: { id: copy.id } }))).code).toBe('mediaNotFound');
    expect((await refusal(shelf.show(mia, [copy.id]))).code).toBe('mediaNotFound');
    expect((await refusal(mia.call('shareMedia', { input: { id: copy.id } }))).code).toBe('mediaNotFound');

    // Cropped anew at the top, and back.
    const { crop } = await mia.call('media', { params: { id: own.id } });
    const top = { x: 0, y: 0, width: 240, height: 320 };
    await mia.call('changeMedia', { params: { id: own.id }, input: { crop: top } });
    await ended(mia, own.id);
    expect(await sha()).not.toBe(first);
    await mia.call('undoMediaChange', { params: { id: own.id } });
    expect(await ended(mia, own.id)).toMatchObject({ crop });
    expect(await sha()).toBe(first);
    await mia.call('redoMediaChange', { params: { id: own.id } });
    await ended(mia, own.id);
    expect(await ratioOf()).toEqual([own.id, '1.78', 'whole']);
    expect(await copies()).toHaveLength(1);

    await mia.call('deleteMedia', { input: { id: own.id } });
    expect((await shelf.playlist()).items).toEqual([]);
    app.clock.advance(25 * 3_600_000);
    await purge(app.context);
    expect(await copies()).toEqual([]);
    const left = await app.context.db.select().from(objects).where(eq(objects.ownerId, miasId));
    const keys = await storedKeys(app, '');
    expect(left.filter(({ key }) => !keys.includes(key))).toEqual([]);
    expect(await app.context.db.$count(mediaAssets, eq(mediaAssets.mediaId, copy.id))).toBe(0);
  }, 120_000);

  it('makes the files of a mode in the background, once, says what failed and tries it again, and never evicts what plays', async () => {
    const portrait = await deviceNamed(mia, 'Looking Glass Portrait');
    const own = await upload(app, mia, await smallJpeg(10, 300, 400), { effect_param_id: portrait.strength(100) });
    const shelf = await paired(mia, { screen: { width: 1536, height: 2048, pixelRatio: 1 } });
    const { id } = shelf;
    await shelf.show(mia, [own.id]);
    expect(await shelf.playlist()).toMatchObject({ items: [], waiting: 1 });
    await ended(mia, own.id, 180_000);
    const [quilt] = (await shelf.settled()).items;
    expect(quilt).toMatchObject({ quilt: { columns: 8, rows: 6, aspect: 0.75 }, budget: 12, effect: 100 });
    expect(Object.keys(quilt?.files ?? {})).toEqual(['main']);
    const setMode = (mode: FrameMode) => mia.call('setFrameOptions', { params: { id }, input: { mode } });
    const stateOf = async () => (await mia.call('frameItems', { params: { id } }))[0];

    // A file that cannot be made.
    const depth = await assetKey(app, own.id, 'depthMap', '1');
    const path = join(app.dataDir, 'depth');
    expect(await app.context.storage.readTo(depth, path)).toBe(true);
    await app.context.storage.delete(depth);
    await setMode('sbs');
    await vi.waitFor(async () => expect(await stateOf()).toMatchObject({ state: 'failed' }), { timeout: 60_000 });
    expect((await stateOf())?.failure).toMatchObject({ code: 'conversionFailed' });
    expect(await shelf.playlist()).toMatchObject({ items: [], waiting: 0 });
    await app.context.storage.putFile(depth, path, 'image/png');
    await Promise.all([1, 2, 3].map(() => mia.call('retryFrameItems', { params: { id } })));
    await Promise.all([1, 2, 3].map(() => shelf.playlist()));
    await vi.waitFor(async () => expect(await stateOf()).toMatchObject({ state: 'ready' }), { timeout: 60_000 });
    const [pair] = (await shelf.settled()).items;
    expect(pair?.files.main).toMatchObject({ layout: 'sideBySide', type: 'image/jpeg' });
    expect(Object.keys(pair?.files ?? {})).toEqual(['main']);
    await mia.call('setFrameOptions', { params: { id }, input: { strength: 1.5 } });
    const layers = ['main', 'colour', 'depth', 'background', 'backgroundDepth'];
    expect(Object.keys((await shelf.settled()).items[0]?.files ?? {})).toEqual(layers);
    await setMode('parallax');
    const [flat] = (await shelf.settled()).items;
    expect([Object.keys(flat?.files ?? {}), flat?.files.main?.layout]).toEqual([layers, 'whole']);
    expect((await refusal(setMode('native'))).code).toBe('calibrationMissing');

    const evict = () =>
      app.context.db.transaction(async (tx) => {
        const all = { excess: Number.MAX_SAFE_INTEGER, kept: [], now: app.clock.now() };
        return (await evictFiles(tx, miasId, all)).count;
      });
    const variants = () => listFileVariants(app.context.db, own.id);
    const before = await variants();
    expect(before).toEqual(['flat', 'quilt', 'sbs']);
    await evict();
    expect(await variants()).toEqual(before);
    const { id: item = '' } = (await stateOf()) ?? {};
    await mia.call('removeFrameItems', { params: { id }, input: { items: [item] } });
    await evict();
    expect(await variants()).toEqual([]);
    await mia.call('restoreFrameItems', { params: { id }, input: { items: [item] } });
    expect((await shelf.settled()).items[0]?.files.main?.sha256).toBe(flat?.files.main?.sha256);
  }, 240_000);

  it('plays pictures in the pixels of its panel, and what there was until they are made', async () => {
    const plain = await deviceNamed(mia, 'Plain 3:4 frame');
    const jpeg = await smallJpeg(11, 2400, 3200);
    const settings = { deviceType: plain.device.id, effect_param_id: plain.strength(100) };
    const own = await upload(app, mia, jpeg, settings);
    await ended(mia, own.id, 120_000);
    const { db, clock } = app.context;
    const row = { mediaId: own.id, variant: 'flat~3840', createdAt: clock.now() };
    await db.insert(frameFiles).values(row);
    const shelf = await paired(mia, { screen: { width: 3840, height: 2160, pixelRatio: 1 } });
    await shelf.show(mia, [own.id]);
    const longest = async ({ items: [item] }: FramePlaylist) =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(item?.files ?? {}).map(async ([role, file]) => {
            const answer = await fetch(app.url + file?.url);
            const { width, height } = await sharp(await answer.arrayBuffer()).metadata();
            return [role, Math.max(width, height)] as const;
          }),
        ),
      );
    const small = { depth: 1280, background: 1280, backgroundDepth: 1280 };
    const before = await longest(await shelf.settled());
    expect(before).toEqual({ main: 2048, colour: 1280, ...small });
    await db.delete(frameFiles).where(eq(frameFiles.variant, row.variant));
    const untilIs = (sizes: object, on = shelf) =>
      vi.waitFor(async () => expect(await longest(await on.settled())).toEqual(sizes), {
        timeout: 120_000,
        interval: 500,
      });
    // No more than the crop has.
    await untilIs({ main: 3200, colour: 3200, ...small });
    const [item] = (await shelf.playlist()).items;
    expect(item?.files.colour?.sha256).toBe(item?.files.main?.sha256);
    const set = (options: object) => mia.call('setFrameOptions', { params: { id: shelf.id }, input: options });
    await set({ mode: 'flat' });
    await untilIs({ main: 3200 });
    await set({ mode: 'hsbs', strength: 0.5 });
    await untilIs({ main: expect.any(Number), colour: 3200, ...small });
    await set({ mode: 'quilt' });
    await untilIs({ main: expect.any(Number), colour: 1280, ...small });

    const television = await paired(mia, { screen: { width: 1920, height: 1080, pixelRatio: 1 } });
    await television.show(mia, [own.id]);
    await untilIs({ main: 1920, colour: 1920, ...small }, television);
    expect(await listFileVariants(db, own.id)).toEqual(['flat', 'flat~1920', 'flat~3840', 'quilt', 'sbs']);

    // Where the picture of the panel cannot be made, the plain one is, even if there was none.
    const isFlat = and(eq(mediaAssets.mediaId, own.id), eq(mediaAssets.variant, 'flat'));
    await db.delete(mediaAssets).where(isFlat);
    const failed = { mediaId: own.id, variant: 'flat~2560', failureCode: 'conversionFailed' } as const;
    await db.insert(frameFiles).values({ ...failed, createdAt: clock.now() });
    const monitor = await paired(mia, { screen: { width: 2560, height: 1440, pixelRatio: 1 } });
    await monitor.show(mia, [own.id]);
    await untilIs({ main: 2048, colour: 1280, ...small }, monitor);
    expect(await mia.call('frameItems', { params: { id: monitor.id } })).toMatchObject([{ state: 'ready' }]);
  }, 400_000);

  it('plays videos in the format of its mode, which is made on request', async () => {
    await app.context.db.update(users).set({ vipAt: app.context.clock.now() }).where(eq(users.id, miasId));
    const bytes = await smallVideo('mp4', { frames: 10 });
    const video = await upload(app, mia, bytes, await videoSettings(mia, 'walk.mp4', { size: bytes.length }));
    const shelf = await paired(mia);
    const { id } = shelf;
    await shelf.show(mia, [video.id]);
    expect(await shelf.playlist()).toMatchObject({ items: [], waiting: 1 });
    await ended(mia, video.id, 120_000);
    // A change of the video ends what is being made of its earlier state, which is then made anew.
    const params = { id: video.id };
    const film = async () => (await mia.call('media', { params })).film;
    expect((await shelf.playlist()).waiting).toBe(1);
    await vi.waitFor(async () => expect((await film())?.making.map(({ format }) => format)).toEqual(['flat']), {
      timeout: 60_000,
      interval: 20,
    });
    await mia.call('changeMedia', { params, input: { convergence: 0.4 } });
    await ended(mia, video.id, 120_000);
    const [flat] = (await shelf.settled()).items;
    expect(flat).toMatchObject({ kind: 'video', name: 'walk.mp4', seconds: expect.any(Number), quilt: null });
    expect(flat?.files.main).toMatchObject({ layout: 'whole', type: 'video/mp4' });
    await mia.call('setFrameOptions', { params: { id }, input: { mode: 'anaglyph', sound: true } });
    const [pair] = (await shelf.settled()).items;
    expect(pair?.files).toEqual({ main: expect.objectContaining({ layout: 'halfSideBySide', type: 'video/mp4' }) });
    expect((await mia.call('media', { params: { id: video.id } })).film?.ready).toEqual(['flat', 'hsbs']);
  }, 240_000);

  it('keeps a calibration of its own display, with which it plays natively', async () => {
    const calibration = JSON.stringify({
      configVersion: '3.0',
      serial: 'LKG-P00001',
      pitch: { value: 52.5 },
      slope: { value: -7.1 },
      center: { value: 0.5 },
      viewCone: { value: 40 },
      invView: { value: 1 },
      verticalAngle: { value: 0 },
      DPI: { value: 324 },
      screenW: { value: 1536 },
      screenH: { value: 2048 },
      flipImageX: { value: 0 },
      flipImageY: { value: 0 },
      flipSubp: { value: 0 },
    });
    const shelf = await paired(mia, { screen: { width: 1920, height: 1080, pixelRatio: 1 } });
    const { id } = shelf;
    const set = (text: string | null) =>
      mia.call('setFrameCalibration', { params: { id }, input: { calibration: text } });
    expect((await refusal(set('{"pitch": 1}'))).code).toBe('calibrationInvalid');
    const portrait = await deviceNamed(mia, 'Looking Glass Portrait');
    expect(await set(calibration)).toMatchObject({
      hasCalibration: true,
      device_type_id: portrait.device.id,
      options: { mode: 'native' },
    });
    expect(await shelf.playlist()).toMatchObject({ calibration, options: { mode: 'native' } });
    const go = portrait.devices.find(({ name }) => name === 'Looking Glass Go');
    await mia.call('setFrameDevice', { params: { id }, input: { device_type_id: go?.id ?? -1 } });
    expect((await refusal(set(calibration))).code).toBe('calibrationOfOther');
    expect(await set(null)).toMatchObject({ hasCalibration: false, options: { mode: 'quilt' } });
  });
});

describe('frames of a server that restarts, or runs in several processes', () => {
  it('has its files made after a restart in the middle, once, and hears of changes by other processes', async () => {
    const base = await openTestDatabase();
    const root = await mkdtemp(join(tmpdir(), 'framelift-frames-'));
    const open = async () => {
      const clock = createTestClock();
      const storage = await openDiskStorage({ root, secret: Buffer.alloc(32, 'test'), now: () => clock.now() });
      return startTestApp({ ...base, close: async () => {} }, { storage });
    };
    const first = await open();
    const { token, userId } = await first.member();
    const mia = first.client({ token });
    // A flat picture without its file, and large, so that making it takes a moment.
    const own = await upload(first, mia, await smallJpeg(1, 3000, 4000), { effect_param_id: 0 });
    await base.db.transaction((tx) =>
      evictFiles(tx, userId, { excess: Number.MAX_SAFE_INTEGER, kept: [], now: first.clock.now() }),
    );
    expect(await listFileVariants(base.db, own.id)).toEqual([]);
    const screen = { width: 1920, height: 1080, pixelRatio: 1 };
    const codes = await first.client().call('startFrame', { input: { screen, kind: '' } });
    const { id } = await mia.call('addDevice', { input: { deviceId: codes.user_code } });
    const answer = await first.client().call('pollFrame', { input: { device_code: codes.device_code } });
    await mia.call('showOnFrame', { input: { frames: [id], media_ids: [own.id] } });
    await vi.waitFor(
      async () => {
        const { rows } = await base.pool.query(
          "select 1 from pgboss.job where name = 'frame.file' and state <> 'created'",
        );
        if (rows.length === 0) throw new Error('It has not begun');
      },
      { timeout: 30_000, interval: 5 },
    );
    await first.close();

    const [second, third] = [await open(), await open()];
    const frame = second.client({ token: answer.access_token });
    const playlist = await vi.waitFor(
      async () => {
        const list = await frame.call('framePlaylist');
        if (list.waiting > 0) throw new Error('It is not made yet');
        return list;
      },
      { timeout: 60_000, interval: 100 },
    );
    expect(playlist.items).toMatchObject([{ mediaId: own.id, files: { main: { layout: 'whole' } } }]);
    expect(await listFileVariants(base.db, own.id)).toEqual(['flat']);

    const stream = await openStream(`${third.url}/api/frame/events`, answer.access_token);
    const events = stream.events[Symbol.asyncIterator]();
    expect((await events.next()).value).toEqual({ event: 'playlist', data: { version: playlist.version } });
    const items = (await second.client({ token }).call('frameItems', { params: { id } })).map((item) => item.id);
    await second.client({ token }).call('removeFrameItems', { params: { id }, input: { items } });
    const { version } = await frame.call('framePlaylist');
    expect((await events.next()).value).toEqual({ event: 'playlist', data: { version } });
    await second.client({ token }).call('unpairFrame', { input: { id } });
    expect((await events.next()).value).toEqual({ event: 'unpaired', data: {} });
    await Promise.all([second.close(), third.close()]);
    await base.close();
    await rm(root, { recursive: true, force: true });
  }, 300_000);
});
