import { ApiError, LIMITS, type User } from '@framelift/contract';
import type { Context } from '../../context.ts';
import { type Actor, signedIn } from '../actor.ts';
import { findUser, type UserRow } from './account.sql.ts';

/** The member or guest as the API shows them. */
export function presentUser(row: UserRow): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email ?? '',
    phone: row.phone,
    points: row.points,
    freePoints: row.freePoints,
    myPlan: { plan: { id: LIMITS.planIds.nonMember, icon: '' } },
    isAdmin: row.isAdmin,
    VIP: row.vipAt !== null,
    adsTimes: row.adsTimes,
    isGuest: row.kind === 'guest',
    isConfirmed: row.confirmedAt !== null,
  };
}

/** The caller. @throws ApiError `tokenExpired` when the account vanished while its session was being read */
export async function getUser(context: Context, actor: Actor): Promise<User> {
  const row = await findUser(context.db, signedIn(actor).userId);
  if (!row) throw new ApiError('tokenExpired');
  return presentUser(row);
}
