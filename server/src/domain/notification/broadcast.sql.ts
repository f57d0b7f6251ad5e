import { and, count, eq, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { broadcasts, notifications, users } from '../../platform/db/schema.ts';
import { afterPosition, newestFirst, type PageRequest } from '../../platform/paging.ts';

/** The code of a notification whose texts are those of its broadcast. */
const BROADCAST = 'broadcast';

export type BroadcastRow = typeof broadcasts.$inferSelect;

/** Adds a broadcast; false if there is one of this id. */
export async function insertBroadcast(tx: Queries, row: typeof broadcasts.$inferInsert): Promise<boolean> {
  const rows = await tx.insert(broadcasts).values(row).onConflictDoNothing().returning({ id: broadcasts.id });
  return rows.length > 0;
}

/** Gives a broadcast to its members, in one statement for however many there are. */
export async function deliverBroadcast(
  tx: Queries,
  { id, audience, userId, kind, releaseAt }: BroadcastRow,
  now: Date,
): Promise<void> {
  const isAddressed = {
    all: sql`true`,
    vip: sql`(${users.isAdmin} or (${users.vipAt} is not null and coalesce(${users.vipUntil} > ${now}, true)))`,
    admin: sql`${users.isAdmin}`,
    one: sql`${users.id} = ${userId}`,
  }[audience];
  await tx.execute(sql`
    insert into ${notifications} (id, user_id, kind, code, data, broadcast_id, release_at)
    select gen_random_uuid(), ${users.id}, ${kind}, ${BROADCAST}, '{}', ${id}, ${releaseAt}
    from ${users} where ${users.kind} = 'member' and ${isAddressed}`);
}

export async function countReceivers(db: Queries, id: string): Promise<number> {
  return db.$count(notifications, eq(notifications.broadcastId, id));
}

export async function findBroadcastForUpdate(tx: Queries, id: string): Promise<BroadcastRow | undefined> {
  const [row] = await tx.select().from(broadcasts).where(eq(broadcasts.id, id)).for('update');
  return row;
}

/** Hides a broadcast, or shows it again with null. */
export async function setWithdrawn(tx: Queries, id: string, withdrawnAt: Date | null): Promise<void> {
  await tx.update(broadcasts).set({ withdrawnAt }).where(eq(broadcasts.id, id));
}

/** Returns a page of those to all members, released and not withdrawn. */
export function listPublicBroadcasts(
  db: Queries,
  { after, until, limit }: PageRequest & { readonly until: Date },
): Promise<BroadcastRow[]> {
  const { id, audience, releaseAt, withdrawnAt } = broadcasts;
  return db
    .select()
    .from(broadcasts)
    .where(and(eq(audience, 'all'), isNull(withdrawnAt), lte(releaseAt, until), afterPosition(after, releaseAt, id)))
    .orderBy(...newestFirst(releaseAt, id))
    .limit(limit);
}

/** Returns a page of all broadcasts, with their receivers. */
export function listBroadcasts(db: Queries, { after, limit }: PageRequest) {
  const { id, releaseAt, userId } = broadcasts;
  const received = eq(notifications.broadcastId, id);
  const sent = db.select({ count: count() }).from(notifications).where(received);
  const read = db
    .select({ count: count() })
    .from(notifications)
    .where(and(received, isNotNull(notifications.readAt)));
  return db
    .select({
      row: broadcasts,
      member: { id: users.id, name: users.name, email: users.email },
      sent: sql<number>`${sent}`.mapWith(Number),
      read: sql<number>`${read}`.mapWith(Number),
    })
    .from(broadcasts)
    .leftJoin(users, eq(users.id, userId))
    .where(afterPosition(after, releaseAt, id))
    .orderBy(...newestFirst(releaseAt, id))
    .limit(limit);
}
