import { ApiError, type User } from '@framelift/contract';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { deleteObjects } from '../media/results.ts';
import { requireOpen } from '../site/features.ts';
import { hashPassword, isOutdated, verifyPassword } from '../user/passwords.ts';
import { startSession } from '../user/session.ts';
import { deleteSession, findMember, findOrCreateGuest, findUserForUpdate, updateUser } from '../user/user.sql.ts';
import { presentUser } from '../user/user.ts';
import { moveIn } from './move-in.ts';

interface LoggedIn {
  readonly token: string;
  readonly user: User;
}

/**
 * Starts a member's session and ends the caller's previous one. An unknown address and a wrong password cause the same
 * response after the same amount of work [A50].
 * @throws ApiError `loginFailed`; `accountRestricted` only with the correct password
 */
export async function login(
  context: Context,
  actor: Actor,
  input: { readonly email: string; readonly password: string; readonly userAgent?: string | undefined },
): Promise<LoggedIn> {
  const row = await findMember(context.db, input.email);
  const matches = await verifyPassword(row?.passwordHash ?? null, input.password);
  const gone = row?.deletionAt && row.deletionAt <= context.clock.now();
  if (!row?.passwordHash || !matches || gone) throw new ApiError('loginFailed');
  const passwordHash = isOutdated(row.passwordHash) ? await hashPassword(input.password) : row.passwordHash;
  const unused: string[] = [];
  const token = await context.db.transaction(async (tx) => {
    // The password was changed during the comparison.
    const locked = await findUserForUpdate(tx, row.id);
    if (locked?.passwordHash !== row.passwordHash) throw new ApiError('loginFailed');
    if (locked.restrictedAt) throw new ApiError('accountRestricted');
    if (passwordHash !== row.passwordHash) await updateUser(tx, row.id, { passwordHash });
    if (actor.kind === 'guest' && actor.userId) {
      // The member gets the guest's uploads now, or on confirmation [A55].
      if (locked.confirmedAt) unused.push(...(await moveIn(context, tx, locked, actor.userId)));
      else await updateUser(tx, row.id, { claimedGuestId: actor.userId });
    } else if (locked.confirmedAt && locked.claimedGuestId) {
      // They had no room before.
      unused.push(...(await moveIn(context, tx, locked, locked.claimedGuestId)));
    }
    if (actor.sessionId) await deleteSession(tx, actor.sessionId);
    return startSession(context, tx, row.id, input.userAgent);
  });
  await deleteObjects(context, unused);
  return { token, user: await presentUser(context, context.db, row, actor.language) };
}

/** Starts a guest's session. The guestId is a secret and stored as a hash. @throws ApiError `guestsClosed` */
export async function guestLogin(
  context: Context,
  actor: Actor,
  input: { readonly guestId: string; readonly userAgent?: string | undefined },
): Promise<LoggedIn> {
  await requireOpen(context, 'guests');
  return context.db.transaction(async (tx) => {
    const row = await findOrCreateGuest(tx, {
      id: context.ids.uuid(),
      keyHash: hashSecret(input.guestId),
      createdAt: context.clock.now(),
    });
    if (actor.sessionId) await deleteSession(tx, actor.sessionId);
    const user = await presentUser(context, tx, row, actor.language);
    return { token: await startSession(context, tx, row.id, input.userAgent), user };
  });
}
