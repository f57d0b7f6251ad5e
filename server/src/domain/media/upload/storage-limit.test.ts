import type { Client } from '@framelift/contract';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mediaAssets, objects } from '../../../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { openTestDatabase } from '../../../testing/database.ts';
import { refusal, requestFor, smallJpeg, upload } from '../../../testing/uploads.ts';
import { expireUploads, purge } from '../lifecycle/cleanup.ts';
import { storedBytes } from '../usage.sql.ts';

describe('the storage of one member', () => {
  let app: TestApp;
  let picture: Buffer;
  beforeAll(async () => {
    picture = await smallJpeg();
    // Exactly two such pictures.
    app = await startTestApp(await openTestDatabase(), { settings: { storageBytes: 2 * picture.length } });
  });
  afterAll(() => app.close());

  /** Lets members store this much for the rest of a test. */
  const limit = (given: { storageBytes?: number; resultBytes?: number }) => Object.assign(app.context.settings, given);
  beforeEach(() => limit({ storageBytes: 2 * picture.length, resultBytes: 1024 ** 3 }));
  const flat = (client: Client, bytes = picture) => upload(app, client, bytes, { effect_param_id: 0 });
  const usageOf = async (client: Client) => (await client.call('getUserUsage')).used / picture.length;
  const newMember = async () => {
    const member = await app.member();
    return { ...member, me: app.client({ token: member.token }) };
  };

  it('ends with storageLimitReached, counts what is on its way, and is free again after a deletion is final [R-5.server-rules.6][R-8.catalogue.18][R-7.media.4][S5]', async () => {
    const { me } = await newMember();
    const ask = async (given: object = {}) =>
      me.call('requestUploadMedia', { input: await requestFor(me, picture, { effect_param_id: 0, ...given }) });
    const usage = () => usageOf(me);
    expect(await me.call('getUserUsage')).toEqual({ used: 0, limit: 2 * picture.length });
    const { id } = await flat(me);
    expect(await usage()).toBe(1);
    const pending = await ask();
    expect(await refusal(ask())).toMatchObject({
      code: 'storageLimitReached',
      status: 507,
      message: expect.stringContaining('album'),
    });
    // Retrying the same upload takes no additional space.
    await ask({ id: pending.media_id });
    expect(await usage()).toBe(2);
    // Deleted ones are stored until they are purged.
    await me.call('deleteMedia', { input: { id } });
    await me.call('deleteMedia', { input: { id: pending.media_id } });
    expect(await usage()).toBe(2);
    expect((await refusal(ask())).code).toBe('storageLimitReached');
    app.clock.advance(25 * 60 * 60_000);
    await expireUploads(app.context);
    await purge(app.context);
    expect(await usage()).toBe(0);
    await ask();
    await ask();
    expect((await refusal(ask())).code).toBe('storageLimitReached');

    // The limit is each member's own.
    const other = (await newMember()).me;
    await other.call('requestUploadMedia', { input: await requestFor(other, picture) });
  });

  it('counts the same file once, however often it is sent [S11]', async () => {
    const { me } = await newMember();
    limit({ storageBytes: 4 * picture.length });
    const sent = [await flat(me), await flat(me), await flat(me)];
    expect(await usageOf(me)).toBe(1);
    const other = await smallJpeg(1);
    await flat(me, other);
    expect((await me.call('getUserUsage')).used).toBe(picture.length + other.length);
    // It counts as long as one of them is stored.
    for (const { id } of sent.slice(1)) await me.call('deleteMedia', { input: { id } });
    app.clock.advance(25 * 60 * 60_000);
    await purge(app.context);
    expect((await me.call('getUserUsage')).used).toBe(picture.length + other.length);
  });

  it('restores nothing beyond a limit that was lowered, until others are deleted [S5]', async () => {
    const { me } = await newMember();
    const first = await flat(me);
    const second = await flat(me, await smallJpeg(2));
    await me.call('deleteMedia', { input: { id: first.id } });
    limit({ storageBytes: Math.ceil(1.5 * picture.length) });
    const restore = () => me.call('restoreMedia', { input: { id: first.id } });
    expect(await refusal(restore())).toMatchObject({ code: 'storageLimitReached', status: 507 });
    expect((await refusal(me.call('media', { params: { id: first.id } }))).code).toBe('mediaNotFound');
    await me.call('deleteMedia', { input: { id: second.id } });
    expect((await restore()).id).toBe(first.id);
  });

  it('evicts the files used longest ago beyond their share, and makes them again on request [S5]', async () => {
    const { me, userId } = await newMember();
    limit({ storageBytes: 10 * picture.length });
    const files = async () => {
      const rows = await app.context.db
        .select({ id: mediaAssets.mediaId, size: objects.size })
        .from(mediaAssets)
        .innerJoin(objects, eq(objects.key, mediaAssets.objectKey))
        .where(and(eq(objects.ownerId, userId), eq(mediaAssets.role, 'file')));
      return rows.map(({ id }) => id);
    };
    const stored = () => storedBytes(app.context.db, [userId], null);
    const get = async (id: string) => {
      const [link] = await me.call('getMediaLink', { input: { id } });
      const answer = await fetch(new URL(link?.url ?? '', app.url));
      expect(answer.status).toBe(200);
      return Buffer.from(await answer.arrayBuffer());
    };
    const sent: string[] = [];
    for (const seed of [1, 2, 3]) {
      sent.push((await flat(me, await smallJpeg(seed))).id);
      app.clock.advance(1000);
    }
    const [first = '', second = '', third = ''] = sent;
    const made = await get(first);
    expect(await files()).toHaveLength(3);
    const { lasting, files: size } = await stored();
    // Room for three, then for two: the second one is the one not used since.
    limit({ resultBytes: Math.floor(lasting * (4 / 3) + size) });
    app.clock.advance(1000);
    const fourth = (await flat(me, await smallJpeg(4))).id;
    // Evicted right after the result is stored.
    await expect.poll(async () => (await files()).sort(), { timeout: 10_000 }).toEqual([first, third, fourth].sort());
    expect((await stored()).lasting + (await stored()).files).toBeLessThanOrEqual(app.context.settings.resultBytes);
    // They block no upload, and the member sees no difference.
    expect((await get(second)).equals(await get(second))).toBe(true);
    expect((await files()).sort()).toEqual([first, second, fourth].sort());
    expect((await get(first)).equals(made)).toBe(true);
    const keys = await app.context.db.select({ key: objects.key }).from(objects).where(eq(objects.ownerId, userId));
    // Two sizes of each picture to look at, and three files.
    expect(keys.filter(({ key }) => key.startsWith('results/')).length).toBe(4 * 2 + 3);
    // What cannot be made again counts as far as it exceeds the share.
    const before = (await me.call('getUserUsage')).used;
    limit({ resultBytes: 0 });
    expect((await me.call('getUserUsage')).used).toBe(before + (await stored()).lasting);
  });
});
