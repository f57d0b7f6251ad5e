import { LIMITS, MEDIA_STATUS } from '@framelift/contract';
import { and, asc, count, eq, gt, inArray, isNotNull, isNull, lt, lte, min, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { deviceTypes, media, mediaAssets, orders, uploadLinks, users } from '../../platform/db/schema.ts';
import {
  afterName,
  afterOldPosition,
  afterPosition,
  type ListPosition,
  type NamePosition,
  newestFirst,
  oldestFirst,
  type PageRequest,
} from '../../platform/paging.ts';
import { isMediaOfProductOf } from '../membership/entitlement.sql.ts';
import { type AssetKeys, assetKeysColumn, deleteOrphans } from './asset.sql.ts';
import { type ConversionRow, newestConversions } from './convert/conversion.sql.ts';
import { nameKeys, searchForm } from './name-keys.ts';
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
/** A copy for frames belongs to its media, and no member sees it. */
const isNoCopy = isNull(media.copyOf);
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
  const byMedia = new Map(newest.map((conversion) => [conversion.mediaId, conversion]));
  return rows.map((row) => ({ ...row, conversion: byMedia.get(row.media.id) ?? null }));
}

export async function findMedia(db: Queries, id: string): Promise<MediaView | undefined> {
  const [view] = await views(db, eq(media.id, id));
  return view;
}

/** Returns a media of this owner, even a deleted one. */
export async function findOwnMedia(db: Queries, ownerId: string, id: string): Promise<MediaView | undefined> {
  const [view] = await views(db, and(eq(media.id, id), eq(media.ownerId, ownerId), isNoCopy));
  return view;
}

/** A condition on media: those that a user may look at, which are their own and those of products that they have. */
const isShownTo = (db: Queries, userId: string, now: Date) =>
  and(isNoCopy, notDeleted, or(eq(media.ownerId, userId), isMediaOfProductOf(db, userId, now)));

/** Returns a media that a user may look at. */
export async function findShownMedia(
  db: Queries,
  userId: string,
  id: string,
  now: Date,
): Promise<MediaView | undefined> {
  const [view] = await views(db, and(eq(media.id, id), isShownTo(db, userId, now)));
  return view;
}

/** Returns the media with these ids. */
export async function listMediaByIds(db: Queries, ids: readonly string[]): Promise<MediaView[]> {
  return ids.length === 0 ? [] : views(db, inArray(media.id, [...ids]), [], ids.length);
}

/** Returns the copies of these media for one type of device. */
export async function listCopies(db: Queries, ids: readonly string[], deviceTypeId: number): Promise<MediaView[]> {
  if (ids.length === 0) return [];
  return views(db, and(inArray(media.copyOf, [...ids]), eq(media.deviceTypeId, deviceTypeId)), [], ids.length);
}

/** Returns the copies of a media, locked. */
export function listCopiesForUpdate(tx: Queries, copyOf: string): Promise<MediaRow[]> {
  return tx.select().from(media).where(eq(media.copyOf, copyOf)).orderBy(media.id).for('update');
}

