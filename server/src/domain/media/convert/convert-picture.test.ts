import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, DOWNLOAD_FORMATS, mediaDetail } from '@framelift/contract';
import { sizeOf } from '@framelift/engine/testing/pictures';
import { errorText } from '@framelift/texts/node';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { conversions, media, objects } from '../../../platform/db/schema.ts';
import { openDiskStorage } from '../../../platform/storage/disk.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { openTestDatabase } from '../../../testing/database.ts';
import { openEvents } from '../../../testing/events.ts';
import {
  assetKey,
  ended,
  oneRowForEveryObject,
  refusal,
  smallJpeg,
  storedKeys,
  upload,
} from '../../../testing/uploads.ts';
import { listFileVariants } from '../asset.sql.ts';

/** Calibration of a display with the lenses of a Portrait at a quarter of its size. */
const CALIBRATION = JSON.stringify({
  serial: 'LKG-P00001',
  pitch: { value: 52 },
  slope: { value: -7 },
  center: { value: 0.5 },
  DPI: { value: 81 },
  screenW: { value: 384 },
  screenH: { value: 512 },
});

function conversionProcesses(): number[] {
  const found = execFileSync('pgrep', ['-P', String(process.pid), '-f', 'convert-process'], { encoding: 'utf8' });
  return found.trim().split('\n').map(Number);
}

