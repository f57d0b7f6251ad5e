import { and, count, eq, gt, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Queries } from '../../platform/db/open.ts';
import { friendships, users } from '../../platform/db/schema.ts';
import { afterPosition, newestFirst, type PageRequest } from '../../platform/paging.ts';

export type FriendshipRow = typeof friendships.$inferSelect;
type NewFriendship = typeof friendships.$inferInsert;

/** A friendship or request with its requester and, once confirmed, its target. */
export interface FriendshipView {
  readonly row: FriendshipRow;
  readonly requester: Person;
  readonly target: Person | null;
}

interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
}

/** The member who asks, with the address that requests to them carry. */
export interface Member {
  readonly id: string;
  readonly emailLower: string;
}

const FRIEND_LISTS = ['received', 'sent', 'confirmed'] as const;
export type FriendList = (typeof FRIEND_LISTS)[number];

const isConfirmed = isNotNull(friendships.confirmedAt);
const isOpen = and(isNull(friendships.confirmedAt), isNull(friendships.endedAt));
const isOf = (userId: string) => or(eq(friendships.requesterId, userId), eq(friendships.targetId, userId));

const between = (a: string, b: string) =>
  or(
    and(eq(friendships.requesterId, a), eq(friendships.targetId, b)),
    and(eq(friendships.requesterId, b), eq(friendships.targetId, a)),
  );

/** Returns whether two members are friends. */
export async function areFriends(tx: Queries, a: string, b: string): Promise<boolean> {
  return (await tx.$count(friendships, and(isConfirmed, between(a, b)))) > 0;
}

const requester = alias(users, 'requester');
const target = alias(users, 'target');

function views(db: Queries, where: SQL | undefined) {
  return db
    .select({
      row: friendships,
      requester: { id: requester.id, name: requester.name, email: requester.email },
      target: { id: target.id, name: target.name, email: target.email },
    })
    .from(friendships)
    .innerJoin(requester, eq(requester.id, friendships.requesterId))
    .leftJoin(target, and(eq(target.id, friendships.targetId), isConfirmed))
    .where(where)
    .$dynamic();
}

/** Requests to a member are found by their address: whoever confirms an address finds those that wait for it. */
function inList({ id, emailLower }: Member, list: FriendList): SQL | undefined {
  if (list === 'confirmed') return and(isConfirmed, isOf(id));
  if (list === 'sent') return and(isOpen, eq(friendships.requesterId, id));
  return and(
    isOpen,
    isNull(friendships.refusedAt),
    eq(friendships.targetEmailLower, emailLower),
    isNull(requester.restrictedAt),
  );
}

/** Returns a page, newest first. */
export function listFriendViews(
  db: Queries,
  member: Member,
  list: FriendList,
  { after, limit }: PageRequest,
): Promise<FriendshipView[]> {
  const { createdAt, id } = friendships;
  return views(db, and(inList(member, list), afterPosition(after, createdAt, id)))
    .orderBy(...newestFirst(createdAt, id))
    .limit(limit);
}

export async function countFriendRows(db: Queries, member: Member, list: FriendList): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(friendships)
    .innerJoin(requester, eq(requester.id, friendships.requesterId))
    .where(inList(member, list));
  return row?.count ?? 0;
}

/** Returns the number of friends and open requests of a member, those to them not included. */
export function countFriendships(tx: Queries, userId: string): Promise<number> {
  const own = and(isOpen, eq(friendships.requesterId, userId));
  return tx.$count(friendships, or(own, and(isConfirmed, isOf(userId))));
}

export async function findFriendView(db: Queries, id: string): Promise<FriendshipView | undefined> {
  const [view] = await views(db, eq(friendships.id, id));
  return view;
}

/** Returns what there is between a member and an address: the friendship, else the request to or by the member. */
export async function findFriendByAddress(
  db: Queries,
  member: Member,
  address: string,
): Promise<FriendshipView | undefined> {
  const isFriend = and(
    isConfirmed,
    or(
      and(eq(friendships.requesterId, member.id), eq(target.emailLower, address)),
      and(eq(friendships.targetId, member.id), eq(requester.emailLower, address)),
    ),
  );
  const isReceived = and(inList(member, 'received'), eq(requester.emailLower, address));
  const isSent = and(inList(member, 'sent'), eq(friendships.targetEmailLower, address));
  const [view] = await views(db, or(isFriend, isReceived, isSent))
    .orderBy(sql`${friendships.confirmedAt} is null`, sql`${friendships.requesterId} = ${member.id}`)
    .limit(1);
  return view;
}

