import { ApiError, type api, type InputOf, type User } from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { postMail } from '../../platform/mail/send-email.ts';
import { confirmationLink } from '../account/confirmation.ts';
import { tellOfNewPassword } from '../account/reset.ts';
import { mailCode, mayMail } from './mail-code.ts';
import { refuseCommon, refuseOwnWords } from './password-rules.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import {
  addressKey,
  deleteSessionsOf,
  findMember,
  findUserForUpdate,
  isUnproved,
  type UserRow,
  updateUser,
  voidMailCodes,
} from './user.sql.ts';
import { getOwnRow, getUser } from './user.ts';

/** The caller's row, when this is the caller's password. @throws ApiError `passwordIncorrect` */
export async function withPassword(context: Context, actor: Actor, password: string): Promise<UserRow> {
  const row = await getOwnRow(context, actor);
  if (!(await verifyPassword(row.passwordHash, password))) throw new ApiError('passwordIncorrect');
  return row;
}

/**
 * The same row, locked for a change.
 * @throws ApiError `passwordIncorrect` when the password was changed since: whoever did so has shut the caller out
 */
export async function lockUnchanged(tx: Tx, row: UserRow): Promise<UserRow> {
  const locked = await findUserForUpdate(tx, row.id);
  if (locked?.passwordHash !== row.passwordHash) throw new ApiError('passwordIncorrect');
  return locked;
}

/**
 * Changes what is named of name, phone and password, all or nothing. With a new password every other session ends, and
 * links that were mailed before are void.
 * @throws ApiError `passwordsDoNotMatch`, `passwordTooCommon`, `passwordNamesOwner`; `updatePasswordFailed` when the
 * present password is not right
 */
export async function userUpdate(context: Context, actor: Actor, input: InputOf<typeof api.userUpdate>): Promise<User> {
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
  refuseOwnWords(password, { name: name ?? row.name, email: row.email ?? '' });
  const passwordHash = await hashPassword(password);
  await context.db.transaction(async (tx) => {
    const locked = await findUserForUpdate(tx, userId);
    // Changed by somebody else meanwhile: the present password was not right after all.
    if (locked?.passwordHash !== row.passwordHash) throw new ApiError('updatePasswordFailed');
    await updateUser(tx, userId, { ...given, passwordHash });
    await deleteSessionsOf(tx, userId, sessionId);
    await voidMailCodes(tx, userId, ['reset', 'email', 'export'], context.clock.now());
    await tellOfNewPassword(context, tx, locked);
  });
  return getUser(context, actor);
}

/**
 * Asks for another address: its mailbox gets the link that makes the change, the present one is told [A47]. Of an
 * address that has an account only its owner learns so, by mail.
 * @throws ApiError `passwordIncorrect`
 */
export async function changeEmail(
  context: Context,
  actor: Actor,
  input: { readonly email: string; readonly password: string },
): Promise<{ email: string }> {
  const { email } = input;
  const row = await withPassword(context, actor, input.password);
  const { publicUrl } = context.settings;
  await context.db.transaction(async (tx) => {
    const user = await lockUnchanged(tx, row);
    if (!user.email || user.email === email) return;
    // Not locked: two members who ask for each other's address would wait for each other.
    const other = addressKey(email) === user.emailLower ? undefined : await findMember(tx, email);
    if (!(await mayMail(context, tx, email))) return;
    if (other?.email && !isUnproved(other)) {
      const data = { name: other.name, link: `${publicUrl}/login` };
      const letter = { template: 'alreadyRegistered', data } as const;
      await postMail(context, tx, { to: other.email, language: other.language, letter });
    } else {
      await mailCode(context, tx, {
        ...{ user, to: email, email, language: actor.language, purpose: 'email', template: 'confirmNewEmail' },
        link: (code) => confirmationLink(context, code, email),
      });
    }
    const data = { name: user.name, link: `${publicUrl}/login` };
    const letter = { template: 'emailChangeAsked', data } as const;
    await postMail(context, tx, { to: user.email, language: user.language, letter });
  });
  return { email };
}
