import type { EntryKind } from '@framelift/contract';
import { and, asc, eq, isNull, lt, max, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { pageEntries, users } from '../../platform/db/schema.ts';

export type EntryRow = typeof pageEntries.$inferSelect;

const inOrder = [asc(pageEntries.position), asc(pageEntries.id)] as const;

/** Returns the entries of a kind that visitors see, in their order. */
export function listShownEntries(db: Queries, kind: EntryKind): Promise<EntryRow[]> {
  const { isActive, deletedAt } = pageEntries;
  return db
    .select()
    .from(pageEntries)
    .where(and(eq(pageEntries.kind, kind), isActive, isNull(deletedAt)))
    .orderBy(...inOrder);
}

/** Returns the entries of a kind, hidden ones too, with the name of who changed each last. */
export function listEntryRows(db: Queries, filter: { readonly kind: EntryKind } | { readonly id: string }) {
  const which = 'kind' in filter ? eq(pageEntries.kind, filter.kind) : eq(pageEntries.id, filter.id);
  return db
    .select({ row: pageEntries, changedBy: users.name })
    .from(pageEntries)
    .leftJoin(users, eq(users.id, pageEntries.changedBy))
    .where(and(which, isNull(pageEntries.deletedAt)))
    .orderBy(...inOrder);
}

/**
 * Serializes the changes of entries until the transaction ends. Row locks are not enough: two moves at once deadlock, rows
 * that were waited for come in the order from before the wait, and rows that others are adding are not counted.
 */
export async function lockEntries(tx: Queries): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('page entries', 0))`);
}

/** Returns an entry; deleted ones too. */
export async function findEntry(db: Queries, id: string): Promise<EntryRow | undefined> {
  const [row] = await db.select().from(pageEntries).where(eq(pageEntries.id, id));
  return row;
}

/** Returns the entries of a kind in their order; deleted ones too, which keep their place for being restored. */
export function listOrder(db: Queries, kind: EntryKind) {
  const { id, position, deletedAt } = pageEntries;
  return db
    .select({ id, position, deletedAt })
    .from(pageEntries)
    .where(eq(pageEntries.kind, kind))
    .orderBy(...inOrder);
}

export function countEntries(db: Queries, kind: EntryKind): Promise<number> {
  return db.$count(pageEntries, and(eq(pageEntries.kind, kind), isNull(pageEntries.deletedAt)));
}

/** Adds an entry behind all others of its kind. */
export async function insertEntry(tx: Queries, row: Omit<typeof pageEntries.$inferInsert, 'position'>): Promise<void> {
  const [last] = await tx
    .select({ position: max(pageEntries.position) })
    .from(pageEntries)
    .where(eq(pageEntries.kind, row.kind));
  await tx.insert(pageEntries).values({ ...row, position: (last?.position ?? -1) + 1 });
}

export async function updateEntry(tx: Queries, id: string, values: Partial<EntryRow>): Promise<void> {
  await tx.update(pageEntries).set(values).where(eq(pageEntries.id, id));
}

/** Removes the entries that were deleted before a time. */
export async function purgeEntries(tx: Queries, before: Date): Promise<void> {
  await tx.delete(pageEntries).where(lt(pageEntries.deletedAt, before));
}
