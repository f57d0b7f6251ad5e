import { ApiError, type User } from '@framelift/contract';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { hashSecret } from '../secrets.ts';
import { deleteSession, findMember, findOrCreateGuest, setPasswordHash } from './account.sql.ts';
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts';
import { startSession } from './session.ts';
import { presentUser } from './user.ts';

interface LoggedIn {
  readonly token: string;
  readonly user: User;
}

/**
 * Starts a member's session; the caller's old one ends, so that a login never inherits it. An unknown address and a
 * wrong password answer the same after the same work [A50].
 * @throws ApiError `loginFailed`
 */
export async function login(
  context: Context,
  actor: Actor,
  input: { readonly email: string; readonly password: string; readonly userAgent?: string | undefined },
): Promise<LoggedIn> {
  const row = await findMember(context.db, input.email);
  const matches = await verifyPassword(row?.passwordHash ?? null, input.password);
  if (!row?.passwordHash || !matches) throw new ApiError('loginFailed');
  if (isOutdated(row.passwordHash)) await setPasswordHash(context.db, row.id, await hashPassword(input.password));
  const token = await context.db.transaction(async (tx) => {
    if (actor.sessionId) await deleteSession(tx, actor.sessionId);
    return startSession(context, tx, row.id, input.userAgent);
  });
  return { token, user: presentUser(row) };
}

/** Starts a guest's session. The guestId is all that proves who the guest is, so it is kept as a hash. */
export async function guestLogin(
  context: Context,
  actor: Actor,
  input: { readonly guestId: string; readonly userAgent?: string | undefined },
): Promise<LoggedIn> {
  return context.db.transaction(async (tx) => {
    const row = await findOrCreateGuest(tx, {
      id: context.ids.uuid(),
      keyHash: hashSecret(input.guestId),
      createdAt: context.clock.now(),
    });
    if (actor.sessionId) await deleteSession(tx, actor.sessionId);
    return { token: await startSession(context, tx, row.id, input.userAgent), user: presentUser(row) };
  });
}
