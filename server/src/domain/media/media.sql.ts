import { and, asc, count, eq, gt, inArray, isNotNull, lt, min, ne, or, type SQL, sum } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { albumMedia, deviceTypes, media, users } from '../../platform/db/schema.ts';
import { afterPosition, newestFirst, type PageRequest } from '../../platform/paging.ts';
import { type ConversionRow, newestConversions } from './convert/conversion.sql.ts';
import { revisionDepths } from './edit/revision.sql.ts';
import { deleteFiles, deleteUnnamed } from './object.sql.ts';

export type MediaRow = typeof media.$inferSelect;
type DeviceTypeRow = typeof deviceTypes.$inferSelect;

/** A media with what it is for and its newest conversion, if it ever had one. */
export interface MediaView {
  readonly media: MediaRow;
  readonly device: DeviceTypeRow;
  readonly conversion: ConversionRow | null;
}

const DELETED = 3;

async function views(db: Queries, where: SQL | undefined, order: SQL[] = [], limit = 1): Promise<MediaView[]> {
  const rows = await db
    .select({ media, device: deviceTypes })
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

/** A media of this owner, deleted ones included. */
export async function findOwnMedia(db: Queries, ownerId: string, id: string): Promise<MediaView | undefined> {
  const [view] = await views(db, and(eq(media.id, id), eq(media.ownerId, ownerId)));
  return view;
}

/** The same, locked until the transaction ends. */
export async function lockOwnMedia(tx: Queries, ownerId: string, id: string): Promise<MediaRow | undefined> {
  const [row] = await tx
    .select()
    .from(media)
    .where(and(eq(media.id, id), eq(media.ownerId, ownerId)))
    .for('update');
  return row;
}

/** Whoever's it is, for who works on it. */
export async function lockMedia(tx: Queries, id: string): Promise<MediaRow | undefined> {
  const [row] = await tx.select().from(media).where(eq(media.id, id)).for('update');
  return row;
}

interface ListOptions extends PageRequest {
  readonly orderType: number | null;
  /** Only what lies in this album; whose it is must be known. */
  readonly albumId: string | null;
}

/** Uploaded and not deleted, newest first, those after `after` [A97]. */
export function listMedia(
  db: Queries,
  ownerId: string,
  { orderType, albumId, after, limit }: ListOptions,
): Promise<MediaView[]> {
  const where = and(
    eq(media.ownerId, ownerId),
    eq(media.uploadState, 'stored'),
    ne(media.status, DELETED),
    orderType === null ? undefined : eq(media.orderType, orderType),
    albumId === null
      ? undefined
      : inArray(
          media.id,
          db.select({ id: albumMedia.mediaId }).from(albumMedia).where(eq(albumMedia.albumId, albumId)),
        ),
    afterPosition(after, media.createdAt, media.id),
  );
  return views(db, where, newestFirst(media.createdAt, media.id), limit);
}

/** What belongs to these orders, deleted ones included, oldest first. */
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
 * Makes uploads of one member follow each other, so that counting and adding are one step. What only names the member
 * as its owner goes on: a conversion that is being recorded holds its media, which the holder of this lock may want.
 */
export async function lockOwner(tx: Queries, ownerId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, ownerId)).for('no key update');
}

/** Uploads asked for that may still come, `except` one, and when the first of them ends. */
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
        eq(media.uploadState, 'pending'),
        ne(media.status, DELETED),
        gt(media.uploadExpiresAt, now),
        except ? ne(media.id, except) : undefined,
      ),
    );
  return row ?? { count: 0, firstEnd: null };
}

export async function countStored(tx: Queries, ownerId: string): Promise<number> {
  return tx.$count(media, and(eq(media.ownerId, ownerId), eq(media.uploadState, 'stored'), ne(media.status, DELETED)));
}

/** Bytes of all uploads of a member, those on their way included, `except` one. What is deleted no longer counts. */
export async function sumUploads(db: Queries, ownerId: string, except: string | null): Promise<number> {
  const [row] = await db
    .select({ bytes: sum(media.declaredSize).mapWith(Number) })
    .from(media)
    .where(and(eq(media.ownerId, ownerId), ne(media.status, DELETED), except ? ne(media.id, except) : undefined));
  return row?.bytes ?? 0;
}

export async function insertMedia(tx: Queries, values: typeof media.$inferInsert): Promise<void> {
  await tx.insert(media).values(values);
}

export async function updateMedia(tx: Queries, id: string, values: Partial<typeof media.$inferInsert>): Promise<void> {
  await tx.update(media).set(values).where(eq(media.id, id));
}

/** Ends the processing of a media; one that is no longer processing stays as it is. */
export async function endProcessing(
  tx: Queries,
  id: string,
  values: Partial<typeof media.$inferInsert>,
): Promise<void> {
  await tx
    .update(media)
    .set(values)
    .where(and(eq(media.id, id), eq(media.status, 0)));
}

/** Whether an upload under this key is still waited for. */
export async function isUploadPending(db: Queries, uploadKey: string): Promise<boolean> {
  const pending = and(eq(media.uploadKey, uploadKey), eq(media.uploadState, 'pending'), ne(media.status, DELETED));
  return (await db.$count(media, pending)) > 0;
}

/** Removes an upload that never became a picture. False when it became one meanwhile, or is gone. */
export async function deletePending(db: Queries, id: string, uploadKey: string): Promise<boolean> {
  const rows = await db
    .delete(media)
    .where(and(eq(media.id, id), eq(media.uploadKey, uploadKey), eq(media.uploadState, 'pending')))
    .returning({ id: media.id });
  return rows.length > 0;
}

/** Uploads whose link ended before this time. */
export function listExpiredUploads(db: Queries, before: Date, limit: number) {
  return db
    .select({ id: media.id, uploadKey: media.uploadKey })
    .from(media)
    .where(and(eq(media.uploadState, 'pending'), isNotNull(media.uploadKey), lt(media.uploadExpiresAt, before)))
    .limit(limit);
}

/** Deleted before one time, or a guest's from before another. */
export function listPurgeable(db: Queries, deletedBefore: Date, guestsBefore: Date, limit: number) {
  return db
    .select({ id: media.id })
    .from(media)
    .innerJoin(users, eq(users.id, media.ownerId))
    .where(
      or(
        and(eq(media.status, DELETED), lt(media.deletedAt, deletedBefore)),
        and(eq(users.kind, 'guest'), lt(media.createdAt, guestsBefore)),
      ),
    )
    .limit(limit);
}

/** Keys of what a media shows of its result, beside files and depth. */
export function resultKeys({ coverKey, preview }: MediaRow): string[] {
  return [coverKey, ...Object.values(preview ?? {})].filter((key) => key !== null);
}

/** Takes a media and its own objects out of the database. Answers the keys whose objects nobody names any more. */
export async function purgeMedia(tx: Queries, id: string): Promise<string[]> {
  const depths = await revisionDepths(tx, id);
  const files = await deleteFiles(tx, id);
  const [row] = await tx.delete(media).where(eq(media.id, id)).returning();
  if (!row) return [];
  const { originalKey, depthKey, wholeKey, videoKey } = row;
  const own = [originalKey, depthKey, wholeKey, videoKey, ...resultKeys(row)].filter((key) => key !== null);
  // The same upload may be the original of another media of its owner.
  return deleteUnnamed(tx, [...own, ...depths, ...files]);
}

/** What a watcher of a media sees change, as one text for each. */
export async function mediaFingerprints(db: Queries, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: media.id, status: media.status, uploadState: media.uploadState, revision: media.revision })
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
