import { ApiError, type api, emailKey, type InputOf, type User } from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { canSendMail, confirmationLink, sendCode, sendNotice } from './mail-code.ts';
import { refuseCommon, refusePersonalInfo } from './password-rules.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import {
  deleteSessionsOf,
  findMember,
  findUserForUpdate,
  isUnverified,
  type UserRow,
  updateUser,
  voidMailCodes,
} from './user.sql.ts';
import { getOwnRow, getUser } from './user.ts';

/** Returns the caller's row if the password is correct. @throws ApiError `passwordIncorrect` */
export async function requirePassword(context: Context, actor: Actor, password: string): Promise<UserRow> {
  const row = await getOwnRow(context, actor);
  if (!(await verifyPassword(row.passwordHash, password))) throw new ApiError('passwordIncorrect');
  return row;
}

/**
 * Locks the row for a change.
 * @throws ApiError `passwordIncorrect` if the password was changed since, which revokes the caller's access
 */
export async function lockIfUnchanged(tx: Tx, row: UserRow): Promise<UserRow> {
  const locked = await findUserForUpdate(tx, row.id);
  if (locked?.passwordHash !== row.passwordHash) throw new ApiError('passwordIncorrect');
  return locked;
}

/**
 * Changes name, phone and password as far as given, atomically. A new password ends every other session and voids the
 * links emailed before.
 * @throws ApiError `passwordsDoNotMatch`, `passwordTooCommon`, `passwordNamesOwner`; `updatePasswordFailed` if the
 *   current password is wrong; `updateUsernameFailed` or `updateUserDataFailed` if the database does not take the change
 */
export async function updateProfile(
  context: Context,
  actor: Actor,
  input: InputOf<typeof api.userUpdate>,
): Promise<User> {
  try {
    return await changeProfile(context, actor, input);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const isNameOnly = input.phone === undefined && input.password === undefined;
    throw new ApiError(isNameOnly ? 'updateUsernameFailed' : 'updateUserDataFailed', [], { cause: error });
  }
}

async function changeProfile(context: Context, actor: Actor, input: InputOf<typeof api.userUpdate>): Promise<User> {
  const { userId, sessionId } = signedIn(actor);
  const { name, phone, password } = input;
  const given = { ...(name === undefined ? {} : { name }), ...(phone === undefined ? {} : { phone }) };
  if (password === undefined) {
    if (Object.keys(given).length > 0) await updateUser(context.db, userId, given);
    return getUser(context, actor);
  }
  if (password !== input.password_confirmation) throw new ApiError('passwordsDoNotMatch');
  const row = await getOwnRow(context, actor);
  const matches = await verifyPassword(row.passwordHash, input.old_password ?? '');
  if (!matches) throw new ApiError('updatePasswordFailed');
  await refuseCommon(password);
  refusePersonalInfo(password, { name: name ?? row.name, email: row.email ?? '' });
  const passwordHash = await hashPassword(password);
  await context.db.transaction(async (tx) => {
    const locked = await findUserForUpdate(tx, userId);
    // Changed meanwhile: the given current password is outdated.
    if (locked?.passwordHash !== row.passwordHash) throw new ApiError('updatePasswordFailed');
    await updateUser(tx, userId, { ...given, passwordHash });
    await deleteSessionsOf(tx, userId, sessionId);
    await voidMailCodes(tx, userId, ['reset', 'email', 'export'], context.clock.now());
    await sendNotice(context, tx, locked, 'passwordChanged');
  });
  return getUser(context, actor);
}

/**
 * Requests another address: emails a link that makes the change to the new address, and notifies the current one [A47].
 * Whether an address already has an account is revealed only to its owner, by email.
 * @throws ApiError `passwordIncorrect`; `emailSendingFailed` if the address was mailed too often today
 */
export async function changeEmail(
  context: Context,
  actor: Actor,
  input: { readonly email: string; readonly password: string },
): Promise<{ email: string }> {
  const { email } = input;
  const row = await requirePassword(context, actor, input.password);
  await context.db.transaction(async (tx) => {
    const user = await lockIfUnchanged(tx, row);
    if (!user.email || user.email === email) return;
    // Not locked: two members who request each other's address would deadlock.
    const other = emailKey(email) === user.emailLower ? undefined : await findMember(tx, email);
    if (!(await canSendMail(context, tx, email))) throw new ApiError('emailSendingFailed');
    if (other?.email && !isUnverified(other)) {
      await sendNotice(context, tx, other, 'alreadyRegistered');
    } else {
      await sendCode(context, tx, {
        user,
        to: email,
        email,
        language: actor.language,
        purpose: 'email',
        template: 'confirmNewEmail',
        link: (code) => confirmationLink(context, code, email),
      });
    }
    await sendNotice(context, tx, user, 'emailChangeAsked');
  });
  return { email };
}