/** Returns the copy of a media for one type of device, locked. */
export async function findCopyForUpdate(
  tx: Queries,
  copyOf: string,
  deviceTypeId: number,
): Promise<MediaRow | undefined> {
  const [row] = await tx
    .select()
    .from(media)
    .where(and(eq(media.copyOf, copyOf), eq(media.deviceTypeId, deviceTypeId)))
    .for('update');
  return row;
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

/** Returns the row of an upload of this owner that has not arrived, locked. */
export async function findPendingForUpdate(tx: Queries, ownerId: string, id: string): Promise<MediaRow | undefined> {
  const [row] = await tx
    .select()
    .from(media)
    .where(and(eq(media.id, id), eq(media.ownerId, ownerId), isPending))
    .for('update');
  return row;
}

/** Returns the row of a media of any owner, locked, for the job that processes it. */
export async function findMediaForUpdate(tx: Queries, id: string): Promise<MediaRow | undefined> {
  const [row] = await tx.select().from(media).where(eq(media.id, id)).for('update');
  return row;
}

/** Restricts a list of uploaded media that are not deleted; null is any. */
export interface MediaFilter {
  readonly orderType: number | null;
  readonly mediaType: number | null;
  /** Part of the name, in any case and width. */
  readonly search: string | null;
  /** Additional condition. */
  readonly where: SQL | undefined;
}

function listed(ownerId: string, { orderType, mediaType, search, where }: MediaFilter): SQL | undefined {
  return and(
    eq(media.ownerId, ownerId),
    isStored,
    notDeleted,
    isNoCopy,
    orderType === null ? undefined : eq(media.orderType, orderType),
    mediaType === null ? undefined : eq(media.mediaType, mediaType),
    // Not LIKE, which gives some characters of the searched text a meaning.
    search === null ? undefined : sql`strpos(${media.searchName}, ${searchForm(search)}) > 0`,
    where,
  );
}

/** Returns a page, newest first, starting after `after` [A97]. */
export function listNewestMedia(
  db: Queries,
  ownerId: string,
  { after, limit, ...filter }: MediaFilter & PageRequest<ListPosition>,
): Promise<MediaView[]> {
  const where = and(listed(ownerId, filter), afterPosition(after, media.createdAt, media.id));
  return views(db, where, newestFirst(media.createdAt, media.id), limit);
}

/** Returns a page, oldest first, starting after `after`. */
export function listOldestMedia(
  db: Queries,
  ownerId: string,
  { after, limit, ...filter }: MediaFilter & PageRequest<ListPosition>,
): Promise<MediaView[]> {
  const where = and(listed(ownerId, filter), afterOldPosition(after, media.createdAt, media.id));
  return views(db, where, oldestFirst(media.createdAt, media.id), limit);
}

/** Returns a page by name, starting after `after`. */
export function listMediaByName(
  db: Queries,
  ownerId: string,
  { after, limit, ...filter }: MediaFilter & PageRequest<NamePosition>,
): Promise<MediaView[]> {
  const where = and(listed(ownerId, filter), afterName(after, media.sortName, media.id));
  return views(db, where, [asc(media.sortName), asc(media.id)], limit);
}

/** Returns how many listed media were uploaded in each quarter of an hour, which no time zone divides. */
export function countMediaByQuarterHour(db: Queries, ownerId: string, filter: MediaFilter) {
  const quarter = sql<Date>`date_bin('15 minutes', ${media.createdAt}, 'epoch')`.mapWith(media.createdAt);
  return db
    .select({ from: quarter, count: count() })
    .from(media)
    .where(listed(ownerId, filter))
    .groupBy(sql`1`)
    .orderBy(sql`1 desc`);
}

/** Returns the pairs of order type and media type that exist among the listed media. */
export function listMediaKinds(db: Queries, ownerId: string, filter: MediaFilter) {
  return db
    .selectDistinct({ orderType: media.orderType, mediaType: media.mediaType })
    .from(media)
    .where(listed(ownerId, filter));
}

/** Returns those ids that are the owner's uploaded media and not deleted. */
export async function filterOwnMedia(db: Queries, ownerId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .select({ id: media.id })
    .from(media)
    .where(and(eq(media.ownerId, ownerId), isStored, notDeleted, isNoCopy, inArray(media.id, [...ids])));
  return rows.map(({ id }) => id);
}

/** Returns those ids that are uploaded media which a user may look at. */
export async function filterShownMedia(
  db: Queries,
  userId: string,
  ids: readonly string[],
  now: Date,
): Promise<string[]> {
  const rows = await db
    .select({ id: media.id })
    .from(media)
    .where(and(isShownTo(db, userId, now), isStored, inArray(media.id, [...ids])));
  return rows.map(({ id }) => id);
}

/** Returns the uploaded media among these ids of this owner, deleted ones included, locked in the order of their ids. */
export function findManyForUpdate(tx: Queries, ownerId: string, ids: readonly string[]): Promise<MediaRow[]> {
  return tx
    .select()
    .from(media)
    .where(and(eq(media.ownerId, ownerId), isStored, isNoCopy, inArray(media.id, [...ids])))
    .orderBy(asc(media.id))
    .for('update');
}

/** Returns the uploaded media among these ids of this owner that are not deleted, newest first. */
export function findManyViews(db: Queries, ownerId: string, ids: readonly string[]): Promise<MediaView[]> {
  const where = and(eq(media.ownerId, ownerId), isStored, notDeleted, isNoCopy, inArray(media.id, [...ids]));
  return views(db, where, newestFirst(media.createdAt, media.id), ids.length);
}

/** Returns the uploaded media among these ids that a user may look at, newest first. */
export function findManyShown(db: Queries, userId: string, ids: readonly string[], now: Date): Promise<MediaView[]> {
  const where = and(isShownTo(db, userId, now), isStored, inArray(media.id, [...ids]));
  return views(db, where, newestFirst(media.createdAt, media.id), ids.length);
}

/** Returns the uploaded media of these orders, deleted ones included, oldest first. */
export async function listMediaOfOrders(db: Queries, orderIds: readonly string[]): Promise<MediaView[]> {
  if (orderIds.length === 0) return [];
  return views(
    db,
    and(inArray(media.orderId, [...orderIds]), isStored),
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

/**
 * Returns the number of pending uploads, excluding `except`, and the earliest expiry of their links.
 * @param linkId counts those of an upload link; null counts the owner's own, which others must not use up
 */
export async function countPending(
  tx: Queries,
  ownerId: string,
  now: Date,
  { except, linkId }: { readonly except: string | null; readonly linkId: string | null },
): Promise<{ count: number; firstEnd: Date | null }> {
  const [row] = await tx
    .select({ count: count(), firstEnd: min(media.uploadExpiresAt) })
    .from(media)
    .where(
      and(
        eq(media.ownerId, ownerId),
        isPending,
        notDeleted,
        linkId === null ? isNull(media.uploadLinkId) : eq(media.uploadLinkId, linkId),
        gt(media.uploadExpiresAt, now),
        // None that ends later than any: the clock was set back since.
        lte(media.uploadExpiresAt, new Date(now.getTime() + linkLifetimeMs(LIMITS.uploadBytes))),
        except ? ne(media.id, except) : undefined,
      ),
    );
  return row ?? { count: 0, firstEnd: null };
}

export async function countStored(tx: Queries, ownerId: string): Promise<number> {
  return tx.$count(media, and(eq(media.ownerId, ownerId), isStored, notDeleted, isNoCopy));
}

export async function insertMedia(tx: Queries, values: typeof media.$inferInsert): Promise<void> {
  await tx.insert(media).values({ ...values, ...nameKeys(values.name) });
}

export async function updateMedia(tx: Queries, id: string, values: Partial<typeof media.$inferInsert>): Promise<void> {
  const keys = values.name === undefined ? {} : nameKeys(values.name);
  await tx
    .update(media)
    .set({ ...values, ...keys })
    .where(eq(media.id, id));
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

/**
 * Returns finished media that are not deleted, in the order of their ids, starting after one: the key of the upload, and
 * the keys of the current result's files by role.
 */
export async function listFinishedFiles(
  db: Queries,
  after: string | null,
  limit: number,
): Promise<{ id: string; original: string | undefined; results: Omit<AssetKeys, 'original'> }[]> {
  const rows = await db
    .select({ id: media.id, keys: assetKeysColumn() })
    .from(media)
    .innerJoin(users, eq(users.id, media.ownerId))
    .where(and(eq(media.status, MEDIA_STATUS.finished), notDeleted, after === null ? undefined : gt(media.id, after)))
    .orderBy(asc(media.id))
    .limit(limit);
  return rows.map(({ id, keys: { original, ...results } }) => ({ id, original, results }));
}

/**
 * Returns whether an upload under this key is still pending: its link becomes invalid when the upload is finished, and
 * when the upload link that it came by is revoked.
 */
export async function isUploadPending(db: Queries, uploadKey: string): Promise<boolean> {
  const [row] = await db
    .select({ revokedAt: uploadLinks.revokedAt })
    .from(media)
    .leftJoin(uploadLinks, eq(uploadLinks.id, media.uploadLinkId))
    .where(and(eq(media.uploadKey, uploadKey), isPending, notDeleted));
  return row !== undefined && row.revokedAt === null;
}

/** Returns an upload link, locked, so that the pictures that take its places are counted one after the other. */
export async function findLinkForUpdate(tx: Queries, id: string) {
  const [row] = await tx.select().from(uploadLinks).where(eq(uploadLinks.id, id)).for('update');
  return row;
}

/** Counts one more picture that has arrived by an upload link. */
export async function setLinkReceived(tx: Queries, id: string, received: number): Promise<void> {
  await tx.update(uploadLinks).set({ received }).where(eq(uploadLinks.id, id));
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

/** Deletes a media with its copies and all assets. Returns the keys of objects that are now orphaned. */
export async function purgeMedia(tx: Queries, id: string): Promise<string[]> {
  // Locked first, so that no copy is made meanwhile.
  await tx.select({ id: media.id }).from(media).where(eq(media.id, id)).for('update');
  const assets = await tx
    .select({ key: mediaAssets.objectKey })
    .from(mediaAssets)
    .innerJoin(media, eq(media.id, mediaAssets.mediaId))
    .where(or(eq(media.id, id), eq(media.copyOf, id)));
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
  const running = rows.length > 0 ? await newestConversions(db, ids) : [];
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