describe('converting', () => {
  let app: TestApp;
  let token: string;
  let client: Client;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
    ({ token } = await app.member());
    client = app.client({ token });
  });
  afterAll(() => app.close());
  const detail = (id: string) => client.call('media', { params: { id } });
  const conversionsOf = (id: string) =>
    app.context.db.select().from(conversions).where(eq(conversions.mediaId, id)).orderBy(conversions.createdAt);
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(new URL(path, app.url), { headers: { authorization: `Bearer ${token}`, ...headers } });
  const eventsOf = (id: string) => openEvents(`${app.url}/api/media/${id}/events`, token);

  describe('a picture', () => {
    let id: string;
    let jpeg: Buffer;
    beforeAll(async () => {
      jpeg = await smallJpeg();
    });

    test('tells its progress until it is finished [R-3.media.2][R-3.media.3]', async () => {
      ({ id } = await upload(app, client, jpeg));
      expect((await refusal(client.call('getMediaLink', { input: { id } }))).code).toBe(
        'obj_havent_transformed_completed',
      );
      const { response, events } = await eventsOf(id);
      expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
      expect(response.headers.get('cache-control')).toContain('no-store');
      const seen = [];
      for await (const event of events) seen.push(mediaDetail.parse(event));
      const progress = seen.map((event) => event.progress);
      expect(progress).toEqual([...progress].sort((a, b) => a - b));
      expect(seen[0]?.status).toBe(0);
      expect(seen.at(-1)).toMatchObject({ status: 1, step: 'done', progress: 100, timeLeft: null });
      expect(new Set(seen.map(({ step }) => step)).size).toBeGreaterThan(2);
      expect(seen.filter(({ status }) => status !== 0)).toHaveLength(1);
      expect(await detail(id)).toEqual(seen.at(-1));
    });

    test('has a cover of 500 px and the parts of a preview, for its owner alone [R-9.crop.1][R-5.crop.2]', async () => {
      const { cover, preview } = await detail(id);
      const answer = await get(cover ?? '');
      expect(answer.headers.get('content-type')).toBe('image/jpeg');
      expect(answer.headers.get('cache-control')).toContain('private');
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(await sizeOf(bytes)).toEqual({ width: 500, height: 667 });
      const again = await get(cover ?? '', { 'if-none-match': answer.headers.get('etag') ?? '' });
      expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
      for (const path of Object.values(preview ?? {})) {
        const { width, height } = await sizeOf(Buffer.from(await (await get(path)).arrayBuffer()));
        expect(width / height).toBeCloseTo(0.75, 1);
      }
      expect((await fetch(new URL(cover ?? '', app.url))).status).toBe(401);
    });

    test("links to the device's own format when none is named [R-7.media.6] [R-3.download-link.1]", async () => {
      const [link, ...others] = await client.call('getMediaLink', { input: { id } });
      expect(others).toEqual([]);
      expect(link).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        type: 'image/jpeg',
        url: expect.any(String),
      });
      const file = await fetch(new URL(link?.url ?? '', app.url));
      expect(file.headers.get('content-disposition')).toContain('attachment; filename="shop_qs8x6a0.75.jpg"');
      expect(await sizeOf(Buffer.from(await file.arrayBuffer()))).toEqual({ width: 3360, height: 3360 });
    });

    test('is made in another format once, however many ask at the same time', async () => {
      const ask = () => client.call('getMediaLink', { input: { id, format: 'sbs' } });
      const links = (await Promise.all([ask(), ask(), ask()])).concat([await ask()]).flat();
      expect(new Set(links.map((link) => link.id)).size).toBe(1);
      expect(await listFileVariants(app.context.db, id)).toEqual(['quilt', 'sbs']);
      const file = await fetch(new URL(links[0]?.url ?? '', app.url));
      expect(await sizeOf(Buffer.from(await file.arrayBuffer()))).toEqual({ width: 960, height: 640 });
    });

    test('is not made for a caller who hung up while waiting [S4]', async () => {
      const hangUp = new AbortController();
      const prepared = async () =>
        (await readdir(join(app.dataDir, 'work'), { recursive: true })).filter((name) => /results-[^/]+$/.test(name));
      const first = client.call('getMediaLink', { input: { id, zip: ['sbs', 'tb', 'anaglyph', 'mpo'] } });
      await expect.poll(prepared).toHaveLength(1);
      const second = client.call('getMediaLink', { input: { id, format: 'wiggle' }, signal: hangUp.signal });
      second.catch(() => {});
      await expect.poll(prepared).toHaveLength(2);
      hangUp.abort();
      await expect(second).rejects.toThrow();
      await first;
      await expect.poll(prepared).toHaveLength(0);
      expect(await listFileVariants(app.context.db, id)).not.toContain('wiggle');
    });

    test('gives every format that it offers', async () => {
      const { formats } = await detail(id);
      expect([...formats].sort()).toEqual([...DOWNLOAD_FORMATS].sort());
      expect(formats[0]).toBe('quilt');
      for (const format of formats) {
        const input = { id, format, ...(format === 'native' && { calibration: CALIBRATION }) };
        const [link] = await client.call('getMediaLink', { input });
        const file = await fetch(new URL(link?.url ?? '', app.url));
        const bytes = Buffer.from(await file.arrayBuffer());
        expect(file.headers.get('content-type')).toBe(link?.type);
        if (format === 'original') expect(bytes.equals(jpeg)).toBe(true);
        else if (format === 'wiggle_mp4' || format === 'spatial') expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
        else expect((await sizeOf(bytes)).width).toBeGreaterThan(0);
      }
    });

    test('[V39] exchanged eyes and other anaglyphs are files beside the plain ones', async () => {
      const ask = async (input: object) => {
        const [link] = await client.call('getMediaLink', { input: { id, ...input } });
        const file = await fetch(new URL(link?.url ?? '', app.url));
        await file.arrayBuffer();
        return { id: link?.id, name: /filename="([^"]+)"/.exec(file.headers.get('content-disposition') ?? '')?.[1] };
      };
      const plain = await ask({ format: 'sbs' });
      const swapped = await ask({ format: 'sbs', swapEyes: true });
      expect([plain.name, swapped.name]).toEqual(['shop_LRF_Full_SBS.jpg', 'shop_RLF_Full_SBS.jpg']);
      expect(await ask({ format: 'sbs', swapEyes: true })).toEqual(swapped);
      expect(await ask({ format: 'sbs', swapEyes: false, anaglyph: 'grey' })).toEqual(plain);
      expect((await ask({ format: 'anaglyph', anaglyph: 'grey' })).name).toBe('shop_redcyan_grey.jpg');
      // A quilt has no eyes to swap, so the existing file is returned.
      expect(await ask({ format: 'quilt', swapEyes: true })).toEqual(await ask({}));
    });

    test('several formats come in one archive, made once', async () => {
      const ask = (zip: ('sbs' | 'depth' | 'mpo')[]) => client.call('getMediaLink', { input: { id, zip } });
      const [link] = await ask(['sbs', 'depth', 'mpo']);
      expect(link?.type).toBe('application/zip');
      const file = await fetch(new URL(link?.url ?? '', app.url));
      expect(file.headers.get('content-disposition')).toContain('filename="shop.zip"');
      const zip = await fromBufferPromise(Buffer.from(await file.arrayBuffer()));
      const names: string[] = [];
      for await (const entry of zip.eachEntry()) names.push(entry.fileName);
      expect(names.sort()).toEqual(['shop.mpo', 'shop_LRF_Full_SBS.jpg', 'shop_depth16.png']);
      const [again] = await ask(['mpo', 'depth', 'sbs']);
      expect(again?.id).toBe(link?.id);
    });

    test('[V58] a native picture needs the calibration of a display, and a true one', async () => {
      const ask = (calibration?: string) => {
        const input = { id, format: 'native' as const, ...(calibration !== undefined && { calibration }) };
        return refusal(client.call('getMediaLink', { input }));
      };
      expect((await ask()).code).toBe('calibrationMissing');
      for (const text of ['', '{}', CALIBRATION.replace('384', '250')])
        expect((await ask(text)).code).toBe('calibrationInvalid');
    });

    test('the calibration of another display is refused, and the sentence names both [T13]', async () => {
      const calibration = CALIBRATION.replace('384', '1440').replace('512', '2560');
      const error = await refusal(client.call('getMediaLink', { input: { id, format: 'native', calibration } }));
      expect(error.code).toBe('calibrationOfOther');
      expect(error.message).toContain('Looking Glass Go');
      expect(error.message).toContain('Looking Glass Portrait');
    });

    test('leaves one row for every object, and one object for every row', async () => {
      await oneRowForEveryObject(app);
      expect((await conversionsOf(id)).map(({ state }) => state)).toEqual(['done']);
    });
  });

  test('the stream of one that has ended is one event', async () => {
    const { id } = await upload(app, client, await smallJpeg(1), { effect_param_id: 0 });
    const seen = [];
    for await (const event of (await eventsOf(id)).events) seen.push(event.status);
    expect(seen).toEqual([1]);
  });

  test('the stream tells what another process did, and ends when its media is gone', async () => {
    const { media_id: id } = await client.call('requestUploadMedia', {
      input: { ...(await pendingInput()), media_type: 1 },
    });
    const { events } = await eventsOf(id);
    const stream = events[Symbol.asyncIterator]();
    expect((await stream.next()).value).toMatchObject({ uploaded: false });
    const { db } = app.context;
    const now = app.clock.now();
    const startedAt = new Date(now.getTime() - 60_000);
    const conversion = { id: app.context.ids.uuid(), mediaId: id, state: 'running', step: 'depth' } as const;
    await db.insert(conversions).values({ ...conversion, progress: 0.5, startedAt, createdAt: now });
    const { value } = await stream.next();
    expect(value).toMatchObject({ step: 'depth', progress: 49 });
    // The first half took a minute, so the second half takes another.
    expect(Math.abs(value.timeLeft - 60)).toBeLessThan(15);
    await db.delete(media).where(eq(media.id, id));
    expect((await stream.next()).done).toBe(true);
  });

  async function pendingInput() {
    const [device] = await client.call('getDeviceType');
    const originalDetails = { name: 'a.jpg', size: 10, type: 'image/jpeg' };
    return { originalDetails, deviceType: device?.id ?? 0, effect_param_id: 0 };
  }

  test('cancelled while it waits or runs, it stops; tried again, it finishes', async () => {
    const [running, waiting] = [
      await upload(app, client, await smallJpeg(2)),
      await upload(app, client, await smallJpeg(3)),
    ];
    await expect.poll(() => detail(running.id)).not.toMatchObject({ step: 'waiting' });
    expect((await detail(waiting.id)).step).toBe('waiting');
    for (const { id } of [waiting, running]) {
      const cancelled = await client.call('cancelMedia', { input: { id } });
      const message = errorText('conversionCancelled', 'en');
      expect(cancelled).toMatchObject({ status: 2, failure: { code: 'conversionCancelled', message } });
      // An ended conversion is returned unchanged.
      expect(await client.call('cancelMedia', { input: { id } })).toEqual(cancelled);
    }
    const retry = () => client.call('retryMedia', { input: { id: running.id } });
    const retried = await Promise.all([retry(), retry()]);
    expect(retried.map(({ status, failure }) => [status, failure])).toEqual([
      [0, null],
      [0, null],
    ]);
    expect(await ended(client, running.id)).toMatchObject({ status: 1, failure: null });
    expect((await conversionsOf(running.id)).map(({ state }) => state)).toEqual(['cancelled', 'done']);
    expect(await detail(waiting.id)).toMatchObject({ status: 2 });
    expect((await conversionsOf(waiting.id)).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['cancelled', 0],
    ]);
  });

  test('tried again without its file, it says so', async () => {
    const { id } = await upload(app, client, await smallJpeg(4));
    await client.call('cancelMedia', { input: { id } });
    const original = await assetKey(app, id, 'original');
    await app.context.storage.delete(original);
    const error = await refusal(client.call('retryMedia', { input: { id } }));
    expect([error.code, error.status]).toEqual(['uploadMissing', 409]);
    await app.context.db.delete(media).where(eq(media.id, id));
    await app.context.db.delete(objects).where(eq(objects.key, original));
  });

  describe('deleting [R-7.media.5][R-3.media.5]', () => {
    beforeEach(async () => {
      ({ token } = await app.member());
      client = app.client({ token });
    });

    test('takes it out of sight, and can be undone for a day', async () => {
      const picture = await upload(app, client, await smallJpeg(5), { effect_param_id: 0 });
      const input = { id: picture.id };
      expect(await client.call('deleteMedia', { input })).toEqual({ id: picture.id });
      expect(await client.call('deleteMedia', { input })).toEqual({ id: picture.id });
      expect((await client.call('videos', { input: {} })).data).toEqual([]);
      expect((await refusal(detail(picture.id))).code).toBe('mediaNotFound');
      expect((await get(picture.cover ?? '')).status).toBe(404);
      expect((await refusal(client.call('getMediaLink', { input }))).code).toBe('mediaNotFound');
      expect(await client.call('restoreMedia', { input })).toEqual(picture);
      expect(await client.call('restoreMedia', { input })).toEqual(picture);
      await client.call('deleteMedia', { input });
      app.clock.advance(24 * 60 * 60_000);
      expect((await refusal(client.call('restoreMedia', { input }))).code).toBe('mediaNotFound');
    });

    test('stops the conversion; restored, it can be tried again', async () => {
      const { id } = await upload(app, client, await smallJpeg(6));
      await client.call('deleteMedia', { input: { id } });
      expect((await conversionsOf(id)).map(({ state }) => state)).toEqual(['cancelled']);
      const restored = await client.call('restoreMedia', { input: { id } });
      expect(restored).toMatchObject({ status: 2, failure: { code: 'conversionCancelled' } });
      await client.call('retryMedia', { input: { id } });
      expect((await ended(client, id)).status).toBe(1);
    });
  });

  test('a picture that ends its process every time is given up after three tries, and its owner is told [A82]', async () => {
    // Enough to inspect a picture, too little to convert one.
    const own = await startTestApp(await openTestDatabase(), { converter: { memoryLimitMb: 260 } });
    const ownClient = own.client({ token: (await own.member()).token });
    const { id } = await upload(own, ownClient, await smallJpeg(7));
    const failed = await ended(ownClient, id);
    expect(failed).toMatchObject({ status: 2, failure: { code: 'conversionFailed' } });
    const [row] = await own.context.db.select().from(conversions).where(eq(conversions.mediaId, id));
    expect(row).toMatchObject({ state: 'failed', attempts: 3 });
    expect(await storedKeys(own, 'results/')).toEqual([]);
    await own.close();
  });

  test("a member's picture waits for none of a guest's [S4]", async () => {
    const own = await startTestApp(await openTestDatabase(), { converter: { silenceMs: 120_000 } });
    const guest = own.client({ token: (await own.guest()).token });
    const member = own.client({ token: (await own.member()).token });
    const { id } = await upload(own, guest, await smallJpeg(11));
    const step = async () => (await guest.call('media', { params: { id } })).step;
    await expect.poll(step, { timeout: 60_000, interval: 10 }).not.toMatch(/waiting|open/);
    const lower = Math.min(19, getPriority() + 14);
    const guests = conversionProcesses().filter((pid) => getPriority(pid) === lower);
    expect(guests).not.toEqual([]);
    for (const pid of guests) process.kill(pid, 'SIGSTOP');
    expect(await upload(own, member, await smallJpeg(12), { effect_param_id: 0 })).toMatchObject({ status: 1 });
    expect(await guest.call('media', { params: { id } })).toMatchObject({ status: 0 });
    for (const pid of guests) process.kill(pid, 'SIGCONT');
    expect(await ended(guest, id)).toMatchObject({ status: 1 });
    await own.close();
  });

  test('a conversion whose process hangs goes on in another one [S6]', async () => {
    const own = await startTestApp(await openTestDatabase(), { converter: { silenceMs: 3000 } });
    const ownClient = own.client({ token: (await own.member()).token });
    const { id } = await upload(own, ownClient, await smallJpeg(9));
    const step = async () => (await ownClient.call('media', { params: { id } })).step;
    await expect.poll(step, { timeout: 60_000, interval: 10 }).not.toMatch(/waiting|open/);
    // Also those of `app`, which later tests do not use.
    for (const pid of conversionProcesses()) process.kill(pid, 'SIGSTOP');
    expect(await ended(ownClient, id)).toMatchObject({ status: 1, failure: null });
    const [row] = await own.context.db.select().from(conversions).where(eq(conversions.mediaId, id));
    expect(row).toMatchObject({ state: 'done', attempts: 2 });
    await own.close();
  });

  test('a full disk holds a conversion up, fails none, and its owner reads that it is not the picture [S7]', async () => {
    const opened = await openTestDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'framelift-full-'));
    const disk = await openDiskStorage({ root: dataDir, secret: Buffer.alloc(32), now: () => new Date() });
    let isFull = true;
    const storage: Storage = {
      ...disk,
      async readTo(key, path) {
        if (isFull && key.startsWith('originals/')) throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
        return disk.readTo(key, path);
      },
    };
    const own = await startTestApp(opened, { storage });
    const ownClient = own.client({ token: (await own.member()).token });
    const { id } = await upload(own, ownClient, await smallJpeg(10));
    const tries = async () =>
      (await own.context.db.select().from(conversions).where(eq(conversions.mediaId, id)))[0]?.attempts;
    await expect.poll(tries, { timeout: 120_000 }).toBeGreaterThan(3);
    const message = errorText('conversionDelayed', 'en');
    await expect
      .poll(() => ownClient.call('media', { params: { id } }), { timeout: 60_000 })
      .toMatchObject({ status: 0, step: 'waiting', failure: { code: 'conversionDelayed', message } });
    isFull = false;
    expect(await ended(ownClient, id)).toMatchObject({ status: 1, failure: null });
    await own.close();
    await rm(dataDir, { recursive: true });
  });

  test('a conversion that takes too long is given up at once, with that reason [A43]', async () => {
    const own = await startTestApp(await openTestDatabase(), { converter: { timeLimitMs: 50 } });
    const ownClient = own.client({ token: (await own.member()).token });
    const { id } = await upload(own, ownClient, await smallJpeg(8));
    const failed = await ended(ownClient, id);
    expect(failed).toMatchObject({ status: 2, failure: { code: 'conversionTimedOut' } });
    const [row] = await own.context.db.select().from(conversions).where(eq(conversions.mediaId, id));
    expect(row).toMatchObject({ state: 'failed', attempts: 1 });
    await own.close();
  });

  test('a stopping server ends its streams', async () => {
    const own = await startTestApp(await openTestDatabase());
    const { token: ownToken } = await own.member();
    const ownClient = own.client({ token: ownToken });
    const { media_id: id } = await ownClient.call('requestUploadMedia', {
      input: { ...(await pendingInput()), media_type: 1 },
    });
    const { events } = await openEvents(`${own.url}/api/media/${id}/events`, ownToken);
    const stream = events[Symbol.asyncIterator]();
    expect((await stream.next()).done).toBe(false);
    const closed = own.close();
    expect((await stream.next()).done).toBe(true);
    await closed;
  });
});
