import { and, eq, isNotNull, or } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { friendships } from '../../platform/db/schema.ts';

export type FriendshipRow = typeof friendships.$inferSelect;

/** Condition: a friendship of both, whoever has asked. */
const between = (a: string, b: string) =>
  and(
    isNotNull(friendships.confirmedAt),
    or(
      and(eq(friendships.requesterId, a), eq(friendships.targetId, b)),
      and(eq(friendships.requesterId, b), eq(friendships.targetId, a)),
    ),
  );

/** Returns the friendship of two members, or undefined. Its id ends with it: what refers to it cascades. */
export async function findFriendship(tx: Queries, a: string, b: string): Promise<FriendshipRow | undefined> {
  const [row] = await tx.select().from(friendships).where(between(a, b));
  return row;
}

/** Returns whether two members are friends. */
export async function areFriends(tx: Queries, a: string, b: string): Promise<boolean> {
  return (await findFriendship(tx, a, b)) !== undefined;
}
