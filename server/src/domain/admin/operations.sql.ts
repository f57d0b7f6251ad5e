import { type ManagedFrameFilter, type ManagedOrderFilter, MEDIA_STATUS, ORDER_TYPE } from '@framelift/contract';
import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { frames, media, objects, orders, users } from '../../platform/db/schema.ts';
import { afterPosition, newestFirst, type PageRequest } from '../../platform/paging.ts';
import { memberNamed } from './users.sql.ts';

const owner = { id: users.id, name: users.name, email: sql<string>`coalesce(${users.email}, '')` };

/** Returns a page of the frames of all members, the most recently paired first. */
export function listAllFrames(db: Queries, { q }: ManagedFrameFilter, { after, limit }: PageRequest) {
  return db
    .select({ frame: frames, owner })
    .from(frames)
    .innerJoin(users, eq(users.id, frames.ownerId))
    .where(and(q ? memberNamed(q) : undefined, afterPosition(after, frames.createdAt, frames.id)))
    .orderBy(...newestFirst(frames.createdAt, frames.id))
    .limit(limit);
}

export async function findFrameOwner(db: Queries, id: string): Promise<string | undefined> {
  const [row] = await db.select({ ownerId: frames.ownerId }).from(frames).where(eq(frames.id, id));
  return row?.ownerId;
}

/** Returns the members who store most, with their own limits. */
export function listLargestMembers(db: Queries, q: string | undefined, limit: number) {
  const stored = db
    .select({ ownerId: objects.ownerId, bytes: sql<number>`sum(${objects.size})`.mapWith(Number).as('bytes') })
    .from(objects)
    .groupBy(objects.ownerId)
    .as('stored');
  return db
    .select({ ...owner, ownLimit: users.storageLimit })
    .from(users)
    .leftJoin(stored, eq(stored.ownerId, users.id))
    .where(and(eq(users.kind, 'member'), q ? memberNamed(q) : undefined))
    .orderBy(sql`${stored.bytes} desc nulls last`, desc(users.id))
    .limit(limit);
}

const mediaCount = (condition: SQL | undefined) =>
  sql<number>`(select count(*) from ${media} where ${and(
    eq(media.orderId, orders.id),
    eq(media.uploadState, 'stored'),
    isNull(media.deletedAt),
    condition,
  )})`.mapWith(Number);

function ordersOfMembers(db: Queries, where: SQL | undefined) {
  return db
    .select({
      order: orders,
      owner,
      media: mediaCount(undefined),
      finished: mediaCount(eq(media.status, MEDIA_STATUS.finished)),
    })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.ownerId))
    .where(and(eq(users.kind, 'member'), where))
    .orderBy(...newestFirst(orders.createdAt, orders.id))
    .$dynamic();
}

/** Returns a page of the orders of all members, newest first. */
export function listManagedOrderRows(db: Queries, { q, kind }: ManagedOrderFilter, { after, limit }: PageRequest) {
  return ordersOfMembers(
    db,
    and(
      q ? memberNamed(q) : undefined,
      kind && eq(orders.type, ORDER_TYPE[kind]),
      afterPosition(after, orders.createdAt, orders.id),
    ),
  ).limit(limit);
}

export async function findOnSiteOrder(db: Queries, id: string) {
  const [row] = await ordersOfMembers(db, and(eq(orders.type, ORDER_TYPE.onSite), eq(orders.id, id)));
  return row;
}
