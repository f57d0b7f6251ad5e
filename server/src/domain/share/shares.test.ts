import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { API_BASE, type Client, MEDIA_STATUS, type Share, type SharedMedia } from '@framelift/contract';
import { drawScene, encoder } from '@framelift/engine/testing/pictures';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { media, shares, users } from '../../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { ended, refusal, smallJpeg, upload } from '../../testing/uploads.ts';
import { smallVideo, videoSettings } from '../../testing/videos.ts';
import { removeMediaOf } from '../media/lifecycle/ownership.ts';
import { purgeShares } from './shares.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** What the camera wrote into the file. */
const PLACE = 'Grandmother at 12 Hidden Lane';

describe('public links', () => {
  let app: TestApp;
  let userId: string;
  /** Token of the owner's session. */
  let session: string;
  let password: string;
  let owner: Client;
  /** A picture with depth, a flat one and one of another member. */
  let picture: string;
  let flat: string;
  let theirs: string;
  const logged: string[] = [];
  const visitor = () => app.client();

  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase(), { onLog: (line) => logged.push(line) });
    const member = await app.member();
    ({ userId, password } = member);
    session = member.token;
    owner = app.client({ token: session });
    const jpeg = await encoder(drawScene(480, 640))
      .withExif({ IFD0: { ImageDescription: PLACE }, IFD3: { GPSLatitude: '25/1 2/1 0/1' } })
      .jpeg()
      .toBuffer();
    picture = (await ended(owner, (await upload(app, owner, jpeg)).id)).id;
    flat = (await upload(app, owner, await smallJpeg(1, 900, 1200), { effect_param_id: 0 })).id;
    const other = app.client({ token: (await app.member()).token });
    theirs = (await upload(app, other, await smallJpeg(2), { effect_param_id: 0 })).id;
  }, 120_000);
  afterAll(() => app.close());
  beforeEach(async () => {
    await app.context.db.delete(shares);
  });

  const make = (settings: Partial<Pick<Share, 'expires_at' | 'download'>> = {}, id = picture) =>
    owner.call('shareMedia', { input: { id, ...settings } });
  const tokenOf = ({ url }: Share) => url.slice(url.lastIndexOf('/') + 1);
  const opened = (share: Share) => visitor().call('sharedMedia', { params: { token: tokenOf(share) } });
  const get = (path: string | null, headers: Record<string, string> = {}) =>
    fetch(new URL(path ?? '', app.url), { headers });
  const addressesOf = ({ preview, picture: still, film, files }: SharedMedia) =>
    [still, film, ...Object.values(preview ?? {}), ...files.map(({ url }) => url)].filter((url) => url !== null);
  /** Expects that a link, its data and all its files are gone, also for a browser that has kept them. */
  const expectGone = async (share: Share, addresses: readonly string[], kept: Record<string, string> = {}) => {
    const error = await refusal(opened(share));
    expect([error.status, error.code]).toEqual([404, 'shareNotFound']);
    for (const address of addresses) {
      const answer = await get(address, { 'if-none-match': kept[address] ?? '"x"' });
      expect([address, answer.status, answer.headers.get('cache-control')]).toEqual([address, 404, 'no-store']);
    }
  };

  it('show a picture to everybody who has one, and tell nothing of its owner', async () => {
    const share = await make();
    expect(share).toMatchObject({ media_id: picture, name: 'shop.jpg', expires_at: null, download: false, views: 0 });
    expect(share.url).toMatch(/^http:\/\/framelift\.test\/s\/[\w-]{43}$/);
    expect(share.embed).toMatch(/^http:\/\/framelift\.test\/embed\/[\w-]{43}$/);
    const shown = await opened(share);
    expect(shown).toMatchObject({ name: 'shop.jpg', effect: 100, views: 48, film: null, files: [] });
    expect(JSON.stringify(shown)).not.toMatch(new RegExp(`${picture}|${share.id}|${userId}|Mia|example`));
    for (const [part, address] of Object.entries({ ...shown.preview, picture: shown.picture })) {
      const answer = await get(address);
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect([part, answer.status, answer.headers.get('cache-control')]).toEqual([part, 200, 'private, no-cache']);
      // The file's own notes stay with the owner.
      expect([part, bytes.includes(PLACE), bytes.includes('Exif')]).toEqual([part, false, false]);
      const part1 = await get(address, { range: 'bytes=0-9' });
      expect(Buffer.from(await part1.arrayBuffer())).toEqual(bytes.subarray(0, 10));
      const etag = answer.headers.get('etag') ?? '';
      expect(etag).toBe(`"${createHash('sha256').update(bytes).digest('hex')}"`);
      expect((await get(address, { 'if-none-match': etag })).status).toBe(304);
    }
  });

  it('show a flat picture larger than its cover, as its owner sees it, and no depth', async () => {
    const shown = await opened(await make({}, flat));
    expect(shown).toMatchObject({ effect: 0, preview: null });
    const own = await owner.call('media', { params: { id: flat } });
    const widthOf = async (address: string | null) => {
      const response = await get(address, { cookie: `token=${session}` });
      expect(response.status).toBe(200);
      return (await sharp(await response.arrayBuffer()).metadata()).width;
    };
    expect([await widthOf(shown.picture), await widthOf(own.picture), await widthOf(own.cover)]).toEqual([
      900, 900, 500,
    ]);
    const token = shown.picture?.split('/')[3] ?? '';
    for (const part of ['depth', 'background', 'film', 'wiggle'])
      expect([part, (await get(`${API_BASE}/shared/${token}/${part}`)).status]).toEqual([part, 404]);
  });

  it('are one for each picture, however often it is asked for, and its owner sees the address again', async () => {
    const [first, second] = await Promise.all([make(), make({ download: true })]);
    expect(first.id).toBe(second.id);
    expect((await owner.call('shares', { input: { media: picture } })).data).toEqual([
      { ...first, download: true, views: 0 },
    ]);
    const other = await make({}, flat);
    expect((await owner.call('shares', { input: {} })).data.map(({ id }) => id)).toEqual([other.id, first.id]);
  });

  it('give files where the owner allows it, but never the original', async () => {
    const share = await make();
    const token = tokenOf(share);
    const file = (format: string) => get(`${API_BASE}/shared/${token}/file/${format}`);
    expect((await file('sbs')).status).toBe(404);
    await owner.call('changeShare', { input: { id: share.id, download: true } });
    const { files } = await opened(share);
    const formats = files.map(({ format }) => format);
    expect(formats).toEqual(expect.arrayContaining(['quilt', 'sbs', 'anaglyph', 'flat', 'wiggle_mp4']));
    expect(formats).not.toEqual(expect.arrayContaining(['original']));
    for (const never of ['original', 'native', 'zip', '..%2Fcolour'])
      expect([never, (await file(never)).status]).toEqual([never, 400]);
    for (const format of ['quilt', 'flat']) {
      const answer = await get(files.find((one) => one.format === format)?.url ?? '');
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="shop/);
      expect(answer.headers.get('cache-control')).toBe('private, no-cache');
      expect(Buffer.from(await answer.arrayBuffer()).includes(PLACE)).toBe(false);
    }
    const wiggle = await get(`${API_BASE}/shared/${token}/wiggle`);
    expect([wiggle.status, wiggle.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    await owner.call('changeShare', { input: { id: share.id, download: false } });
    expect((await file('quilt')).status).toBe(404);
    expect((await opened(share)).files).toEqual([]);
  });

  it('end at once when they are revoked, also in a browser that has kept everything, and come back by undo', async () => {
    const share = await make({ download: true });
    const addresses = addressesOf(await opened(share)).filter((address) => !/file\/(?!quilt)/.test(address));
    expect(addresses.length).toBe(6);
    const kept: Record<string, string> = {};
    for (const address of addresses) kept[address] = (await get(address)).headers.get('etag') ?? '';
    await owner.call('revokeShare', { input: { id: share.id } });
    await owner.call('revokeShare', { input: { id: share.id } });
    await expectGone(share, addresses, kept);
    expect((await owner.call('shares', { input: {} })).data).toEqual([]);
    expect((await refusal(owner.call('changeShare', { input: { id: share.id } }))).code).toBe('shareNotFound');

    expect(await owner.call('restoreShare', { input: { id: share.id } })).toMatchObject({ url: share.url });
    expect((await opened(share)).name).toBe('shop.jpg');
    // A new link after a revoked one has another address.
    await owner.call('revokeShare', { input: { id: share.id } });
    expect((await make()).url).not.toBe(share.url);
    app.clock.advance(DAY_MS);
    await purgeShares(app.context);
    expect((await refusal(owner.call('restoreShare', { input: { id: share.id } }))).code).toBe('shareNotFound');
    expect(await app.context.db.$count(shares)).toBe(1);
  });

  it('end at their end, which can be moved but not into the past', async () => {
    const at = (ms: number) => new Date(app.clock.now().getTime() + ms).toISOString();
    expect((await refusal(make({ expires_at: at(-1000) }))).code).toBe('shareEndPassed');
    const share = await make({ expires_at: at(HOUR_MS) });
    const addresses = addressesOf(await opened(share));
    app.clock.advance(HOUR_MS);
    await expectGone(share, addresses);
    expect((await owner.call('shares', { input: {} })).data).toMatchObject([{ id: share.id, expired: true }]);
    await owner.call('changeShare', { input: { id: share.id, expires_at: at(HOUR_MS) } });
    expect((await opened(share)).name).toBe('shop.jpg');
    await owner.call('changeShare', { input: { id: share.id, expires_at: null } });
    app.clock.advance(365 * DAY_MS);
    expect((await opened(share)).name).toBe('shop.jpg');
    app.clock.setBack(365 * DAY_MS);
  });

  it('are gone with the picture and with the account, and come back with them', async () => {
    const share = await make();
    const addresses = addressesOf(await opened(share));
    const { db, clock } = app.context;
    const change = (values: Partial<typeof users.$inferInsert>) =>
      db.update(users).set(values).where(eq(users.id, userId));

    await owner.call('deleteMedia', { input: { id: picture } });
    await expectGone(share, addresses);
    expect((await owner.call('shares', { input: {} })).data).toEqual([]);
    expect((await refusal(make())).code).toBe('mediaNotFound');
    await owner.call('restoreMedia', { input: { id: picture } });
    expect((await opened(share)).name).toBe('shop.jpg');

    await owner.call('deleteAccount', { input: { password } });
    await expectGone(share, addresses);
    await change({ deletionAt: null });
    expect((await opened(share)).name).toBe('shop.jpg');
    await change({ restrictedAt: clock.now() });
    await expectGone(share, addresses);
    await change({ restrictedAt: null });
    expect((await opened(share)).name).toBe('shop.jpg');
    const again = await app.client().call('login', { input: { email: 'member1@example.com', password } });
    session = again.token;
    owner = app.client({ token: session });
  });

  it('count who opened them, but not their owner', async () => {
    const share = await make();
    const views = async () => (await owner.call('shares', { input: {} })).data[0]?.views;
    await owner.call('sharedMedia', { params: { token: tokenOf(share) } });
    expect(await views()).toBe(0);
    await opened(share);
    const guest = app.client({ token: (await app.guest()).token });
    await guest.call('sharedMedia', { params: { token: tokenOf(share) } });
    expect(await views()).toBe(2);
  });

  it('reach nothing but their picture, whatever is made of their token', async () => {
    const share = await make();
    const token = tokenOf(share);
    const other = await make({}, flat);
    const bytes = Buffer.from(token, 'base64url');
    const flipped = (at: number) => {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ 1;
      return copy.toString('base64url');
    };
    const idBytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex');
    const forged = [
      '',
      share.id,
      picture,
      theirs,
      token.slice(0, -1),
      `${token}A`,
      `${token}=`,
      token.toLowerCase(),
      // The last letter has two spare bits: the same bytes in another spelling.
      `${token.slice(0, -1)}${String.fromCharCode(token.charCodeAt(42) + 1)}`,
      flipped(0),
      flipped(15),
      flipped(16),
      flipped(31),
      // Another thing's id with this link's code, this link's id with another's code, and a token for another purpose.
      Buffer.concat([idBytes(theirs), bytes.subarray(16)]).toString('base64url'),
      Buffer.concat([idBytes(picture), bytes.subarray(16)]).toString('base64url'),
      Buffer.concat([bytes.subarray(0, 16), Buffer.from(tokenOf(other), 'base64url').subarray(16)]).toString(
        'base64url',
      ),
      app.context.capabilities.tokenOf('upload', share.id),
      app.context.capabilities.tokenOf('share', app.context.ids.uuid()),
      "' or 1=1 --",
      '..',
      '%00',
    ];
    for (const guess of forged) {
      const answer = await get(`${API_BASE}/shared/${encodeURIComponent(guess)}`);
      expect([guess, answer.status]).toEqual([guess, guess === '%00' || guess === '' ? expect.any(Number) : 404]);
      expect((await get(`${API_BASE}/shared/${encodeURIComponent(guess)}/colour`)).status).not.toBe(200);
    }
    // Its token opens no call of a session, and no file of another link.
    for (const path of ['user', 'videos', `media/${picture}`, `media/${picture}/colour`, 'shares'])
      expect([path, (await get(`${API_BASE}/${path}`, { authorization: `Bearer ${token}` })).status]).toEqual([
        path,
        401,
      ]);
    for (const part of ['original', 'depthMap', 'whole', 'cover', 'uncropped', theirs])
      expect([part, (await get(`${API_BASE}/shared/${token}/${part}`)).status]).toEqual([part, 400]);
    expect((await get(`${API_BASE}/shared/${token}?id=${theirs}`)).status).toBe(400);
    await expect.poll(() => logged.some((line) => line.includes('/api/shared/…'))).toBe(true);
    expect(logged.filter((line) => line.includes(token))).toEqual([]);
  });

  it('are made by members alone, of their own pictures that have a result', async () => {
    expect((await refusal(make({}, theirs))).code).toBe('mediaNotFound');
    expect((await refusal(owner.call('shares', { input: { media: theirs } }))).code).toBe('mediaNotFound');
    const guest = await app.guest();
    const theirClient = app.client({ token: guest.token });
    const own = await upload(app, theirClient, await smallJpeg(3), { effect_param_id: 0 });
    expect((await refusal(theirClient.call('shareMedia', { input: { id: own.id } }))).code).toBe('notAllowed');
    const { db } = app.context;
    await db.update(media).set({ resultRevision: null }).where(eq(media.id, flat));
    expect((await refusal(make({}, flat))).code).toBe('obj_havent_transformed_completed');
    await db.update(media).set({ resultRevision: 1 }).where(eq(media.id, flat));
  });

  it('show a video as browsers play it, without what the camera wrote into the file', async () => {
    await app.context.db.update(users).set({ vipAt: app.clock.now() }).where(eq(users.id, userId));
    const clip = await smallVideo('mp4', { sound: [{ codec: 'aac', channels: 2, seconds: 1 }] });
    // A box of the container that phones write, before the end of which players look for nothing.
    const note = Buffer.from(PLACE);
    const box = Buffer.concat([Buffer.alloc(4), Buffer.from('uuid'), Buffer.alloc(16), note]);
    box.writeUInt32BE(box.length);
    const bytes = Buffer.concat([clip, box]);
    const sent = await upload(app, owner, bytes, await videoSettings(owner, 'trip.mp4', { size: bytes.length }));
    const video = await ended(owner, sent.id);
    expect(video.status).toBe(MEDIA_STATUS.finished);
    const own = Buffer.from(
      await (await get(video.film?.preview ?? '', { authorization: `Bearer ${session}` })).arrayBuffer(),
    );
    expect(own.includes(PLACE)).toBe(true);

    const share = await make({ download: true }, sent.id);
    const shown = await opened(share);
    expect(shown).toMatchObject({ media_type: 0, preview: null, files: [{ format: 'hsbs' }] });
    const film = await get(shown.film);
    expect([film.status, film.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    const copy = Buffer.from(await film.arrayBuffer());
    expect(copy.includes(PLACE)).toBe(false);
    const path = join(app.dataDir, 'copy.mp4');
    await writeFile(path, copy);
    const sound = [{ codec: 'aac', channels: 2 }];
    const probed = await app.context.converter.probeVideo(path);
    expect(probed).toMatchObject({ width: 160, height: 120, frames: 25, video: 'h264', audio: sound, playable: true });
    const ranged = await get(shown.film, { range: 'bytes=100-199' });
    expect([ranged.status, Buffer.from(await ranged.arrayBuffer()).equals(copy.subarray(100, 200))]).toEqual([
      206,
      true,
    ]);
    // A format that was not made is not made for strangers.
    expect((await get(`${API_BASE}/shared/${tokenOf(share)}/file/sbs`)).status).toBe(409);
    await removeMediaOf(app.context, userId);
    await expectGone(share, addressesOf(shown));
  });
});
