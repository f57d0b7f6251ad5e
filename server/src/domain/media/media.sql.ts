import { LIMITS, MEDIA_STATUS } from '@framelift/contract';
import { and, asc, count, eq, gt, inArray, isNotNull, isNull, lt, lte, min, ne, or, type SQL } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { deviceTypes, media, mediaAssets, orders, users } from '../../platform/db/schema.ts';
import { afterPosition, newestFirst, type PageRequest } from '../../platform/paging.ts';
import { type AssetKeys, assetKeysColumn, deleteOrphans } from './asset.sql.ts';
import { type ConversionRow, newestConversions } from './convert/conversion.sql.ts';
import { linkLifetimeMs } from './upload/upload-link.ts';

export type MediaRow = typeof media.$inferSelect;
type DeviceTypeRow = typeof deviceTypes.$inferSelect;

/** A media with its device type, its newest conversion (if any) and its files. */
export interface MediaView {
  readonly media: MediaRow;
  readonly device: DeviceTypeRow;
  readonly conversion: ConversionRow | null;
  readonly keys: AssetKeys;
}

const notDeleted = isNull(media.deletedAt);
const isStored = eq(media.uploadState, 'stored');
const isPending = eq(media.uploadState, 'pending');

async function views(db: Queries, where: SQL | undefined, order: SQL[] = [], limit = 1): Promise<MediaView[]> {
  const rows = await db
    .select({ media, device: deviceTypes, keys: assetKeysColumn() })
    .from(media)
    .innerJoin(deviceTypes, eq(deviceTypes.id, media.deviceTypeId))
    .where(where)
    .orderBy(...order)
    .limit(limit);
  const ids = rows.map((row) => row.media.id);
  const newest = ids.length === 0 ? [] : await newestConversions(db, ids);
  return rows.map((row) => ({
    ...row,
    conversion: newest.find(({ mediaId }) => mediaId === row.media.id) ?? null,
  }));
}

export async function findMedia(db: Queries, id: string): Promise<MediaView | undefined> {
  const [view] = await views(db, eq(media.id, id));
  return view;
}

/** Returns a media of this owner, even a deleted one. */
export async function findOwnMedia(db: Queries, ownerId: string, id: string): Promise<MediaView | undefined> {
  const [view] = await views(db, and(eq(media.id, id), eq(media.ownerId, ownerId)));
  return view;
}

/** Returns the row of a media of this owner, locked until the transaction ends. */
export async function findOwnMediaForUpdate(tx: Queries, ownerId: string, id: string): Promise<MediaRow | undefined> {
  const [row] = await tx
    .select()
    .from(media)
    .where(and(eq(media.id, id), eq(media.ownerId, ownerId)))
    .for('update');
  return row;
}

/** Returns the row of a media of any owner, locked, for the job that processes it. */
export async function findMediaForUpdate(tx: Queries, id: string): Promise<MediaRow | undefined> {
  const [row] = await tx.select().from(media).where(eq(media.id, id)).for('update');
  return row;
}

interface ListOptions extends PageRequest {
  readonly orderType: number | null;
  /** Additional condition. */
  readonly where: SQL | undefined;
}

/** Returns uploaded media that are not deleted, newest first, starting after `after` [A97]. */
export function listMediaViews(
  db: Queries,
  ownerId: string,
  { orderType, where, after, limit }: ListOptions,
): Promise<MediaView[]> {
  const conditions = and(
    eq(media.ownerId, ownerId),
    isStored,
    notDeleted,
    orderType === null ? undefined : eq(media.orderType, orderType),
    where,
    afterPosition(after, media.createdAt, media.id),
  );
  return views(db, conditions, newestFirst(media.createdAt, media.id), limit);
}

/** Returns those ids that are the owner's uploaded media and not deleted. */
export async function filterOwnMedia(db: Queries, ownerId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .select({ id: media.id })
    .from(media)
    .where(and(eq(media.ownerId, ownerId), isStored, notDeleted, inArray(media.id, [...ids])));
  return rows.map(({ id }) => id);
}

/** Returns all media of these orders, deleted ones included, oldest first. */
export async function listMediaOfOrders(db: Queries, orderIds: readonly string[]): Promise<MediaView[]> {
  if (orderIds.length === 0) return [];
  return views(
    db,
    inArray(media.orderId, [...orderIds]),
    [asc(media.createdAt), asc(media.id)],
    Number.MAX_SAFE_INTEGER,
  );
}

/**
 * Serializes the uploads of one member, so that counting and inserting are atomic. The lock still allows writing rows
 * that refer to the member: recording a conversion locks its media, which the holder of this lock may wait for.
 */
