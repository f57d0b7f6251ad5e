import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, LANGUAGES, type Language, LIMITS, type MediaDetail, mediaDetail } from '@framelift/contract';
import { beside, standingScene } from '@framelift/engine/testing/depth-photos';
import { sizeOf } from '@framelift/engine/testing/pictures';
import { ffprobe, tool } from '@framelift/engine/testing/tools';
import { TWO_VIEWS } from '@framelift/engine/testing/two-views';
import type { TestVideo } from '@framelift/engine/testing/videos';
import { errorText } from '@framelift/texts/node';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { conversions, media, plans, subscriptions, users } from '../../../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { openTestDatabase } from '../../../testing/database.ts';
import { openEvents } from '../../../testing/events.ts';
import {
  ended,
  oneRowForEveryObject,
  put,
  refusal,
  requestFor,
  smallJpeg,
  storedKeys,
  upload,
} from '../../../testing/uploads.ts';
import { smallVideo, videoSettings } from '../../../testing/videos.ts';
import { giveComplimentaryPlan } from '../../membership/subscriptions.ts';
import { reconcile } from '../lifecycle/cleanup.ts';

const hasFfprobe = tool('ffprobe') !== null;
const SOUND: TestVideo = { sound: [{ codec: 'aac', channels: 2, seconds: 1 }] };
/** What a sentence about videos says in each language. */
const OF_VIDEOS: Record<Language, RegExp> = { en: /video/, zh: /影片|影像/, ja: /動画|映像/ };
/** Long enough for actions during its conversion. */
const LONG: TestVideo = { width: 640, height: 480, frames: 150 };