/** Serializes the changes between two addresses, so that two people who ask each other at once become friends. */
export async function lockAddresses(tx: Queries, a: string, b: string): Promise<void> {
  const pair = [a, b].sort().join(' ');
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${pair}, 0))`);
}

/** Returns the row, locked until the transaction ends. */
export async function findFriendshipForUpdate(tx: Queries, id: string): Promise<FriendshipRow | undefined> {
  const [row] = await tx.select().from(friendships).where(eq(friendships.id, id)).for('update');
  return row;
}

/** Returns a member's own request to an address, even an ended one, locked. */
export async function findOwnRequestForUpdate(
  tx: Queries,
  requesterId: string,
  address: string,
): Promise<FriendshipRow | undefined> {
  const [row] = await tx
    .select()
    .from(friendships)
    .where(and(eq(friendships.requesterId, requesterId), eq(friendships.targetEmailLower, address)))
    .for('update');
  return row;
}

/** Returns the open request of an address to a member, also one that the member has declined, locked. */
export async function findRequestFromForUpdate(
  tx: Queries,
  member: Member,
  address: string,
): Promise<FriendshipRow | undefined> {
  const [found] = await tx
    .select({ row: friendships })
    .from(friendships)
    .innerJoin(requester, eq(requester.id, friendships.requesterId))
    .where(and(isOpen, eq(friendships.targetEmailLower, member.emailLower), eq(requester.emailLower, address)))
    .for('update', { of: friendships });
  return found?.row;
}

export async function insertFriendship(tx: Queries, row: NewFriendship): Promise<void> {
  await tx.insert(friendships).values(row);
}

export async function updateFriendship(tx: Queries, id: string, values: Partial<NewFriendship>): Promise<void> {
  await tx.update(friendships).set(values).where(eq(friendships.id, id));
}

/** Deletes a row and what refers to it. */
export async function deleteFriendship(tx: Queries, id: string): Promise<void> {
  await tx.delete(friendships).where(eq(friendships.id, id));
}

/** Deletes the other rows of two members, who are friends by the row `except`. */
export async function deleteOtherRows(
  tx: Queries,
  { a, b, except }: { readonly a: Member; readonly b: Member; readonly except: string },
): Promise<void> {
  const byAddress = or(
    and(eq(friendships.requesterId, a.id), eq(friendships.targetEmailLower, b.emailLower)),
    and(eq(friendships.requesterId, b.id), eq(friendships.targetEmailLower, a.emailLower)),
  );
  await tx.delete(friendships).where(and(ne(friendships.id, except), or(byAddress, between(a.id, b.id))));
}

/** Returns when a member last declined a request of another, to whatever address, if that was after `since`. */
export async function lastRefusal(
  tx: Queries,
  { requesterId, targetId, since }: { readonly requesterId: string; readonly targetId: string; readonly since: Date },
): Promise<Date | null> {
  const [row] = await tx
    .select({ at: friendships.refusedAt })
    .from(friendships)
    .where(
      and(
        eq(friendships.requesterId, requesterId),
        eq(friendships.targetId, targetId),
        gt(friendships.refusedAt, since),
      ),
    )
    .orderBy(sql`${friendships.refusedAt} desc`)
    .limit(1);
  return row?.at ?? null;
}

/** Deletes requests that nobody has answered, and ended ones, once no refusal after `before` keeps them. */
export async function deleteOldRequests(db: Queries, before: Date, endedBefore: Date): Promise<void> {
  await db
    .delete(friendships)
    .where(
      and(
        isNull(friendships.confirmedAt),
        or(lt(friendships.createdAt, before), lt(friendships.endedAt, endedBefore)),
        or(isNull(friendships.refusedAt), lt(friendships.refusedAt, before)),
      ),
    );
}

/** Returns all friends and requests of a member. */
export async function exportFriends(db: Queries, member: Member) {
  const all = or(...FRIEND_LISTS.map((list) => inList(member, list)));
  return views(db, all).orderBy(...newestFirst(friendships.createdAt, friendships.id));
}
