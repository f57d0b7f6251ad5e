import { MEDIA_STATUS } from '@framelift/contract';
import { and, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Queries } from '../../../platform/db/open.ts';
import { conversions, deviceTypes, media, mediaAssets, objects, orders } from '../../../platform/db/schema.ts';
import { lockOwner } from '../media.sql.ts';

/**
 * Transfers all media of one user to another, including pending uploads and active conversions. Orders without media
 * stay behind, because they have nothing to show.
 * @returns keys of objects that are orphaned because both had uploaded the same bytes; pass them to `deleteObjects`
 *   after the transaction
 */
export async function transferOwnership(tx: Queries, fromId: string, toId: string): Promise<string[]> {
  for (const id of [fromId, toId].sort()) await lockOwner(tx, id);
  // Waits for results that are being recorded; otherwise their objects would stay with the previous owner.
  await tx.select({ id: media.id }).from(media).where(eq(media.ownerId, fromId)).orderBy(media.id).for('update');
  // An owner has one object per upload content: if the new owner has the same bytes already, that object is used.
  const theirs = alias(objects, 'theirs');
  const twins = await tx
    .select({ key: objects.key, kept: theirs.key })
    .from(objects)
    .innerJoin(theirs, and(eq(theirs.ownerId, toId), eq(theirs.sha256, objects.sha256), eq(theirs.purpose, 'upload')))
    .where(and(eq(objects.ownerId, fromId), eq(objects.purpose, 'upload')));
  for (const { key, kept } of twins)
    await tx.update(mediaAssets).set({ objectKey: kept }).where(eq(mediaAssets.objectKey, key));
  const keys = twins.map(({ key }) => key);
  if (keys.length > 0) await tx.delete(objects).where(inArray(objects.key, keys));
  await tx.update(objects).set({ ownerId: toId }).where(eq(objects.ownerId, fromId));
  await tx.update(media).set({ ownerId: toId }).where(eq(media.ownerId, fromId));
  const alive = tx.select({ id: media.orderId }).from(media).where(isNotNull(media.orderId));
  await tx
    .update(orders)
    .set({ ownerId: toId })
    .where(and(eq(orders.ownerId, fromId), inArray(orders.id, alive)));
  return keys;
}

export function listMediaOf(db: Queries, ownerId: string) {
  return db.select({ id: media.id, uploadKey: media.uploadKey }).from(media).where(eq(media.ownerId, ownerId));
}

/** Returns media of a user with an active conversion. */
export function listConvertingOf(db: Queries, ownerId: string) {
  return db
    .selectDistinct({ id: media.id })
    .from(media)
    .innerJoin(conversions, eq(conversions.mediaId, media.id))
    .where(and(eq(media.ownerId, ownerId), inArray(conversions.state, ['waiting', 'running'])));
}

/** Deletes the rows of all objects of a user and returns their keys. */
export async function deleteObjectsOf(db: Queries, ownerId: string): Promise<string[]> {
  const rows = await db.delete(objects).where(eq(objects.ownerId, ownerId)).returning({ key: objects.key });
  return rows.map(({ key }) => key);
}

/** Returns all media of a user, oldest first, with the keys of the originals. */
export function exportMedia(db: Queries, ownerId: string) {
  return db
    .select({
      id: media.id,
      orderId: media.orderId,
      name: media.name,
      mediaType: media.mediaType,
      device: deviceTypes.name,
      effect: media.effect,
      crop: media.crop,
      status:
        sql<number>`case when ${media.deletedAt} is null then ${media.status} else ${MEDIA_STATUS.deleted} end`.mapWith(
          Number,
        ),
      createdAt: media.createdAt,
      finishedAt: media.finishedAt,
      deletedAt: media.deletedAt,
      originalKey: mediaAssets.objectKey,
      originalSize: objects.size,
    })
    .from(media)
    .innerJoin(deviceTypes, eq(deviceTypes.id, media.deviceTypeId))
    .leftJoin(mediaAssets, and(eq(mediaAssets.mediaId, media.id), eq(mediaAssets.role, 'original')))
    .leftJoin(objects, eq(objects.key, mediaAssets.objectKey))
    .where(and(eq(media.ownerId, ownerId), isNull(media.copyOf)))
    .orderBy(asc(media.createdAt), asc(media.id));
}
