import type { EntryKind } from '@framelift/contract';
import { and, asc, eq, isNull, lt, max } from 'drizzle-orm';
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

/** Locks an entry until the transaction ends; deleted ones too. */
export async function findEntryForUpdate(tx: Queries, id: string): Promise<EntryRow | undefined> {
  const [row] = await tx.select().from(pageEntries).where(eq(pageEntries.id, id)).for('update');
  return row;
}

/** Locks all entries of a kind until the transaction ends, and returns their ids in order. */
export async function lockOrder(tx: Queries, kind: EntryKind): Promise<string[]> {
  const rows = await tx
    .select({ id: pageEntries.id })
    .from(pageEntries)
    .where(and(eq(pageEntries.kind, kind), isNull(pageEntries.deletedAt)))
    .orderBy(...inOrder)
    .for('update');
  return rows.map(({ id }) => id);
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
