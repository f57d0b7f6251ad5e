import { and, asc, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Queries } from '../../platform/db/open.ts';
import { frameSenders, frames, friendships, users } from '../../platform/db/schema.ts';

/** The other member of a friendship. */
const friendOf = (userId: string): SQL<string> =>
  sql`case when ${friendships.requesterId} = ${userId} then ${friendships.targetId} else ${friendships.requesterId} end`;

const isFriendOf = (userId: string) =>
  and(isNotNull(friendships.confirmedAt), or(eq(friendships.requesterId, userId), eq(friendships.targetId, userId)));

const isSender = (frameId: string) =>
  and(eq(frameSenders.friendshipId, friendships.id), eq(frameSenders.frameId, frameId));

/** Returns the friends of a frame's owner by name, and whether they may send to it. */
export function listSenders(db: Queries, ownerId: string, frameId: string) {
  return db
    .select({
      friend: friendships.id,
      name: users.name,
      allowed: sql<boolean>`${frameSenders.frameId} is not null`,
    })
    .from(friendships)
    .innerJoin(users, eq(users.id, friendOf(ownerId)))
    .leftJoin(frameSenders, isSender(frameId))
    .where(isFriendOf(ownerId))
    .orderBy(asc(users.name), asc(friendships.id));
}

export async function countSenders(db: Queries, frameId: string): Promise<number> {
  const rows = await db
    .select({ id: friendships.id })
    .from(frameSenders)
    .innerJoin(friendships, eq(friendships.id, frameSenders.friendshipId))
    .where(and(eq(frameSenders.frameId, frameId), isNotNull(friendships.confirmedAt)));
  return rows.length;
}

/** Returns whether a friendship is one of this member, locked so that it does not end meanwhile. */
export async function lockFriendship(tx: Queries, userId: string, friendshipId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: friendships.id })
    .from(friendships)
    .where(and(eq(friendships.id, friendshipId), isFriendOf(userId)))
    .for('share');
  return rows.length > 0;
}

export async function insertSender(tx: Queries, row: typeof frameSenders.$inferInsert): Promise<void> {
  await tx.insert(frameSenders).values(row).onConflictDoNothing();
}

export async function deleteSender(tx: Queries, frameId: string, friendshipId: string): Promise<void> {
  await tx
    .delete(frameSenders)
    .where(and(eq(frameSenders.frameId, frameId), eq(frameSenders.friendshipId, friendshipId)));
}

/** Returns the friendship by which a member may send to a frame of somebody else. */
export async function findSendingFriendship(
  tx: Queries,
  userId: string,
  frame: { readonly id: string; readonly ownerId: string },
): Promise<string | undefined> {
  const [row] = await tx
    .select({ id: friendships.id })
    .from(frameSenders)
    .innerJoin(friendships, eq(friendships.id, frameSenders.friendshipId))
    .where(and(eq(frameSenders.frameId, frame.id), isFriendOf(userId), isFriendOf(frame.ownerId)));
  return row?.id;
}

/** Returns the frames of friends to which a member may send, by the name of the owner. */
export function listFramesOfFriends(db: Queries, userId: string) {
  const owners = alias(users, 'owners');
  return db
    .select({ id: frames.id, name: frames.name, owner: owners.name })
    .from(frameSenders)
    .innerJoin(friendships, eq(friendships.id, frameSenders.friendshipId))
    .innerJoin(frames, eq(frames.id, frameSenders.frameId))
    .innerJoin(owners, eq(owners.id, frames.ownerId))
    .where(and(isFriendOf(userId), eq(frames.ownerId, friendOf(userId)), isNull(owners.deletionAt)))
    .orderBy(asc(owners.name), asc(frames.name), asc(frames.id));
}
