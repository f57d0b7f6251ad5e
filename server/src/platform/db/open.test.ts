import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../testing/database.ts';
import { isConnectionLost } from './connection-lost.ts';
import { migrate, type Opened } from './open.ts';
import { conversions, deviceTypes, media, objects, users } from './schema.ts';
import { seedOnce } from './seed.ts';

const now = new Date('2026-01-02T03:04:05.678Z');

describe('the database', () => {
  let opened: Opened;
  let ownerId: string;
  beforeAll(async () => {
    opened = await openTestDatabase();
    ownerId = randomUUID();
    await opened.db
      .insert(users)
      .values({ id: ownerId, kind: 'guest', name: '', guestKeyHash: 'x', language: 'en', createdAt: now });
    await opened.db.insert(deviceTypes).values({
      id: 1,
      slug: 'a',
      name: 'A',
      ratio: '3,4',
      extendResolution: '4,3',
      format: 'flat',
      disparityBudget: 5,
      position: 1,
    });
  });
  afterAll(() => opened.close());

  const insertMedia = async (values: Partial<typeof media.$inferInsert> = {}) => {
    const id = randomUUID();
    await opened.db.insert(media).values({
      id,
      ownerId,
      name: '小白菜.jpeg',
      mediaType: 1,
      deviceTypeId: 1,
      effect: 100,
      declaredSize: 1,
      declaredType: 'image/jpeg',
      createdAt: now,
      ...values,
    });
    return id;
  };
  /** Returns the name of the constraint that a statement violates, or null. */
  const brokenRule = (statement: PromiseLike<unknown>) =>
    Promise.resolve(statement).then(
      () => null,
      (error: { cause?: { constraint?: string } }) => error.cause?.constraint,
    );

  it('can be migrated again without effect, and by several at once', async () => {
    const tables = () => opened.db.execute(sql`select count(*)::int as n from information_schema.tables`);
    const before = JSON.stringify((await tables()) as object);
    await migrate(opened);
    await Promise.all([migrate(opened), migrate(opened), migrate(opened)]);
    expect(JSON.stringify((await tables()) as object)).toBe(before);
  });

  it('keeps times to the millisecond, as keyset cursors need [A97]', async () => {
    const [row] = await opened.db.select({ createdAt: users.createdAt }).from(users);
    expect(row?.createdAt).toEqual(now);
  });

  it('allows one active conversion per picture', async () => {
    const mediaId = await insertMedia();
    const start = (state: 'waiting' | 'running' | 'done') =>
      brokenRule(opened.db.insert(conversions).values({ id: randomUUID(), mediaId, state, createdAt: now }));
    expect(await start('done')).toBeNull();
    expect(await start('waiting')).toBeNull();
    expect(await start('running')).toBe('conversions_active');
    expect(await start('done')).toBeNull();
  });

  it('keeps the same uploaded bytes of one owner once', async () => {
    const keep = (key: string, purpose: 'upload' | 'result') =>
      brokenRule(
        opened.db
          .insert(objects)
          .values({ key, ownerId, purpose, sha256: 'same', size: 1, type: 'image/jpeg', createdAt: now }),
      );
    expect(await keep('originals/a', 'upload')).toBeNull();
    expect(await keep('originals/b', 'upload')).toBe('objects_upload');
    expect(await keep('results/a', 'result')).toBeNull();
    expect(await keep('results/b', 'result')).toBeNull();
  });

  it('refuses what no row may say', async () => {
    const point = { id: randomUUID(), kind: 'member' as const, name: 'M', language: 'en' as const, createdAt: now };
    expect(await brokenRule(opened.db.insert(users).values(point))).toBe('users_identity');
    expect(await brokenRule(opened.db.update(users).set({ points: -1 }))).toBe('users_points');
    expect(await brokenRule(insertMedia({ status: 3 }))).toBe('media_status');
    expect(await brokenRule(opened.db.update(deviceTypes).set({ ratio: '3:4' }))).toBe('device_types_ratio');
    expect(await brokenRule(opened.db.update(deviceTypes).set({ format: 'quilt' }))).toBe('device_types_quilt');
  });

  it('a connection that ends within a transaction ends neither the process nor the pool [S2]', async () => {
    const isThere = async (pid: unknown) =>
      (await opened.db.execute(sql`select 1 from pg_stat_activity where pid = ${pid}`)).rowCount !== 0;
    const cut = opened.db.transaction(async (tx) => {
      const { rows } = await tx.execute(sql`select pg_backend_pid() as pid`);
      const pid = rows[0]?.['pid'];
      await opened.db.execute(sql`select pg_terminate_backend(${pid})`);
      // Nobody waits for an answer on the connection while it ends.
      await expect.poll(() => isThere(pid)).toBe(false);
      await tx.execute(sql`select 1`);
    });
    expect(isConnectionLost(await cut.catch((error: unknown) => error))).toBe(true);
    expect((await opened.db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
  });

  it('adds a seed once, and not at all when that fails', async () => {
    await expect(
      seedOnce(opened.db, 'seed', now, async () => {
        throw new Error('weeds');
      }),
    ).rejects.toThrow('weeds');
    expect(await seedOnce(opened.db, 'seed', now, async () => 'flower')).toBe('flower');
    expect(await seedOnce(opened.db, 'seed', now, async () => 'flower')).toBeNull();
  });
});

describe('test databases', () => {
  it('are each their own', async () => {
    const [one, two] = await Promise.all([openTestDatabase(), openTestDatabase()]);
    await seedOnce(one.db, 'mine', now, async () => {});
    expect(await seedOnce(two.db, 'mine', now, async () => 'free')).toBe('free');
    await one.close();
    await two.close();
  });
});
