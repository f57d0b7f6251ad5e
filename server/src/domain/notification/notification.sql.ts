import { LIMITS } from '@framelift/contract';
import { and, eq, inArray, isNull, lte, sql } from 'drizzle-orm';
import { announceChange } from '../../platform/change-feed.ts';
import type { Queries } from '../../platform/db/open.ts';
import { broadcasts, media, notifications, users } from '../../platform/db/schema.ts';
import { afterPosition, newestFirst, type PageRequest } from '../../platform/paging.ts';

/** A notification, and what an operator wrote if it is theirs. */
export interface NotificationRow {
  readonly row: typeof notifications.$inferSelect;
  readonly broadcast: typeof broadcasts.$inferSelect | null;
}

/** Adds a notification. Open pages of the member learn of it when the transaction commits. */
export async function insertNotification(tx: Queries, row: typeof notifications.$inferInsert): Promise<void> {
  await tx.insert(notifications).values(row);
  await announceChange(tx, row.userId);
}

/** Deletes notifications about a media itself (`format` null) or about one additional format of it. */
export async function deleteNotificationsAbout(tx: Queries, mediaId: string, format: string | null): Promise<void> {
  await tx
    .delete(notifications)
    .where(
      and(eq(notifications.mediaId, mediaId), sql`${notifications.data} ->> 'format' is not distinct from ${format}`),
    );
}

/** Deletes what says the same and was not read yet. */
export async function deleteUnread(
  tx: Queries,
  userId: string,
  code: string,
  data: Readonly<Record<string, string>>,
): Promise<void> {
  const { userId: user, code: what, data: said, readAt } = notifications;
  await tx
    .delete(notifications)
    .where(and(eq(user, userId), eq(what, code), sql`${said} = ${JSON.stringify(data)}::jsonb`, isNull(readAt)));
}

/** Released, not withdrawn, and not about deleted media, which may be restored. The query joins both. */
const isVisible = (until: Date) =>
  and(lte(notifications.releaseAt, until), isNull(media.deletedAt), isNull(broadcasts.withdrawnAt));

/** Returns a page of what the member sees, newest first. */
export function listNotificationRows(
  db: Queries,
  userId: string,
  { after, until, limit }: PageRequest & { readonly until: Date },
): Promise<NotificationRow[]> {
  const { id, releaseAt } = notifications;
  return db
    .select({ row: notifications, broadcast: broadcasts })
    .from(notifications)
    .leftJoin(media, eq(media.id, notifications.mediaId))
    .leftJoin(broadcasts, eq(broadcasts.id, notifications.broadcastId))
    .where(and(eq(notifications.userId, userId), isVisible(until), afterPosition(after, releaseAt, id)))
    .orderBy(...newestFirst(releaseAt, id))
    .limit(limit);
}

/**
 * Returns, by the id of the member, what changes with the newest page of the list and with what is read of it. Bounded,
 * because the change feed asks every few seconds for each member with an open page.
 */
export async function notificationFingerprints(
  db: Queries,
  userIds: readonly string[],
  until: Date,
): Promise<Map<string, string>> {
  if (userIds.length === 0) return new Map();
  const { id, releaseAt, readAt } = notifications;
  const newest = db
    .select({ id, state: sql<string>`concat(${id}, ${readAt} is null)`.as('state') })
    .from(notifications)
    .leftJoin(media, eq(media.id, notifications.mediaId))
    .leftJoin(broadcasts, eq(broadcasts.id, notifications.broadcastId))
    .where(and(eq(notifications.userId, users.id), isVisible(until)))
    .orderBy(...newestFirst(releaseAt, id))
    .limit(LIMITS.pageSize)
    .as('newest');
  const version = db.select({ text: sql`string_agg(${newest.state}, ',' order by ${newest.id})` }).from(newest);
  const rows = await db
    .select({ user: users.id, version: sql<string>`md5(concat(${version}))` })
    .from(users)
    .where(inArray(users.id, [...userIds]));
  return new Map(rows.map(({ user, version: of }) => [user, of]));
}

/** Marks notifications as read. Returns how many of them were unread. */
export async function setRead(db: Queries, userId: string, ids: readonly string[], readAt: Date): Promise<number> {
  const rows = await db
    .update(notifications)
    .set({ readAt })
    .where(and(eq(notifications.userId, userId), inArray(notifications.id, [...ids]), isNull(notifications.readAt)))
    .returning({ id: notifications.id });
  if (rows.length > 0) await announceChange(db, userId);
  return rows.length;
}

/** Returns all that the member could read by now. */
export function exportNotifications(db: Queries, userId: string, until: Date): Promise<NotificationRow[]> {
  return db
    .select({ row: notifications, broadcast: broadcasts })
    .from(notifications)
    .leftJoin(broadcasts, eq(broadcasts.id, notifications.broadcastId))
    .where(and(eq(notifications.userId, userId), lte(notifications.releaseAt, until), isNull(broadcasts.withdrawnAt)))
    .orderBy(...newestFirst(notifications.releaseAt, notifications.id));
}