describe('videos of VIPs', () => {
  let app: TestApp;
  let client: Client;
  let token: string;
  let userId: string;
  let video: Buffer;
  let id: string;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
    ({ token, userId } = await app.member());
    await app.context.db.update(users).set({ vipAt: app.clock.now() }).where(eq(users.id, userId));
    client = app.client({ token });
    video = await smallVideo('mp4', SOUND);
  });
  afterAll(() => app.close());

  const detail = (of = id) => client.call('media', { params: { id: of } });
  const send = async (bytes: Buffer, name = 'trip.mp4', effect = 100) =>
    upload(app, client, bytes, await videoSettings(client, name, { size: bytes.length, effect }));
  const get = (address: string | null | undefined, headers: Record<string, string> = {}) =>
    fetch(new URL(address ?? '', app.url), { headers: { authorization: `Bearer ${token}`, ...headers } });
  const bytesOf = async (address: string | null | undefined) => Buffer.from(await (await get(address)).arrayBuffer());
  const folders = () => app.context.videoDirs.names();
  const begun = (of: string) =>
    expect.poll(async () => (await detail(of)).film?.frame ?? 0, { timeout: 60_000, interval: 50 }).toBeGreaterThan(0);

  test('are converted with progress in frames, and have a cover at once [R-1.vip.1]', async () => {
    const sent = await send(video);
    ({ id } = sent);
    expect(sent).toMatchObject({ status: 0, media_type: 0, name: 'trip.mp4', source: { width: 160, height: 120 } });
    expect(await sizeOf(await bytesOf(sent.whole))).toEqual({ width: 160, height: 120 });
    expect((await get(sent.cover)).status).toBe(200);
    const seen: MediaDetail[] = [];
    for await (const event of (await openEvents(`${app.url}/api/media/${id}/events`, token)).events)
      seen.push(mediaDetail.parse(event));
    const frames = seen.map((event) => event.film?.frame ?? 0);
    expect(frames).toEqual([...frames].sort((a, b) => a - b));
    const done = await detail();
    expect(done).toMatchObject({ status: 1, progress: 100, preview: null, depthSource: 'basic' });
    expect(done.film).toMatchObject({ frames: 25, frame: 25, seconds: 1, ready: ['hsbs'], making: [], notes: [] });
    expect(done.comfort?.largestDisparityPercent).toBeGreaterThan(0);
    expect(done.formats).toEqual(expect.arrayContaining(['hsbs', 'sbs', 'anaglyph', 'quilt', 'wiggle', 'original']));
    expect(await sizeOf(await bytesOf(done.cover))).toEqual({ width: 160, height: 90 });
    // The segments are removed when the video is stored.
    await expect.poll(folders, { timeout: 10_000 }).toEqual([]);
    await oneRowForEveryObject(app);
  });

  test.runIf(hasFfprobe)('give a video with its sound that a projector plays', async () => {
    const [link] = await client.call('getMediaLink', { input: { id } });
    const path = join(app.dataDir, 'result.mp4');
    await writeFile(path, await bytesOf(link?.url));
    const { streams } = ffprobe(path);
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac']);
  });

  test('can be sought in: their files and previews answer ranges of the version that is there [W31]', async () => {
    const [link] = await client.call('getMediaLink', { input: { id } });
    for (const address of [link?.url, (await detail()).film?.preview]) {
      const whole = await bytesOf(address);
      const middle = await get(address, { range: 'bytes=100-199' });
      expect([middle.status, middle.headers.get('content-range')]).toEqual([206, `bytes 100-199/${whole.length}`]);
      expect(Buffer.from(await middle.arrayBuffer()).equals(whole.subarray(100, 200))).toBe(true);
      const open = await get(address, { range: 'bytes=100-' });
      expect(Number(open.headers.get('content-length'))).toBe(whole.length - 100);
      await open.arrayBuffer();
      expect((await get(address, { range: `bytes=${whole.length}-` })).status).toBe(416);
      const etag = middle.headers.get('etag') ?? '';
      expect((await get(address, { range: 'bytes=1-2', 'if-range': etag })).status).toBe(206);
      const other = await get(address, { range: 'bytes=1-2', 'if-range': '"another"' });
      expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, whole.length]);
    }
    expect((await bytesOf((await detail()).film?.preview)).equals(video)).toBe(true);
  });

  test('are made in another format when it is asked for, once, and told when it is there', async () => {
    const ask = () => client.call('getMediaLink', { input: { id, format: 'anaglyph' } });
    const answers = await Promise.all([refusal(ask()), refusal(ask())]);
    for (const answer of answers) {
      expect([answer.code, answer.status]).toEqual(['formatBeingMade', 409]);
      expect(answer.retryAfter).toBeGreaterThan(0);
    }
    expect(await detail()).toMatchObject({ status: 1, film: { making: [{ format: 'anaglyph', failure: null }] } });
    await expect
      .poll(async () => (await detail()).film, { timeout: 60_000, interval: 100 })
      .toMatchObject({ making: [], ready: expect.arrayContaining(['hsbs', 'anaglyph']) });
    const [link] = await ask();
    expect((await bytesOf(link?.url)).length).toBeGreaterThan(1000);
    const ofVideo = eq(conversions.mediaId, id);
    const rows = await app.context.db.select().from(conversions).where(ofVideo).orderBy(conversions.createdAt);
    expect(rows.map(({ format, state }) => [format, state])).toEqual([
      [null, 'done'],
      ['anaglyph', 'done'],
    ]);
    // With options it is another file beside the plain one.
    const asked = { id, format: 'anaglyph' as const, swapEyes: true, anaglyph: 'grey' as const };
    const other = () => client.call('getMediaLink', { input: asked });
    expect((await refusal(other())).code).toBe('formatBeingMade');
    const options = { swapEyes: true, anaglyph: 'grey' };
    expect((await detail()).film?.making).toMatchObject([{ format: 'anaglyph', options, failure: null }]);
    await expect.poll(async () => (await detail()).film?.making, { timeout: 60_000, interval: 100 }).toEqual([]);
    const [grey] = await other();
    const answer = await get(grey?.url);
    expect(answer.headers.get('content-disposition')).toContain('trip_RLF_redcyan_grey.mp4');
    await answer.arrayBuffer();
    expect([...((await detail()).film?.ready ?? [])].sort()).toEqual(['anaglyph', 'hsbs']);
    const wrong = client.call('getMediaLink', { input: { id, format: 'depth' } });
    expect((await refusal(wrong)).code).toBe('formatNotAvailable');
    await oneRowForEveryObject(app);
  });

  test('are converted again with another strength and crop, which drops what showed the one before', async () => {
    const crop = { x: 0, y: 0, width: 120, height: 90 };
    const { effect_param_id } = await videoSettings(client, 'a.mp4', { size: 1, effect: 40 });
    const input = { crop, convergence: 0.4, ...(effect_param_id === undefined ? {} : { effect_param_id }) };
    await client.call('changeMedia', { params: { id }, input });
    const changed = await ended(client, id);
    expect(changed).toMatchObject({ status: 1, effect: 40, crop, convergence: 0.4, canUndo: true });
    expect(changed.film?.ready).toEqual(['hsbs']);
    const strokes = [{ kind: 'near' as const, radius: 0.1, amount: 1, points: [[0.5, 0.5] as [number, number]] }];
    const paint = client.call('paintMediaDepth', { params: { id }, input: { strokes } });
    expect((await refusal(paint)).code).toBe('depthNotEditable');
    await client.call('undoMediaChange', { params: { id } });
    expect(await ended(client, id)).toMatchObject({ status: 1, effect: 100 });
    await oneRowForEveryObject(app);
  });

  test('with no strength are flat videos', async () => {
    const { id: flat } = await send(video, 'flat.mp4', 0);
    expect(await ended(client, flat)).toMatchObject({
      status: 1,
      effect: 0,
      comfort: null,
      formats: ['flat', 'original'],
      film: { ready: ['flat'] },
    });
  });

  test('of both eyes keep both, cropped as one; what is found stays, and only their order can be changed [T4]', async () => {
    const { left, right } = standingScene(320, 180);
    const { width, height, data } = beside(right, left);
    const bytes = await smallVideo('mp4', { width, height, draw: () => data });
    // Chosen on the whole frame, across the seam.
    const crop = { x: 160, y: 0, width: 320, height: 180 };
    const settings = await videoSettings(client, 'eyes.mp4', { size: bytes.length });
    const { id: made } = await upload(app, client, bytes, { ...settings, crop });
    const eye = { x: 0, y: 0, width: 320, height: 180 };
    expect(await ended(client, made)).toMatchObject({
      status: 1,
      crop: eye,
      depthSource: 'embedded',
      film: { notes: [] },
    });
    const [row] = await app.context.db.select().from(media).where(eq(media.id, made));
    expect(row?.pair).toBe('rightLeft');
    const change = (pair: 'leftRight' | 'aboveBelow' | 'flat' | null) =>
      client.call('changeMedia', { params: { id: made }, input: { pair } });
    for (const pair of ['aboveBelow', 'flat', null] as const)
      expect((await refusal(change(pair))).code).toBe('invalidInput');
    await change('leftRight');
    expect(await ended(client, made)).toMatchObject({ status: 1, crop: eye, depthSource: 'embedded' });
  });

  test('of phones with two views keep both eyes and the crop of the one that was shown [T4]', async () => {
    const bytes = await readFile(TWO_VIEWS);
    const crop = { x: 40, y: 20, width: 160, height: 90 };
    const settings = await videoSettings(client, 'IMG_0042.MOV', { size: bytes.length });
    const { id: made } = await upload(app, client, bytes, { ...settings, crop });
    expect(await ended(client, made)).toMatchObject({ status: 1, crop, depthSource: 'embedded', film: { notes: [] } });
    const [row] = await app.context.db.select().from(media).where(eq(media.id, made));
    expect(row).toMatchObject({ pair: 'leftRight', sourceWidth: 320, sourceHeight: 180 });
    await client.call('changeMedia', { params: { id: made }, input: { pair: 'rightLeft' } });
    expect(await ended(client, made)).toMatchObject({ status: 1, crop, depthSource: 'embedded' });
  });

  test('that browsers do not play have a preview that they do [A41]', async () => {
    const avi = await smallVideo('avi', { codec: 'mpeg4', sound: [{ codec: 'libmp3lame', channels: 2, seconds: 1 }] });
    const { id: own } = await send(avi, 'old.avi');
    const done = await ended(client, own);
    expect(done).toMatchObject({ status: 1, name: 'old.avi' });
    const answer = await get(done.film?.preview);
    expect(answer.headers.get('content-type')).toBe('video/mp4');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.subarray(4, 8).toString()).toBe('ftyp');
    const [link] = await client.call('getMediaLink', { input: { id: own, format: 'original' } });
    expect((await bytesOf(link?.url)).equals(avi)).toBe(true);
    await oneRowForEveryObject(app);
  });

  test('are what their bytes are, and nothing of what is refused stays [V20]', async () => {
    const before = await storedKeys(app, '');
    const jpeg = await smallJpeg(1);
    const text = Buffer.from('#EXTM3U\nfile:///etc/passwd\n'.repeat(20));
    const short = video.subarray(0, 200);
    const bad: [Buffer, string[]][] = [
      [jpeg, ['pictureAsFilm']],
      [text, ['notAFilm']],
      [short, ['notAFilm', 'filmDamaged', 'filmWithoutPictures']],
      [await smallVideo('mp4', { width: 48, height: 48, frames: 5 }), ['filmTooSmall']],
    ];
    const good: string[] = [];
    for (const [bytes, codes] of bad) {
      const failed = await refusal(send(bytes, 'bad.mp4'));
      expect(codes).toContain(failed.code);
    }
    // Valid videos sent after the rejected ones are still converted.
    for (const ending of ['mov', 'mkv'] as const)
      good.push((await send(await smallVideo(ending, { frames: 5 }), `clip.${ending}`)).id);
    for (const one of good) expect((await ended(client, one)).status).toBe(1);
    const asPicture = { originalDetails: { name: 'a.jpg', size: video.length, type: 'image/jpeg' } };
    expect((await refusal(upload(app, client, video, asPicture))).code).toBe('filmAsPicture');
    for (const one of good) await app.context.db.delete(media).where(eq(media.id, one));
    expect((await storedKeys(app, 'uploads/')).length).toBe(0);
    expect(before.length).toBeGreaterThan(0);
  });

  test('are refused by sentences that speak of videos, and accepted as WebM [T12]', async () => {
    // A still with sound, a container that is not accepted, and sound alone.
    const still = await smallVideo('mp4', { ...SOUND, frames: 1 });
    const unknown = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(4096, 7)]);
    const sound = await smallVideo('mp4', { ...SOUND, soundOnly: true });
    for (const [bytes, code] of [
      [still, 'notAFilm'],
      [unknown, 'notAFilm'],
      [sound, 'filmWithoutPictures'],
    ] as const) {
      for (const { code: language } of LANGUAGES) {
        const own = app.client({ token, language });
        const settings = await videoSettings(own, 'trip.mp4', { size: bytes.length });
        const refused = await refusal(upload(app, own, bytes, settings));
        expect([refused.code, refused.message]).toEqual([code, errorText(code, language)]);
        expect(refused.message).toMatch(OF_VIDEOS[language]);
      }
    }
    const asPicture = { originalDetails: { name: 'trip.jpg', size: still.length, type: 'image/jpeg' } };
    expect((await refusal(upload(app, client, still, asPicture))).code).toBe('filmAsPicture');
    expect(await storedKeys(app, 'uploads/')).toEqual([]);

    const webm = await smallVideo('webm', { codec: 'libvpx', frames: 5, options: { deadline: 'realtime' } });
    const taken = await send(webm, 'screen.webm', 0);
    expect(taken).toMatchObject({ media_type: 0, name: 'screen.webm' });
    expect((await ended(client, taken.id)).status).toBe(1);
  });

  test('wait in a queue, one after the other, each its own however they are called [V34]', async () => {
    const clips = await Promise.all([0, 1, 2].map((seed) => smallVideo('mp4', { frames: 5 + seed })));
    const sent: MediaDetail[] = [];
    for (const clip of clips) sent.push(await send(clip, 'clip.mp4'));
    expect(new Set(sent.map((one) => one.id)).size).toBe(3);
    const done = await Promise.all(sent.map((one) => ended(client, one.id, 120_000)));
    expect(done.map((one) => [one.status, one.film?.frames])).toEqual([
      [1, 5],
      [1, 6],
      [1, 7],
    ]);
  });

  test('cancelled while it runs, a video leaves nothing behind; tried again, it finishes', async () => {
    const { id: long } = await send(await smallVideo('mp4', LONG), 'long.mp4');
    await begun(long);
    expect(await folders()).toHaveLength(1);
    const cancelled = await client.call('cancelMedia', { input: { id: long } });
    expect(cancelled).toMatchObject({ status: 2, failure: { code: 'conversionCancelled' } });
    await expect.poll(folders, { timeout: 15_000 }).toEqual([]);
    await client.call('retryMedia', { input: { id: long } });
    expect(await ended(client, long, 120_000)).toMatchObject({ status: 1, film: { frames: 150 } });
  });

  test('folders of videos that have ended otherwise go with the sweep; those of others stay', async () => {
    const { ids, videoDirs } = app.context;
    const left = ids.uuid();
    await videoDirs.open(left);
    await videoDirs.open('not-of-a-video');
    await reconcile(app.context);
    expect(await folders()).toEqual(['not-of-a-video']);
    await videoDirs.remove('not-of-a-video');
  });

  test('that are longer than the operator allows are refused, but for members whose plan allows them', async () => {
    const own = await startTestApp(await openTestDatabase(), { settings: { video: { tier: 'fast', maxSeconds: 1 } } });
    const member = await own.member();
    await own.context.db.update(users).set({ vipAt: own.clock.now() });
    const ownClient = own.client({ token: member.token });
    const bytes = await smallVideo('mp4', { frames: 75 });
    const send = async () => {
      const input = await requestFor(ownClient, bytes, await videoSettings(ownClient, 'a.mp4', { size: bytes.length }));
      const link = await ownClient.call('requestUploadMedia', { input });
      await put(own, link, bytes);
      return ownClient.call('setMediaS3UploadFinish', { input: { id: link.media_id } });
    };
    expect((await refusal(send())).code).toBe('filmTooLong');
    const plan = { userId: member.userId, planId: LIMITS.planIds.normal };
    await own.context.db.transaction((tx) => giveComplimentaryPlan(own.context, tx, plan));
    expect(await send()).toMatchObject({ uploaded: true });
    // The plan is enough. What it allows is told, and is the limit; with its end it is for VIPs again.
    await own.context.db.update(users).set({ vipAt: null });
    expect((await ownClient.call('user')).videoSeconds).toBe(30 * 60);
    expect(await send()).toMatchObject({ uploaded: true });
    const limit = (videoSeconds: number | null) => own.context.db.update(plans).set({ videoSeconds });
    await limit(2);
    expect((await refusal(send())).code).toBe('filmTooLong');
    await limit(null);
    expect((await refusal(send())).code).toBe('not_VIP');
    await limit(30 * 60);
    await own.context.db.update(subscriptions).set({ state: 'ended', endedAt: own.clock.now() });
    expect((await refusal(send())).code).toBe('not_VIP');
    expect((await ownClient.call('user')).videoSeconds).toBe(0);
    await own.close();
  });

  test('are for VIPs and those with a plan alone: not for members, nor for guests', async () => {
    for (const { token: other } of [await app.member(), await app.guest()]) {
      const own = app.client({ token: other });
      const input = await requestFor(own, video, await videoSettings(own, 'a.mp4', { size: video.length }));
      expect((await refusal(own.call('requestUploadMedia', { input }))).code).toBe('not_VIP');
      expect((await refusal(own.call('media', { params: { id } }))).code).toBe('mediaNotFound');
      const address = await fetch(new URL(`/api/media/${id}/film`, app.url), {
        headers: { authorization: `Bearer ${other}` },
      });
      expect(address.status).toBe(404);
    }
  });
});
