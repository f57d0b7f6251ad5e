import { and, asc, eq, inArray } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Queries } from '../../../platform/db/open.ts';
import { conversions, deviceTypes, media, objects } from '../../../platform/db/schema.ts';
import { lockOwner } from '../media.sql.ts';

/** Everything of one user becomes another's. Answers the keys of objects that are named no more. */
export async function moveOwner(tx: Queries, fromId: string, toId: string): Promise<string[]> {
  for (const id of [fromId, toId].sort()) await lockOwner(tx, id);
  // Waits for work that is just being recorded, whose objects would else stay behind with the owner of before.
  await tx.select({ id: media.id }).from(media).where(eq(media.ownerId, fromId)).orderBy(media.id).for('update');
  // The same bytes are one object of their owner: where the new owner has them already, that one is used.
  const theirs = alias(objects, 'theirs');
  const twins = await tx
    .select({ key: objects.key, kept: theirs.key })
    .from(objects)
    .innerJoin(theirs, and(eq(theirs.ownerId, toId), eq(theirs.sha256, objects.sha256), eq(theirs.purpose, 'upload')))
    .where(and(eq(objects.ownerId, fromId), eq(objects.purpose, 'upload')));
  for (const { key, kept } of twins)
    await tx.update(media).set({ originalKey: kept }).where(eq(media.originalKey, key));
  const keys = twins.map(({ key }) => key);
  if (keys.length > 0) await tx.delete(objects).where(inArray(objects.key, keys));
  await tx.update(objects).set({ ownerId: toId }).where(eq(objects.ownerId, fromId));
  await tx.update(media).set({ ownerId: toId }).where(eq(media.ownerId, fromId));
  return keys;
}

export function listMediaOf(db: Queries, ownerId: string) {
  return db.select({ id: media.id, uploadKey: media.uploadKey }).from(media).where(eq(media.ownerId, ownerId));
}

/** Media of a user for which something waits or runs. */
export function listConvertingOf(db: Queries, ownerId: string) {
  return db
    .selectDistinct({ id: media.id })
    .from(media)
    .innerJoin(conversions, eq(conversions.mediaId, media.id))
    .where(and(eq(media.ownerId, ownerId), inArray(conversions.state, ['waiting', 'running'])));
}

/** Takes what is left of a user's objects out of the database. Answers their keys. */
export async function deleteObjectsOf(db: Queries, ownerId: string): Promise<string[]> {
  const rows = await db.delete(objects).where(eq(objects.ownerId, ownerId)).returning({ key: objects.key });
  return rows.map(({ key }) => key);
}

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
      status: media.status,
      createdAt: media.createdAt,
      finishedAt: media.finishedAt,
      deletedAt: media.deletedAt,
      originalKey: media.originalKey,
      originalSize: objects.size,
    })
    .from(media)
    .innerJoin(deviceTypes, eq(deviceTypes.id, media.deviceTypeId))
    .leftJoin(objects, eq(objects.key, media.originalKey))
    .where(eq(media.ownerId, ownerId))
    .orderBy(asc(media.createdAt), asc(media.id));
}
