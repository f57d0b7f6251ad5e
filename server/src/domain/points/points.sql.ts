import type { PointKind, PointReason } from '@framelift/contract';
import { and, asc, eq, isNull, or, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { conversionPrices, deviceTypes, pointEntries } from '../../platform/db/schema.ts';
import { afterPosition, newestFirst, type PageRequest } from '../../platform/paging.ts';

export type PointEntryRow = typeof pointEntries.$inferSelect;
type PriceRow = typeof conversionPrices.$inferSelect;

export interface EntryKey {
  readonly userId: string;
  readonly kind: PointKind;
  readonly reason: PointReason;
  /** What it is about; a reason counts once for it. */
  readonly reference: string;
}

export async function findPointEntry(
  db: Queries,
  { userId, kind, reason, reference }: EntryKey,
): Promise<PointEntryRow | undefined> {
  const [row] = await db
    .select()
    .from(pointEntries)
    .where(
      and(
        eq(pointEntries.userId, userId),
        eq(pointEntries.kind, kind),
        eq(pointEntries.reason, reason),
        eq(pointEntries.reference, reference),
      ),
    );
  return row;
}

/** Returns the newest entry of a user, of either kind. */
export async function findNewestEntry(db: Queries, userId: string): Promise<PointEntryRow | undefined> {
  const [row] = await listEntryRows(db, userId, { kind: undefined, after: null, limit: 1 });
  return row;
}

export async function insertPointEntry(tx: Queries, values: typeof pointEntries.$inferInsert): Promise<void> {
  await tx.insert(pointEntries).values(values);
}

/** Returns a page of the entries of a user, newest first [A97]. */
export function listEntryRows(
  db: Queries,
  userId: string,
  { kind, after, limit }: PageRequest & { readonly kind: PointKind | undefined },
): Promise<PointEntryRow[]> {
  const { createdAt, id } = pointEntries;
  return db
    .select()
    .from(pointEntries)
    .where(
      and(
        eq(pointEntries.userId, userId),
        kind === undefined ? undefined : eq(pointEntries.kind, kind),
        afterPosition(after, createdAt, id),
      ),
    )
    .orderBy(...newestFirst(createdAt, id))
    .limit(limit);
}

/** Returns all entries of a user, newest first. */
export function exportEntries(db: Queries, userId: string) {
  const { id, kind, amount, balance, reason, note, createdAt } = pointEntries;
  return db
    .select({ id, kind, amount, balance, reason, note, createdAt })
    .from(pointEntries)
    .where(eq(pointEntries.userId, userId))
    .orderBy(...newestFirst(createdAt, id));
}

/** Returns all prices, those of every device type (null) first, then in the order of the device types. */
export async function listPriceRows(db: Queries): Promise<PriceRow[]> {
  const rows = await db
    .select({ price: conversionPrices })
    .from(conversionPrices)
    .leftJoin(deviceTypes, eq(deviceTypes.id, conversionPrices.deviceTypeId))
    .orderBy(sql`${deviceTypes.position} asc nulls first`, asc(deviceTypes.id), asc(conversionPrices.mediaType));
  return rows.map(({ price }) => price);
}

/** Returns the price for a device type: its own, else that of every device type. */
export async function findPrice(db: Queries, deviceTypeId: number, mediaType: number): Promise<PriceRow | undefined> {
  const [row] = await db
    .select()
    .from(conversionPrices)
    .where(
      and(
        or(eq(conversionPrices.deviceTypeId, deviceTypeId), isNull(conversionPrices.deviceTypeId)),
        eq(conversionPrices.mediaType, mediaType),
      ),
    )
    .orderBy(sql`${conversionPrices.deviceTypeId} asc nulls last`)
    .limit(1);
  return row;
}

/** Sets a price. Null removes it. Returns the one before. */
export async function writePrice(
  tx: Queries,
  deviceTypeId: number | null,
  mediaType: number,
  points: number | null,
): Promise<number | null> {
  const device =
    deviceTypeId === null ? isNull(conversionPrices.deviceTypeId) : eq(conversionPrices.deviceTypeId, deviceTypeId);
  const [before] = await tx
    .delete(conversionPrices)
    .where(and(device, eq(conversionPrices.mediaType, mediaType)))
    .returning({ points: conversionPrices.points });
  if (points !== null) await tx.insert(conversionPrices).values({ deviceTypeId, mediaType, points });
  return before?.points ?? null;
}
