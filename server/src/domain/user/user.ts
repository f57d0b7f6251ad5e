import { ApiError, LIMITS, type User } from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { findMember, findUser, type UserRow } from './user.sql.ts';

/** Whether a member is a VIP at this time. */
export function isVipNow({ vipAt, vipUntil }: Pick<UserRow, 'vipAt' | 'vipUntil'>, now: Date): boolean {
  return vipAt !== null && (vipUntil === null || vipUntil > now);
}

/** The member or guest as the API shows them. */
export function presentUser(row: UserRow, now: Date): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email ?? '',
    phone: row.phone,
    points: row.points,
    freePoints: row.freePoints,
    myPlan: { plan: { id: LIMITS.planIds.nonMember, icon: '' } },
    isAdmin: row.isAdmin,
    VIP: isVipNow(row, now),
    adsTimes: row.adsTimes,
    isGuest: row.kind === 'guest',
    isConfirmed: row.confirmedAt !== null,
    deletionAt: row.deletionAt?.toISOString() ?? null,
  };
}

/** The caller's row. @throws ApiError `tokenExpired` when the account vanished while its session was being read */
export async function getOwnRow(context: Context, actor: Actor): Promise<UserRow> {
  const row = await findUser(context.db, signedIn(actor).userId);
  if (!row) throw new ApiError('tokenExpired');
  return row;
}

export async function getUser(context: Context, actor: Actor): Promise<User> {
  return presentUser(await getOwnRow(context, actor), context.clock.now());
}

export async function getCurrentPlan(context: Context, actor: Actor): Promise<User['myPlan']> {
  return (await getUser(context, actor)).myPlan;
}

/** Whether the caller's session is that of this user. */
export async function checkTokenForUser(
  _context: Context,
  actor: Actor,
  input: { readonly userId: string },
): Promise<{ belongs: boolean }> {
  return { belongs: actor.userId === input.userId };
}

/** A member by exactly this address, with what a friend may see. */
export async function getUserInfo(
  context: Context,
  _actor: Actor,
  input: { readonly email: string },
): Promise<{ name: string; email: string } | null> {
  const row = await findMember(context.db, input.email);
  return row?.email && row.confirmedAt && !row.deletionAt ? { name: row.name, email: row.email } : null;
}
