import { and, asc, type Column, eq, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing/database.ts';
import { albums, auditLog, frames, media, notifications, orders, pinCodeBatches, users } from './db/schema.ts';
import { afterName, afterOldPosition, afterPosition, newestFirst, oldestFirst } from './paging.ts';

const ID = '00000000-0000-4000-8000-000000000000';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** [table, time, id, the column that restricts the list, its value] */
const LISTS: [PgTable, PgColumn, PgColumn, Column?, string?][] = [
  [media, media.createdAt, media.id, media.ownerId, ID],
  [orders, orders.createdAt, orders.id, orders.ownerId, ID],
  [albums, albums.createdAt, albums.id, albums.ownerId, ID],
  [frames, frames.createdAt, frames.id, frames.ownerId, ID],
  [notifications, notifications.releaseAt, notifications.id, notifications.userId, ID],
  [users, users.createdAt, users.id, users.kind, 'member'],
  [auditLog, auditLog.createdAt, auditLog.id],
  [pinCodeBatches, pinCodeBatches.createdAt, pinCodeBatches.id],
];

test.each(LISTS)(
  'the index of list %# gives its rows in order, from any position [A97]',
  async (table, time, id, column, value) => {
    const plan = await database.db.transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`);
      await tx.execute(sql`set local enable_bitmapscan = off`);
      const after = afterPosition({ createdAt: new Date(), id: ID }, time, id);
      const query = tx
        .select({ id })
        .from(table)
        .where(and(column && sql`${column} = ${sql.raw(`'${value}'`)}`, after))
        .orderBy(...newestFirst(time, id))
        .limit(21);
      const { rows } = (await tx.execute(sql`explain ${query}`)) as unknown as { rows: { 'QUERY PLAN': string }[] };
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toMatch(/Index (Only )?Scan/);
    expect(plan).toMatch(/Index Cond: .*ROW\(/);
    expect(plan).not.toContain('Sort');
  },
);

test.each<[string, SQL | undefined, SQL[]]>([
  [
    'oldest first',
    afterOldPosition({ createdAt: new Date(), id: ID }, media.createdAt, media.id),
    oldestFirst(media.createdAt, media.id),
  ],
  ['by name', afterName({ name: 'harbour', id: ID }, media.sortName, media.id), [asc(media.sortName), asc(media.id)]],
])('an index gives pictures %s, too, from any position [A97]', async (_, after, order) => {
  const plan = await database.db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`);
    await tx.execute(sql`set local enable_bitmapscan = off`);
    const query = tx
      .select({ id: media.id })
      .from(media)
      .where(and(eq(media.ownerId, ID), after))
      .orderBy(...order)
      .limit(21);
    const { rows } = (await tx.execute(sql`explain ${query}`)) as unknown as { rows: { 'QUERY PLAN': string }[] };
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toMatch(/Index Cond: .*ROW\(/);
  expect(plan).not.toContain('Sort');
});
