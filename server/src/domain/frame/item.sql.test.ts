import { LIMITS } from '@framelift/contract';
import { and, eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  albumMedia,
  albums,
  conversions,
  deviceTypes,
  frameFiles,
  frameItems,
  frames,
  mediaAssets,
  media as mediaRows,
  objects,
  subscriptions,
} from '../../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { openTestShop, type TestShop } from '../../testing/shop.ts';
import { evictFiles, storedBytes } from '../media/usage.sql.ts';
import { frameJobs } from './frame.jobs.ts';
import { frameFingerprints, listEntries, listFramesOf, listShownItems } from './item.sql.ts';

const HOUR_MS = 3_600_000;

describe('the rows of what frames play', () => {
  let app: TestApp;
  let ownerId: string;
  let types: number[];
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
    ownerId = (await app.member()).userId;
    types = (await app.context.db.select().from(deviceTypes).orderBy(deviceTypes.id)).map(({ id }) => id);
  });
  afterAll(() => app.close());

  const id = () => app.context.ids.uuid();
  const now = () => app.context.clock.now();
  const [own, other] = [() => types[0] ?? 0, () => types[1] ?? 0];

  async function frameOf(deviceTypeId: number): Promise<string> {
    const screen = { kind: '', screenWidth: 1920, screenHeight: 1080, pixelRatio: 1 };
    const row = { ...screen, id: id(), ownerId, name: 'Shelf', deviceTypeId, createdAt: now() };
    await app.context.db.insert(frames).values(row);
    return row.id;
  }

  function mediaRow(values: Partial<typeof mediaRows.$inferInsert> = {}): typeof mediaRows.$inferInsert {
    const kind = { mediaType: 1, deviceTypeId: own(), effect: 0, status: 1, uploadState: 'stored' } as const;
    const sent = { name: 'shop.jpg', declaredSize: 1, declaredType: 'image/jpeg' };
    return { ...kind, ...sent, id: id(), ownerId, createdAt: now(), ...values };
  }

  /** Returns the id of a picture, or of a copy of one, with an object of its own. */
  async function picture(values: Partial<typeof mediaRows.$inferInsert> = {}): Promise<string> {
    const row = mediaRow(values);
    await app.context.db.insert(mediaRows).values(row);
    await asset(row.id, 'original', await object('upload'));
    return row.id;
  }

  async function object(purpose: 'upload' | 'result', owner = ownerId): Promise<string> {
    const key = `results/${id()}`;
    const row = { key, ownerId: owner, purpose, sha256: id(), size: 1000, type: 'image/jpeg', createdAt: now() };
    await app.context.db.insert(objects).values(row);
    return key;
  }
  const asset = (mediaId: string, role: 'original' | 'cover' | 'uncropped' | 'file', objectKey: string) =>
    app.context.db.insert(mediaAssets).values({ id: id(), mediaId, role, objectKey, usedAt: now() });

  async function show(
    frameId: string,
    what: { mediaId: string } | { albumId: string },
    addedById = ownerId,
  ): Promise<string> {
    const row = { ...what, id: id(), frameId, position: 1, addedById, createdAt: now() };
    await app.context.db.insert(frameItems).values(row);
    return row.id;
  }

  /** Returns the id of a converted picture of the operator of a shop, with a file that can be made again. */
  async function soldBy(shop: TestShop): Promise<string> {
    const shown = await picture({ ownerId: shop.operatorId, resultRevision: 1 });
    await asset(shown, 'file', await object('result', shop.operatorId));
    return shown;
  }
  /** Returns how many files of a media would be evicted now. */
  async function evictable(userId: string, mediaId: string): Promise<number> {
    const all = { excess: Number.MAX_SAFE_INTEGER, kept: [], now: now() };
    let count = 0;
    const undo = new Error('undone');
    await app.context.db
      .transaction(async (tx) => {
        const files = () => tx.$count(mediaAssets, and(eq(mediaAssets.mediaId, mediaId), eq(mediaAssets.role, 'file')));
        const before = await files();
        await evictFiles(tx, userId, all);
        count = before - (await files());
        throw undo;
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error;
      });
    return count;
  }

  async function albumOf(mediaIds: string[]): Promise<string> {
    const albumId = id();
    await app.context.db.insert(albums).values({ id: albumId, ownerId, name: 'Summer', createdAt: now() });
    await app.context.db.insert(albumMedia).values(mediaIds.map((mediaId) => ({ albumId, mediaId })));
    return albumId;
  }

  it('have a fingerprint that changes with files that are made, formats, copies and types of devices', async () => {
    const { db } = app.context;
    const frameId = await frameOf(other());
    const shown = await picture();
    await show(frameId, { mediaId: shown });
    const seen = new Set<string>();
    const isNew = async (what: string) => {
      const fingerprint = (await frameFingerprints(db, [frameId], now())).get(frameId) ?? '';
      expect([what, seen.has(fingerprint)]).toEqual([what, false]);
      expect((await frameFingerprints(db, [frameId], now())).get(frameId)).toBe(fingerprint);
      seen.add(fingerprint);
    };
    await isNew('shown');
    const copy = await picture({ copyOf: shown, deviceTypeId: other(), copyKey: 'one' });
    await isNew('a copy');
    await db.update(mediaRows).set({ copyKey: 'two' }).where(eq(mediaRows.id, copy));
    await isNew('a copy of other settings');
    for (const mediaId of [shown, copy]) {
      await db.insert(frameFiles).values({ mediaId, variant: 'sbs', createdAt: now() });
      await isNew('a file is made');
      await db.update(frameFiles).set({ failureCode: 'conversionFailed' }).where(eq(frameFiles.mediaId, mediaId));
      await isNew('a file was not made');
      await db.delete(frameFiles).where(eq(frameFiles.mediaId, mediaId));
      await db.insert(conversions).values({ id: id(), mediaId, format: 'hsbs', createdAt: now() });
      await isNew('a format is made');
      await db.update(conversions).set({ state: 'failed' }).where(eq(conversions.mediaId, mediaId));
      await isNew('a format was not made');
      await asset(mediaId, 'file', await object('result'));
      await isNew('a file');
    }
    for (const type of [own(), other()]) {
      const change = async (values: Partial<typeof deviceTypes.$inferInsert>) => {
        await db.update(deviceTypes).set(values).where(eq(deviceTypes.id, type));
        await isNew(JSON.stringify([type, values]));
      };
      const [before] = await db.select().from(deviceTypes).where(eq(deviceTypes.id, type));
      await change({ ratio: '5,7' });
      await change({ disparityBudget: 7.5 });
      await change({ format: 'quilt', quilt: { columns: 3, rows: 5, width: 100, height: 100, aspect: 1 } });
      await db
        .update(deviceTypes)
        .set(before ?? {})
        .where(eq(deviceTypes.id, type));
    }
  });

  it('end at the limit of a playlist, in the fingerprint as well', async () => {
    const { db } = app.context;
    const frameId = await frameOf(own());
    const rows = Array.from({ length: LIMITS.frames.playlist + 1 }, (_, age) =>
      mediaRow({ createdAt: new Date(now().getTime() - age * 1000) }),
    );
    await db.insert(mediaRows).values(rows);
    const ids = rows.map((row) => row.id);
    await show(frameId, { albumId: await albumOf(ids) });
    expect((await listEntries(db, frameId, now())).map(({ mediaId }) => mediaId)).toEqual(ids.slice(0, -1));
    const before = await frameFingerprints(db, [frameId], now());
    const rename = (mediaId = '') => db.update(mediaRows).set({ name: 'new' }).where(eq(mediaRows.id, mediaId));
    await rename(ids.at(-1));
    expect(await frameFingerprints(db, [frameId], now())).toEqual(before);
    await rename(ids.at(-2));
    expect(await frameFingerprints(db, [frameId], now())).not.toEqual(before);
  });

  it('name the frames of a media and of its copies, by itself and by albums', async () => {
    const { db } = app.context;
    const [first, second, third] = [await frameOf(own()), await frameOf(own()), await frameOf(own())];
    const shown = await picture();
    const copy = await picture({ copyOf: shown });
    await show(first, { mediaId: shown });
    const albumId = await albumOf([shown]);
    for (const frameId of [first, second]) await show(frameId, { albumId });
    const removed = await show(third, { mediaId: shown });
    await db.update(frameItems).set({ deletedAt: now() }).where(eq(frameItems.id, removed));
    for (const mediaId of [shown, copy])
      expect((await listFramesOf(db, mediaId)).sort()).toEqual([first, second].sort());
  });

  it('lose copies of an ended product, whose items are neither shown nor counted until it is bought again', async () => {
    const { db, clock } = app.context;
    const shop = await openTestShop(app);
    const frameId = await frameOf(other());
    const [alone, inAlbum, kept] = [await soldBy(shop), await soldBy(shop), await soldBy(shop)];
    const product = await shop.product([alone, inAlbum]);
    await show(frameId, { mediaId: alone });
    await show(frameId, { albumId: product.albumId });
    const copyOf = (copied: string) =>
      picture({ copyOf: copied, ownerId: shop.operatorId, deviceTypeId: other(), copyKey: 'one' });
    const copies = [await copyOf(alone), await copyOf(inAlbum)];
    // Of the operator's own frame, which goes on.
    const own = { ...(await db.select().from(frames).where(eq(frames.id, frameId)))[0], id: id() };
    await db.insert(frames).values({ ...own, ownerId: shop.operatorId } as typeof frames.$inferInsert);
    await show(own.id, { mediaId: kept }, shop.operatorId);
    const ofOperator = await copyOf(kept);
    const anchorDay = 1;
    const has = { id: id(), userId: ownerId, kind: 'product', productId: product.id, state: 'active' } as const;
    await db.insert(subscriptions).values({ ...has, anchorDay, createdAt: now() });
    const files = async () => (await evictable(shop.operatorId, alone)) + (await evictable(shop.operatorId, inAlbum));
    const left = async (hours: number) => {
      app.clock.advance(hours * HOUR_MS);
      await frameJobs[0]?.run(app.context, {}, { id: '', attempt: 1, signal: new AbortController().signal });
      const ids = [...copies, ofOperator];
      return (await db.select().from(mediaRows).where(inArray(mediaRows.id, ids))).map((row) => row.id).sort();
    };
    expect(await left(50)).toEqual([...copies, ofOperator].sort());
    expect(await listShownItems(db, frameId, now())).toHaveLength(2);
    expect(await files()).toBe(0);
    await db.update(subscriptions).set({ paidUntil: clock.now() }).where(eq(subscriptions.id, has.id));
    expect(await listShownItems(db, frameId, now())).toEqual([]);
    expect(await files()).toBe(2);
    expect(await left(23)).toEqual([...copies, ofOperator].sort());
    expect(await left(26)).toEqual([ofOperator]);
    await db.update(subscriptions).set({ paidUntil: null }).where(eq(subscriptions.id, has.id));
    expect(await listShownItems(db, frameId, now())).toHaveLength(2);
  });

  it('lose copies that no frame plays any more, after a grace, with their files', async () => {
    const { db, clock } = app.context;
    const frameId = await frameOf(other());
    const [alone, inAlbum, unshown] = [await picture(), await picture(), await picture()];
    const item = await show(frameId, { mediaId: alone });
    await show(frameId, { albumId: await albumOf([inAlbum]) });
    const counted = await storedBytes(db, [ownerId], null);
    const copyOf = async (copied: string, deviceTypeId: number) => {
      const copy = await picture({ copyOf: copied, deviceTypeId });
      const cover = await object('result');
      await asset(copy, 'cover', cover);
      await asset(copy, 'file', await object('result'));
      return { id: copy, cover };
    };
    const copies = [await copyOf(alone, other()), await copyOf(inAlbum, other())];
    const [one = { id: '', cover: '' }, two = { id: '', cover: '' }] = copies;
    const never = await copyOf(unshown, other());
    const ofNoFrame = await copyOf(alone, own());
    // Copies are neither lasting nor files; what they share with their media is.
    const { lasting, files } = await storedBytes(db, [ownerId], null);
    expect({ lasting, files }).toEqual({ lasting: counted.lasting, files: counted.files });
    const shared = await object('result');
    for (const mediaId of [alone, one.id]) await asset(mediaId, 'uncropped', shared);
    expect((await storedBytes(db, [ownerId], null)).lasting).toBe(lasting + 1000);

    const ids = [...copies, never, ofNoFrame].map((copy) => copy.id);
    const left = async (hours: number) => {
      app.clock.advance(hours * HOUR_MS);
      await frameJobs[0]?.run(app.context, {}, { id: '', attempt: 1, signal: new AbortController().signal });
      const rows = await db.select().from(mediaRows).where(inArray(mediaRows.id, ids));
      return rows.map((row) => row.id).sort();
    };
    const setType = (deviceTypeId: number) => db.update(frames).set({ deviceTypeId }).where(eq(frames.id, frameId));
    expect(await left(1)).toEqual([...ids].sort());
    expect(await left(26)).toEqual([...ids].sort());
    expect(await left(26)).toEqual([one.id, two.id].sort());
    expect(await db.$count(objects, eq(objects.key, never.cover))).toBe(0);
    expect(await db.$count(objects, eq(objects.key, shared))).toBe(1);
    // They have been played until now, so that a frame that is switched back has them.
    await setType(own());
    expect(await left(23)).toEqual([one.id, two.id].sort());
    await setType(other());
    expect(await left(50)).toEqual([one.id, two.id].sort());
    await db.update(frameItems).set({ deletedAt: clock.now() }).where(eq(frameItems.id, item));
    expect(await left(23)).toEqual([one.id, two.id].sort());
    expect(await left(26)).toEqual([two.id]);
    await setType(own());
    expect(await left(50)).toEqual([]);
    expect(await db.$count(mediaRows, inArray(mediaRows.id, [alone, inAlbum, unshown]))).toBe(3);
  });
});
