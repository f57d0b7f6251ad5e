import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, LIMITS } from '@framelift/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { media, objects } from '../../../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { openTestDatabase } from '../../../testing/database.ts';
import { assetKey, ended, put, refusal, requestFor, smallJpeg, storedKeys, upload } from '../../../testing/uploads.ts';
import { expireUploads, purge, reconcile } from './cleanup.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe('cleaning up', () => {
  let app: TestApp;
  let client: Client;
  let userId: string;
  let token: string;
  let jpeg: Buffer;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
    jpeg = await smallJpeg();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    const member = await app.member();
    client = app.client({ token: member.token });
    ({ userId, token } = member);
  });
  const flat = (bytes = jpeg, own = client) => upload(app, own, bytes, { effect_param_id: 0 });
  const rows = () => app.context.db.select().from(media).where(eq(media.ownerId, userId));
  const ownObjects = () => app.context.db.select().from(objects).where(eq(objects.ownerId, userId));
  const exists = async (keys: readonly string[]) => {
    const stored = await storedKeys(app, '');
    return keys.map((key) => stored.includes(key));
  };

  test('what was deleted goes for good after a day, files and all [A32]', async () => {
    const { id } = await flat();
    const keys = (await ownObjects()).map(({ key }) => key);
    // What was sent, the file to download, and two sizes to look at.
    expect(keys).toHaveLength(4);
    await client.call('deleteMedia', { input: { id } });
    app.clock.advance(DAY_MS - MINUTE_MS);
    await purge(app.context);
    expect(await rows()).toHaveLength(1);
    expect(await exists(keys)).toEqual(keys.map(() => true));
    app.clock.advance(2 * MINUTE_MS);
    await purge(app.context);
    expect(await rows()).toEqual([]);
    expect(await ownObjects()).toEqual([]);
    expect(await exists(keys)).toEqual(keys.map(() => false));
  });

  test('an administrator has lost covers and files made again, and what has lost nothing stays [A31]', async () => {
    const [whole, lost, hopeless] = [await flat(), await flat(await smallJpeg(31)), await flat(await smallJpeg(32))];
    for (const { id } of [lost, hopeless]) await app.context.storage.delete(await assetKey(app, id, 'cover'));
    await app.context.storage.delete(await assetKey(app, hopeless.id, 'original'));
    const detail = (id: string) => client.call('media', { params: { id } });
    const cover = async (id: string) => {
      const { cover: address } = await detail(id);
      const answer = await fetch(app.url + address, { headers: { authorization: `Bearer ${token}` } });
      await answer.body?.cancel();
      return answer.status;
    };
    expect([await cover(whole.id), await cover(lost.id)]).toEqual([200, 404]);

    const { client: admin, userId: adminId } = await app.admin();
    await admin.call('remakeMissing');
    await vi.waitFor(async () => expect(await cover(lost.id)).toBe(200), { timeout: 60_000, interval: 100 });
    expect((await ended(client, lost.id)).status).toBe(1);
    const states = await rows();
    expect(states.find(({ id }) => id === whole.id)?.finishedAt?.toISOString()).toBe(whole.finish_time);
    expect(states.find(({ id }) => id === hopeless.id)?.status).toBe(1);
    const { data: log } = await admin.call('auditLog', { input: {} });
    expect(log[0]).toMatchObject({ action: 'media.remade', by: { id: adminId } });
  });

  test('an original that another picture shows stays as long as that one', async () => {
    const [first, second] = [await flat(), await flat()];
    const original = await assetKey(app, second.id, 'original');
    for (const [{ id }, kept] of [
      [first, true],
      [second, false],
    ] as const) {
      await client.call('deleteMedia', { input: { id } });
      app.clock.advance(DAY_MS + MINUTE_MS);
      await purge(app.context);
      expect(await exists([original])).toEqual([kept]);
    }
    expect(await ownObjects()).toEqual([]);
  });

  test("guests' pictures go after their days", async () => {
    const guest = await app.guest();
    const own = app.client({ token: guest.token });
    const { id } = await flat(jpeg, own);
    const members = await flat();
    app.clock.advance(LIMITS.guest.days * DAY_MS - MINUTE_MS);
    await purge(app.context);
    expect(await own.call('media', { params: { id } })).toMatchObject({ status: 1 });
    app.clock.advance(2 * MINUTE_MS);
    await purge(app.context);
    expect((await refusal(own.call('media', { params: { id } }))).code).toBe('mediaNotFound');
    expect(await client.call('media', { params: { id: members.id } })).toMatchObject({ status: 1 });
  });

  test('an upload that was never finished goes with its file [A9]', async () => {
    const ask = async () => client.call('requestUploadMedia', { input: await requestFor(client, jpeg) });
    const [came, never] = [await ask(), await ask()];
    await put(app, came, jpeg);
    expect(await storedKeys(app, 'uploads/')).toHaveLength(1);
    // A transfer that began just before the expiry may take its time.
    app.clock.advance((LIMITS.uploadLinkMinutes + 1) * MINUTE_MS);
    await expireUploads(app.context);
    expect(await rows()).toHaveLength(2);
    app.clock.advance(LIMITS.uploadTimeoutMinutes * MINUTE_MS);
    const fresh = await ask();
    await expireUploads(app.context);
    expect((await rows()).map(({ id }) => id)).toEqual([fresh.media_id]);
    expect(await storedKeys(app, 'uploads/')).toEqual([]);
    const finish = client.call('setMediaS3UploadFinish', { input: { id: never.media_id } });
    expect((await refusal(finish)).code).toBe('mediaNotFound');
  });

  test('the half of an upload that a killed process left goes, one that still grows stays [S9]', async () => {
    const incoming = join(app.dataDir, 'objects/.incoming');
    const [left, growing] = [join(incoming, 'left'), join(incoming, 'growing')];
    for (const path of [left, growing]) await writeFile(path, jpeg.subarray(0, 100));
    const { now } = app.clock;
    const at = (minutes: number) => new Date(now().getTime() - minutes * MINUTE_MS);
    await utimes(left, at(61), at(61));
    await utimes(growing, at(2 * LIMITS.uploadTimeoutMinutes), at(2 * LIMITS.uploadTimeoutMinutes));
    await reconcile(app.context);
    expect(await readdir(incoming)).toEqual(['growing']);
    await rm(growing);
  });

  test('an object that no row names goes when it is old enough [A10]', async () => {
    const { id } = await flat();
    const pending = await client.call('requestUploadMedia', { input: await requestFor(client, jpeg) });
    await put(app, pending, jpeg);
    const named = await storedKeys(app, '');
    const source = join(app.dataDir, 'stray');
    await writeFile(source, 'stray');
    const strays = ['uploads/late', 'originals/a/b', 'results/a/b'];
    const now = app.clock.now();
    for (const key of strays) {
      await app.context.storage.putFile(key, source, 'image/png');
      await utimes(join(app.dataDir, 'objects', key), now, now);
    }
    await reconcile(app.context);
    expect(await exists(strays)).toEqual([true, true, true]);
    app.clock.advance(61 * MINUTE_MS);
    await reconcile(app.context);
    expect(await storedKeys(app, '')).toEqual(named);
    expect(await client.call('media', { params: { id } })).toMatchObject({ status: 1 });
  });
});
