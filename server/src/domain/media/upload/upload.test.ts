import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { type CallError, type Client, LIMITS, MEDIA_STATUS } from '@framelift/contract';
import { drawScene, encoder } from '@framelift/engine/testing/pictures';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { conversions, deviceTypes, effectParams, media, objects, users } from '../../../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { openTestDatabase } from '../../../testing/database.ts';
import {
  assetKey,
  ended,
  paddedJpeg,
  piecesOf,
  portrait,
  put,
  refusal,
  requestFor,
  smallJpeg,
  storedKeys,
  upload,
} from '../../../testing/uploads.ts';
import { expireUploads, reconcile } from '../lifecycle/cleanup.ts';

describe('uploading', () => {
  let app: TestApp;
  let client: Client;
  let userId: string;
  let jpeg: Buffer;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
    jpeg = await smallJpeg();
  });
  afterAll(() => app.close());

  async function newMember(): Promise<void> {
    const member = await app.member();
    client = app.client({ token: member.token });
    userId = member.userId;
  }
  const rows = (owner = userId) => app.context.db.select().from(media).where(eq(media.ownerId, owner));
  const conversionsOf = (id: string) => app.context.db.select().from(conversions).where(eq(conversions.mediaId, id));
  const incoming = () => readdir(join(app.dataDir, 'objects/.incoming'));
  const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code];

  describe('the whole way', () => {
    beforeAll(newMember);

    test('request, PUT and finish make a picture whose conversion begins [R-4.media-upload.1][R-4.media-upload.3][R-7.media.2]', async () => {
      const link = await client.call('requestUploadMedia', { input: await requestFor(client, jpeg) });
      expect(link).toMatchObject({ cover: null, obj: null, headers: { 'content-type': 'image/jpeg' } });
      const minutes = (Date.parse(link.expires_at) - app.clock.now().getTime()) / 60_000;
      expect(Math.round(minutes)).toBe(LIMITS.uploadLinkMinutes);
      const before = await client.call('media', { params: { id: link.media_id } });
      expect(before).toMatchObject({ status: 0, uploaded: false, step: 'waiting', formats: [], timeLeft: null });

      expect((await put(app, link, jpeg)).status).toBe(204);
      const finished = await client.call('setMediaS3UploadFinish', { input: { id: link.media_id } });
      expect(finished).toMatchObject({
        id: link.media_id,
        name: 'shop.jpg',
        status: MEDIA_STATUS.processing,
        uploaded: true,
        effect: 100,
        source: { width: 480, height: 640 },
        crop: { x: 0, y: 0, width: 480, height: 640 },
        failure: null,
      });
      expect(await conversionsOf(link.media_id)).toHaveLength(1);
      await client.call('cancelMedia', { input: { id: link.media_id } });
    });

    test('a finish waits for no conversion, and strength 0 % is flat a moment later [S6][R-4.media-upload.2]', async () => {
      const sent = await client.call('requestUploadMedia', {
        input: await requestFor(client, jpeg, { effect_param_id: 0 }),
      });
      await put(app, sent, jpeg);
      const begun = await client.call('setMediaS3UploadFinish', { input: { id: sent.media_id } });
      expect(begun).toMatchObject({ status: 0, uploaded: true });
      const picture = await ended(client, sent.media_id);
      expect(picture).toMatchObject({
        status: 1,
        step: 'done',
        progress: 100,
        effect: 0,
        preview: null,
        timeLeft: null,
      });
      expect(picture.formats).toEqual(['flat', 'original']);
      expect(picture.finish_time).not.toBeNull();
      expect(picture.cover).toMatch(new RegExp(`^/api/media/${picture.id}/cover\\?v=[0-9a-f]{12}$`));
      const [link] = await client.call('getMediaLink', { input: { id: picture.id } });
      const answer = await fetch(new URL(link?.url ?? '', app.url), { method: 'HEAD' });
      expect(answer.headers.get('content-disposition')).toContain('shop_flat.jpg');
      const quilt = client.call('getMediaLink', { input: { id: picture.id, format: 'quilt' } });
      expect(await refusal(quilt)).toMatchObject({ code: 'formatNotAvailable', status: 409 });
    });

    test('a status that the caller claims is not believed, and the upload is finished [R-7.media.3]', async () => {
      const link = await client.call('requestUploadMedia', { input: await requestFor(client, jpeg) });
      const forged = { input: { id: link.media_id, status: 1 as const } };
      expect(await refusal(client.call('setMediaS3UploadFinish', forged))).toMatchObject({ code: 'uploadMissing' });
      await put(app, link, jpeg);
      const finished = await client.call('setMediaS3UploadFinish', forged);
      expect(finished.status).toBe(MEDIA_STATUS.processing);
      await client.call('cancelMedia', { input: { id: link.media_id } });
    });

    test('a finish without a file changes nothing, and the file may still come [A12]', async () => {
      const link = await client.call('requestUploadMedia', { input: await requestFor(client, jpeg) });
      const finish = () => client.call('setMediaS3UploadFinish', { input: { id: link.media_id } });
      expect(await refusal(finish())).toMatchObject({ code: 'uploadMissing', status: 409 });
      expect(await client.call('media', { params: { id: link.media_id } })).toMatchObject({
        status: 0,
        uploaded: false,
      });
      await put(app, link, jpeg);
      expect((await finish()).uploaded).toBe(true);
      await client.call('cancelMedia', { input: { id: link.media_id } });
    });

    test('finishing twice, one after the other or at once, makes one conversion', async () => {
      const link = await client.call('requestUploadMedia', { input: await requestFor(client, jpeg) });
      await put(app, link, jpeg);
      const finish = () => client.call('setMediaS3UploadFinish', { input: { id: link.media_id } });
      const answers = [...(await Promise.all([finish(), finish(), finish()])), await finish()];
      expect(answers.map(({ id, uploaded }) => [id, uploaded])).toEqual(Array(4).fill([link.media_id, true]));
      expect(await conversionsOf(link.media_id)).toHaveLength(1);
      expect(await storedKeys(app, 'uploads/')).toEqual([]);
      await client.call('cancelMedia', { input: { id: link.media_id } });
    });

    test('prices that the caller names are ignored', async () => {
      await app.context.db.update(users).set({ points: 50, freePoints: 50 }).where(eq(users.id, userId));
      const input = await requestFor(client, jpeg, { points: 40, free_points: 40 });
      await client.call('requestUploadMedia', { input });
      expect(await client.call('user')).toMatchObject({ points: 50, freePoints: 50 });
    });

    test('every field of the specification is taken, and what the caller may not decide is not [R-3.upload-request.1][R-3.upload-request.2][R-3.upload-request.3][R-7.media.1][R-3.media.1]', async () => {
      const details = { name: '小城.png', size: jpeg.length, type: 'image/png' };
      const { deviceType } = await requestFor(client, jpeg);
      const request = {
        originalDetails: details,
        coverDetails: { name: 'cover.jpg', size: 1000, type: 'image/jpeg' },
        obj: null,
        picFile: null,
        deviceType,
        // A purchase cannot be claimed.
        type: 2 as const,
        media_type: 1 as const,
        effect_param_id: 0,
        to: 'order',
        points: 0,
        free_points: 0,
      };
      const first = await client.call('requestUploadMedia', { input: request });
      // Cover and object are made here, so there is nothing to send them to.
      expect(first).toMatchObject({ cover: null, obj: null, headers: { 'content-type': 'image/png' } });
      const again = await client.call('requestUploadMedia', { input: { ...request, id: first.media_id } });
      expect(again.media_id).toBe(first.media_id);
      expect((await put(app, again, jpeg.subarray(1))).ok).toBe(false);
      expect((await put(app, again, jpeg)).ok).toBe(true);
      await client.call('setMediaS3UploadFinish', { input: { id: again.media_id, status: 1 } });
      await ended(client, again.media_id);
      const { data } = await client.call('videos', { input: {} });
      expect(data.find(({ id }) => id === again.media_id)).toMatchObject({
        name: '小城.jpg',
        status: 1,
        cover: expect.stringContaining('/cover'),
        date: expect.any(String),
        finish_time: expect.any(String),
        type: 0,
        media_type: 1,
        device_type_id: deviceType,
        effect: 0,
      });
    });

    test('names keep every letter [A18] but no controls [S15], and follow what the bytes are [A14]', async () => {
      const details = { size: jpeg.length, type: '' };
      const chinese = await upload(app, client, jpeg, {
        originalDetails: { ...details, name: '小白\u202e菜\u0085.jpeg' },
        effect_param_id: 0,
      });
      expect(chinese.name).toBe('小白菜.jpeg');
      const [original] = await client.call('getMediaLink', { input: { id: chinese.id, format: 'original' } });
      const answer = await fetch(new URL(original?.url ?? '', app.url));
      expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''%E5%B0%8F%E7%99%BD%E8%8F%9C.jpeg");
      expect(Buffer.from(await answer.arrayBuffer()).equals(jpeg)).toBe(true);
      const misnamed = await upload(app, client, jpeg, {
        originalDetails: { ...details, name: 'IMG_1.HEIC' },
        effect_param_id: 0,
      });
      expect(misnamed.name).toBe('IMG_1.jpg');
      const [link] = await client.call('getMediaLink', { input: { id: misnamed.id, format: 'original' } });
      expect(link).toMatchObject({ id: misnamed.id, type: 'image/jpeg' });
    });

    test('a download continues where it broke off only if the file is the same [W31], and ends with its picture [S15]', async () => {
      const { id } = await upload(app, client, jpeg, { effect_param_id: 0 });
      const [link] = await client.call('getMediaLink', { input: { id, format: 'original' } });
      const get = (headers: Record<string, string> = {}) => fetch(new URL(link?.url ?? '', app.url), { headers });
      const etag = (await get()).headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
      const range = 'bytes=100-199';
      const same = await get({ range, 'if-range': etag });
      expect([same.status, Buffer.from(await same.arrayBuffer())]).toEqual([206, jpeg.subarray(100, 200)]);
      for (const other of ['"x"', `W/${etag}`, new Date().toUTCString(), '*', '']) {
        const whole = await get({ range, 'if-range': other });
        expect([other, whole.status, whole.headers.get('content-range')]).toEqual([other, 200, null]);
        expect(Buffer.from(await whole.arrayBuffer()).equals(jpeg)).toBe(true);
      }
      expect((await get({ 'if-none-match': `"x", ${etag}` })).status).toBe(304);

      await client.call('deleteMedia', { input: { id } });
      expect(await codeOf(await get())).toEqual([404, 'mediaNotFound']);
      await client.call('restoreMedia', { input: { id } });
      expect((await get()).status).toBe(200);
    });
  });

  describe('what the bytes are decides [W20]', () => {
    beforeAll(newMember);
    const send = (bytes: Buffer, name: string, type: string, given: object = {}) =>
      upload(app, client, bytes, { originalDetails: { name, size: bytes.length, type }, effect_param_id: 0, ...given });

    test.each([
      ['photo.jfif', '', 'photo.jfif'],
      ['DSC1.HIF', 'image/heic-sequence', 'DSC1.jpg'],
      ['image:1234', 'image/*', 'image:1234.jpg'],
      ['1000012345', 'binary/octet-stream', '1000012345.jpg'],
      ['photo.png', 'IMAGE/PNG', 'photo.jpg'],
      ['download.tmp', 'image/pjpeg', 'download.jpg'],
    ])('%s of type "%s" with the bytes of a JPEG is kept as %s', async (name, type, kept) => {
      expect(await send(jpeg, name, type)).toMatchObject({ status: 1, name: kept });
    });

    test('a video announced as a picture has its own sentence, and nothing of it stays', async () => {
      const film = Buffer.concat([Buffer.from([0, 0, 0, 16]), Buffer.from('ftypisom\0\0\0\0'), Buffer.alloc(100)]);
      expect(await refusal(send(film, 'photo.jpg', 'image/jpeg'))).toMatchObject({
        code: 'filmAsPicture',
        status: 415,
        message: expect.stringContaining('Choose video'),
      });
      expect(await storedKeys(app, 'uploads/')).toEqual([]);
    });

    test('the preset literal takes png and jpeg alone, by name and by bytes [X14]', async () => {
      const { client: admin } = await app.admin();
      const set = (preset: 'full' | 'literal') => admin.call('setFeatures', { input: { preset, features: {} } });
      const webp = await encoder(drawScene(480, 640)).webp().toBuffer();
      expect(await send(webp, 'a.webp', 'image/webp')).toMatchObject({ name: 'a.webp' });
      await set('literal');
      expect((await refusal(send(webp, 'a.webp', 'image/webp'))).code).toBe('invalidExtension');
      expect((await refusal(send(webp, 'a.jpg', 'image/jpeg'))).code).toBe('invalidExtension');
      expect(await storedKeys(app, 'uploads/')).toEqual([]);
      expect(await send(jpeg, 'a.JPG', 'image/jpeg')).toMatchObject({ status: 1 });
      await set('full');
      expect(await send(webp, 'a.webp', '')).toMatchObject({ status: 1 });
    });
  });

  describe('the same bytes', () => {
    test('sent twice by one member are one object; another member has one of their own', async () => {
      const bytes = await smallJpeg(1);
      await newMember();
      const ours = async () => app.context.db.select().from(objects).where(eq(objects.ownerId, userId));
      const before = await storedKeys(app, 'originals/');
      const [first, second] = [
        await upload(app, client, bytes, { effect_param_id: 0 }),
        await upload(app, client, bytes, { effect_param_id: 0 }),
      ];
      expect(first.id).not.toBe(second.id);
      const keys = await Promise.all((await rows()).map(({ id }) => assetKey(app, id, 'original')));
      expect(new Set(keys).size).toBe(1);
      expect((await ours()).filter(({ purpose }) => purpose === 'upload')).toHaveLength(1);
      expect(await storedKeys(app, 'originals/')).toHaveLength(before.length + 1);
      await newMember();
      await upload(app, client, bytes, { effect_param_id: 0 });
      expect((await ours()).filter(({ purpose }) => purpose === 'upload')).toHaveLength(1);
      expect(await storedKeys(app, 'originals/')).toHaveLength(before.length + 2);
    });
  });

  describe('a refused request', () => {
    beforeAll(newMember);
    afterEach(async () => {
      await app.context.db.update(deviceTypes).set({ isActive: true });
      await app.context.db.update(effectParams).set({ isActive: true, vipRequired: false });
    });
    const refused = async (given: Parameters<typeof requestFor>[2]) => {
      const input = await requestFor(client, jpeg, given);
      const before = await rows();
      const error = await refusal(client.call('requestUploadMedia', { input }));
      expect(await rows()).toEqual(before);
      return [error.code, error.status];
    };
    const named = (name: string, size: number, type = 'image/jpeg') => ({ originalDetails: { name, size, type } });

    test('one byte over 52,428,800, and exactly that many are welcome [R-5.upload.5][A11]', async () => {
      expect(await refused(named('a.jpg', 52_428_801))).toEqual(['upload_up_to_limit', 413]);
      const input = await requestFor(client, jpeg, named('a.jpg', 52_428_800));
      expect(await client.call('requestUploadMedia', { input })).toHaveProperty('original');
    });

    test('none at all [A21]', async () => {
      expect(await refused({ originalDetails: undefined })).toEqual(['noImageSelected', 400]);
    });

    test('an empty file [A20], another kind of file [R-5.upload.4] [R-8.catalogue.17], a video of a member who is no VIP [R-5.upload.3]', async () => {
      expect(await refused(named('a.jpg', 0))).toEqual(['fileEmpty', 422]);
      expect(await refused(named('a.svg', 10, 'image/svg+xml'))).toEqual(['invalidExtension', 415]);
      expect(await refused({ ...named('a.mp4', 10, 'video/mp4'), media_type: 0 })).toEqual(['not_VIP', 403]);
    });

    test('what is no video, of a VIP; a strength of pictures for a video [R-5.upload.2]', async () => {
      await app.context.db.update(users).set({ vipAt: app.clock.now() }).where(eq(users.id, userId));
      const refusedVideo = (name: string, type: string, size = 10) =>
        refused({ ...named(name, size, type), media_type: 0 });
      expect(await refusedVideo('a.jpg', 'image/jpeg')).toEqual(['invalidExtension', 415]);
      expect(await refusedVideo('a.mp4', 'image/jpeg')).toEqual(['invalidExtension', 415]);
      expect(await refusedVideo('a.ogv', 'video/ogg')).toEqual(['invalidExtension', 415]);
      expect(await refusedVideo('a.mp4', 'video/mp4', 0)).toEqual(['fileEmpty', 422]);
      expect(await refusedVideo('a.mp4', 'video/mp4', 52_428_801)).toEqual(['upload_up_to_limit', 413]);
      expect(await refusedVideo('a.mp4', 'video/mp4')).toEqual(['unknownEffect', 422]);
      const turned = { x: 0, y: 0, width: 300, height: 400, turn: 90 as const };
      expect(await refused({ ...named('a.mp4', 10, 'video/mp4'), media_type: 0, crop: turned })).toEqual([
        'invalidInput',
        400,
      ]);
      await app.context.db.update(users).set({ vipAt: null }).where(eq(users.id, userId));
    });

    test('a device type that is unknown or no longer active', async () => {
      expect(await refused({ deviceType: 999_999 })).toEqual(['unknownDeviceType', 422]);
      const input = await requestFor(client, jpeg);
      const ask = () => refusal(client.call('requestUploadMedia', { input }));
      await app.context.db.update(deviceTypes).set({ isActive: false }).where(eq(deviceTypes.id, input.deviceType));
      expect((await ask()).code).toBe('unknownDeviceType');
      await app.context.db.update(deviceTypes).set({ isActive: false });
      expect((await ask()).code).toBe('no_device_registered');
    });

    test('a strength that is unknown, of another device type, of videos, inactive or for VIPs', async () => {
      const { device, strength } = await portrait(client);
      const id = strength(60);
      const { db } = app.context;
      expect(await refused({ effect_param_id: 999_999 })).toEqual(['unknownEffect', 422]);
      const others = await db.select().from(effectParams);
      const ofAnother = others.find(({ deviceTypeId }) => deviceTypeId !== null && deviceTypeId !== device.id);
      const ofVideos = others.find(({ deviceTypeId, mediaType }) => deviceTypeId === device.id && mediaType === 0);
      expect(await refused({ effect_param_id: ofAnother?.id ?? 0 })).toEqual(['unknownEffect', 422]);
      expect(await refused({ effect_param_id: ofVideos?.id ?? 0 })).toEqual(['unknownEffect', 422]);
      await db.update(effectParams).set({ isActive: false }).where(eq(effectParams.id, id));
      expect(await refused({ effect_param_id: id })).toEqual(['unknownEffect', 422]);
      await db.update(effectParams).set({ isActive: true, vipRequired: true }).where(eq(effectParams.id, id));
      expect(await refused({ effect_param_id: id })).toEqual(['unknownEffect', 422]);
    });

    test('a crop under 64 px, and keys that the call does not know', async () => {
      expect(await refused({ crop: { x: 0, y: 0, width: 63, height: 84 } })).toEqual(['cropTooSmall', 422]);
      expect(await refused({ crop: { x: 0, y: 0, width: 300, height: 63 } })).toEqual(['cropTooSmall', 422]);
      expect(await refused({ price: 1 } as object)).toEqual(['invalidInput', 400]);
      expect(await refused({ crop: { x: -1, y: 0, width: 300, height: 400 } })).toEqual(['invalidInput', 400]);
    });

    test('of a visitor or of somebody whose address is not confirmed', async () => {
      const input = await requestFor(client, jpeg);
      expect((await refusal(app.client().call('requestUploadMedia', { input }))).status).toBe(401);
      await app.context.db.update(users).set({ confirmedAt: null }).where(eq(users.id, userId));
      expect((await refusal(client.call('requestUploadMedia', { input }))).code).toBe('notAllowed');
      await app.context.db.update(users).set({ confirmedAt: app.clock.now() }).where(eq(users.id, userId));
    });
  });

  describe('a refused file leaves nothing behind', () => {
    beforeAll(newMember);
    const announce = async () => client.call('requestUploadMedia', { input: await requestFor(client, jpeg) });
    afterEach(async () => {
      expect(await incoming()).toEqual([]);
      expect(await storedKeys(app, 'uploads/')).toEqual([]);
    });

    test('one byte more than announced, and another type', async () => {
      const link = await announce();
      expect(await codeOf(await put(app, link, Buffer.concat([jpeg, Buffer.from([0])])))).toEqual([
        413,
        'uploadSizeMismatch',
      ]);
      const asText = { ...link, headers: { 'content-type': 'text/html' } };
      expect(await codeOf(await put(app, asText, jpeg))).toEqual([415, 'uploadTypeMismatch']);
    });

    test('an altered link', async () => {
      const link = await announce();
      const other = await announce();
      const altered = link.original.replace(/signature=.{6}/, 'signature=AAAAAA');
      expect(await codeOf(await put(app, { ...link, original: altered }, jpeg))).toEqual([403, 'uploadLinkInvalid']);
      const path = new URL(other.original, app.url).pathname;
      const ofOther = link.original.replace(/^[^?]+/, path);
      expect(await codeOf(await put(app, { ...link, original: ofOther }, jpeg))).toEqual([403, 'uploadLinkInvalid']);
    });

    test('a link that has expired', async () => {
      const link = await announce();
      app.clock.advance((LIMITS.uploadLinkMinutes + 1) * 60_000);
      expect(await codeOf(await put(app, link, jpeg))).toEqual([410, 'uploadLinkExpired']);
    });

    test('a file that breaks off [A2]', async () => {
      const link = await announce();
      await new Promise<void>((resolve) => {
        const headers = { ...link.headers, 'content-length': jpeg.length };
        const half = httpRequest(new URL(link.original, app.url), { method: 'PUT', headers });
        half.on('error', () => resolve());
        half.write(jpeg.subarray(0, 1000));
        const wait = setInterval(async () => {
          if ((await incoming()).length === 0) return;
          clearInterval(wait);
          half.destroy(new Error('the line broke'));
        }, 5);
      });
      await expect.poll(incoming).toEqual([]);
      const finish = client.call('setMediaS3UploadFinish', { input: { id: link.media_id } });
      expect((await refusal(finish)).code).toBe('uploadMissing');
      expect((await client.call('videos', { input: {} })).data).toEqual([]);
    });

    test('a second file through the link of a finished upload', async () => {
      const link = await announce();
      await put(app, link, jpeg);
      await client.call('setMediaS3UploadFinish', { input: { id: link.media_id } });
      expect(await codeOf(await put(app, link, jpeg))).toEqual([403, 'uploadLinkInvalid']);
      await client.call('cancelMedia', { input: { id: link.media_id } });
    });
  });

  describe('an upload in parts [W19]', () => {
    let large: Buffer;
    beforeAll(async () => {
      await newMember();
      large = await paddedJpeg(2.5 * LIMITS.uploadPartBytes);
    });
    const ask = async (given: object = {}, bytes = large) =>
      client.call('requestUploadMedia', { input: await requestFor(client, bytes, { effect_param_id: 0, ...given }) });
    const finish = (id: string) => client.call('setMediaS3UploadFinish', { input: { id } });
    type Link = Awaited<ReturnType<typeof ask>>;
    const putPart = (link: Link, index: number, bytes?: Buffer) => {
      const { url = '', headers = {} } = link.parts[index] ?? {};
      return put(app, { original: url, headers }, bytes ?? piecesOf(large, link.parts)[index] ?? Buffer.alloc(0));
    };

    test('is the same file, in any order, each part sent again or not; new links tell what has arrived', async () => {
      const link = await ask();
      expect(link.parts.map(({ size, arrived }) => [size, arrived])).toEqual([
        [LIMITS.uploadPartBytes, false],
        [LIMITS.uploadPartBytes, false],
        [large.length - 2 * LIMITS.uploadPartBytes, false],
      ]);
      expect((await putPart(link, 2)).status).toBe(204);
      expect((await putPart(link, 0, Buffer.alloc(LIMITS.uploadPartBytes))).status).toBe(204);
      expect((await putPart(link, 0)).status).toBe(204);
      expect((await refusal(finish(link.media_id))).code).toBe('uploadMissing');

      app.clock.advance(Date.parse(link.expires_at) - app.clock.now().getTime() + 1000);
      expect(await codeOf(await putPart(link, 1))).toEqual([410, 'uploadLinkExpired']);
      const resumed = await ask({ id: link.media_id, resume: true });
      expect(resumed.media_id).toBe(link.media_id);
      expect(resumed.parts.map(({ arrived }) => arrived)).toEqual([true, false, true]);
      await reconcile(app.context);
      expect((await putPart(resumed, 1)).status).toBe(204);
      const finished = await finish(link.media_id);
      expect(finished).toMatchObject({ uploaded: true, source: { width: 480, height: 640 } });
      expect((await ended(client, finished.id)).status).toBe(1);
      const [original] = await client.call('getMediaLink', { input: { id: finished.id, format: 'original' } });
      const answer = await fetch(new URL(original?.url ?? '', app.url));
      expect(Buffer.from(await answer.arrayBuffer()).equals(large)).toBe(true);
      expect(await storedKeys(app, 'uploads/')).toEqual([]);
      expect(await codeOf(await putPart(resumed, 1))).toEqual([403, 'uploadLinkInvalid']);
    });

    test('has a signed size for each part; begun anew, its earlier links lead nowhere and leave nothing', async () => {
      const link = await ask();
      expect(await codeOf(await putPart(link, 2, large.subarray(0, LIMITS.uploadPartBytes)))).toEqual([
        413,
        'uploadSizeMismatch',
      ]);
      await putPart(link, 0);
      const again = await ask({ id: link.media_id });
      expect(again.parts.some(({ arrived }) => arrived)).toBe(false);
      expect(await storedKeys(app, 'uploads/')).toEqual([]);
      expect(await codeOf(await putPart(link, 0))).toEqual([403, 'uploadLinkInvalid']);
      // Another size is another file, whatever the caller says.
      await putPart(again, 0);
      const other = await ask({ id: link.media_id, resume: true }, Buffer.concat([large, Buffer.alloc(1)]));
      expect(other.parts.some(({ arrived }) => arrived)).toBe(false);
      expect(await storedKeys(app, 'uploads/')).toEqual([]);
    });

    test('that was never finished goes with all its parts; a small file is one part, a large one has time', async () => {
      const link = await ask();
      await putPart(link, 0);
      await putPart(link, 2);
      expect(await storedKeys(app, 'uploads/')).toHaveLength(2);
      app.clock.advance(LIMITS.uploadLinkMinutes * 2 * 60_000);
      await expireUploads(app.context);
      expect(await storedKeys(app, 'uploads/')).toEqual([]);

      const small = await ask({}, jpeg);
      expect(small.parts).toEqual([{ url: small.original, headers: small.headers, size: jpeg.length, arrived: false }]);
      const details = { name: 'large.jpg', size: LIMITS.uploadBytes, type: 'image/jpeg' };
      const slow = await ask({ originalDetails: details });
      const seconds = (Date.parse(slow.expires_at) - app.clock.now().getTime()) / 1000;
      expect(seconds).toBeGreaterThan(LIMITS.uploadBytes / 20_000);
      expect(slow.parts.reduce((sum, { size }) => sum + size, 0)).toBe(LIMITS.uploadBytes);
    });
  });

  describe('an upload tried again by its id', () => {
    beforeAll(newMember);
    test('keeps its place, and the earlier link leads nowhere', async () => {
      const first = await client.call('requestUploadMedia', { input: await requestFor(client, jpeg) });
      const larger = await smallJpeg(2, 600, 800);
      const input = await requestFor(client, larger, { id: first.media_id });
      const second = await client.call('requestUploadMedia', { input });
      expect(second.media_id).toBe(first.media_id);
      expect(await codeOf(await put(app, first, jpeg))).toEqual([403, 'uploadLinkInvalid']);
      expect((await put(app, second, larger)).ok).toBe(true);
      const finished = await client.call('setMediaS3UploadFinish', { input: { id: first.media_id } });
      expect(finished.source).toEqual({ width: 600, height: 800 });
      expect(await rows()).toHaveLength(1);
      expect(await refusal(client.call('requestUploadMedia', { input }))).toMatchObject({ code: 'mediaNotFound' });
      await client.call('cancelMedia', { input: { id: first.media_id } });
    });
  });

  test('nobody can claim to have bought what they upload', async () => {
    await newMember();
    const picture = await upload(app, client, jpeg, { effect_param_id: 0, type: 2 });
    expect(picture.type).toBe(0);
  });

  describe('limits of number', () => {
    test('20 uploads may be pending at one time; those whose link ended do not count', async () => {
      await newMember();
      const input = await requestFor(client, jpeg);
      const ask = () => client.call('requestUploadMedia', { input });
      const answers = await Promise.allSettled(Array.from({ length: LIMITS.pendingUploads + 3 }, ask));
      const refusals = answers.flatMap((answer) =>
        answer.status === 'rejected' ? (answer.reason as CallError).code : [],
      );
      expect(refusals).toEqual(Array(3).fill('tooManyPendingUploads'));
      const { retryAfter = 0 } = await refusal(ask());
      expect(retryAfter).toBeGreaterThan((LIMITS.uploadLinkMinutes - 2) * 60);
      // A link lasts a little longer by the time that its few bytes need.
      expect(retryAfter).toBeLessThanOrEqual(LIMITS.uploadLinkMinutes * 60 + 1);
      app.clock.advance((LIMITS.uploadLinkMinutes + 1) * 60_000);
      expect(await ask()).toHaveProperty('original');
    });

    test('a guest keeps ten pictures, is told so in English, and may not delete [R-1.guest.2]', async () => {
      const { token, userId: guestId } = await app.guest();
      const guest = app.client({ token, language: 'ja' });
      const first = await upload(app, guest, jpeg, { effect_param_id: 0 });
      expect(first.status).toBe(1);
      await app.context.db.execute(sql`
        insert into media (id, owner_id, name, media_type, device_type_id, effect, status, upload_state, declared_size,
          declared_type, created_at)
        select gen_random_uuid(), owner_id, name, media_type, device_type_id, effect, status, upload_state, declared_size,
          declared_type, created_at from media, generate_series(1, 8) where id = ${first.id}`);
      const input = await requestFor(guest, jpeg);
      const tenth = await guest.call('requestUploadMedia', { input });
      const error = await refusal(guest.call('requestUploadMedia', { input }));
      expect(error).toMatchObject({ code: 'guestUploadLimit', status: 403 });
      expect(error.message).toMatch(/^As a guest you can keep 10 photos/);
      // A retry does not count as another upload.
      const again = { ...input, id: tenth.media_id };
      expect((await guest.call('requestUploadMedia', { input: again })).media_id).toBe(tenth.media_id);
      expect((await refusal(guest.call('deleteMedia', { input: { id: first.id } }))).code).toBe('notAllowed');
      expect(await rows(guestId)).toHaveLength(10);
    });
  });
});