export async function lockOwner(tx: Queries, ownerId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, ownerId)).for('no key update');
}

/** Returns the number of pending uploads, excluding `except`, and the earliest expiry of their links. */
export async function countPending(
  tx: Queries,
  ownerId: string,
  now: Date,
  except: string | null,
): Promise<{ count: number; firstEnd: Date | null }> {
  const [row] = await tx
    .select({ count: count(), firstEnd: min(media.uploadExpiresAt) })
    .from(media)
    .where(
      and(
        eq(media.ownerId, ownerId),
        isPending,
        notDeleted,
        gt(media.uploadExpiresAt, now),
        // None that ends later than any: the clock was set back since.
        lte(media.uploadExpiresAt, new Date(now.getTime() + linkLifetimeMs(LIMITS.uploadBytes))),
        except ? ne(media.id, except) : undefined,
      ),
    );
  return row ?? { count: 0, firstEnd: null };
}

export async function countStored(tx: Queries, ownerId: string): Promise<number> {
  return tx.$count(media, and(eq(media.ownerId, ownerId), isStored, notDeleted));
}

export async function insertMedia(tx: Queries, values: typeof media.$inferInsert): Promise<void> {
  await tx.insert(media).values(values);
}

export async function updateMedia(tx: Queries, id: string, values: Partial<typeof media.$inferInsert>): Promise<void> {
  await tx.update(media).set(values).where(eq(media.id, id));
}

/** Ends the processing of a media; has no effect if it is not processing. */
export async function endProcessing(
  tx: Queries,
  id: string,
  values: Partial<typeof media.$inferInsert>,
): Promise<void> {
  await tx
    .update(media)
    .set(values)
    .where(and(eq(media.id, id), eq(media.status, MEDIA_STATUS.processing)));
}

/** Returns whether an upload under this key is still pending: its link becomes invalid when the upload is finished. */
export async function isUploadPending(db: Queries, uploadKey: string): Promise<boolean> {
  return (await db.$count(media, and(eq(media.uploadKey, uploadKey), isPending, notDeleted))) > 0;
}

/** Deletes an upload that was never finished. Returns false if it was finished or deleted meanwhile. */
export async function deletePending(db: Queries, id: string, uploadKey: string): Promise<boolean> {
  const rows = await db
    .delete(media)
    .where(and(eq(media.id, id), eq(media.uploadKey, uploadKey), isPending))
    .returning({ id: media.id });
  return rows.length > 0;
}

/** Returns pending uploads whose link expired before this time. */
export function listExpiredUploads(db: Queries, before: Date, limit: number) {
  return db
    .select({ id: media.id, uploadKey: media.uploadKey })
    .from(media)
    .where(and(isPending, isNotNull(media.uploadKey), lt(media.uploadExpiresAt, before)))
    .limit(limit);
}

/** Returns media that were deleted before one time, or are a guest's and older than another. */
export function listPurgeable(db: Queries, deletedBefore: Date, guestsBefore: Date, limit: number) {
  return db
    .select({ id: media.id })
    .from(media)
    .innerJoin(users, eq(users.id, media.ownerId))
    .where(or(lt(media.deletedAt, deletedBefore), and(eq(users.kind, 'guest'), lt(media.createdAt, guestsBefore))))
    .limit(limit);
}

/** Deletes a media with its assets. Returns the keys of objects that are now orphaned. */
export async function purgeMedia(tx: Queries, id: string): Promise<string[]> {
  const assets = await tx.select({ key: mediaAssets.objectKey }).from(mediaAssets).where(eq(mediaAssets.mediaId, id));
  await tx.delete(media).where(eq(media.id, id));
  // The same object may be the original of another media of its owner.
  return deleteOrphans(
    tx,
    assets.map(({ key }) => key),
  );
}

/** Returns a fingerprint per media, which changes with everything that watchers can see. */
export async function mediaFingerprints(db: Queries, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({
      id: media.id,
      status: media.status,
      uploadState: media.uploadState,
      revision: media.revision,
      deletedAt: media.deletedAt,
    })
    .from(media)
    .where(inArray(media.id, [...ids]));
  const running = await newestConversions(db, ids);
  return new Map(
    rows.map(({ id, ...row }) => {
      const { step, progress, frame } = running.find(({ mediaId }) => mediaId === id) ?? {};
      return [id, JSON.stringify([row, step, progress, frame])];
    }),
  );
}

/** Inserts the order of an upload, in the transaction that stores the upload. */
export async function insertOrder(tx: Queries, values: typeof orders.$inferInsert): Promise<void> {
  await tx.insert(orders).values(values);
}
