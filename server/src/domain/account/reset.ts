import { ApiError, emailKey } from '@framelift/contract';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { deleteObjects } from '../media/results.ts';
import { sendNotice } from '../user/mail-code.ts';
import { refuseCommon, refusePersonalInfo } from '../user/password-rules.ts';
import { hashPassword } from '../user/passwords.ts';
import {
  deleteSessionsOf,
  findMailCode,
  findMailCodeForUpdate,
  setMailCodeUsed,
  updateUser,
  voidMailCodes,
} from '../user/user.sql.ts';
import { mailReset } from './account.jobs.ts';
import { confirmMember } from './confirmation.ts';

/**
 * Sends the link to choose a new password, in a job: neither the text nor the time of the response reveals whether the
 * account exists [A50].
 */
export async function forgetPassword(
  context: Context,
  actor: Actor,
  input: { readonly email: string },
): Promise<{ email: string }> {
  await context.jobs.enqueue(context.db, mailReset, { email: input.email, language: actor.language });
  return { email: input.email };
}

/**
 * Sets a new password with the code of an emailed link. Ends every session and notifies the member.
 * @throws ApiError `changePermissionExpired` for a wrong, used, replaced or expired code [A45]; `passwordTooCommon` and
 *   `passwordNamesOwner`, after which the link still works
 */
export async function changePassword(
  context: Context,
  _actor: Actor,
  input: { readonly token: string; readonly email: string; readonly newPassword: string },
): Promise<{ email: string }> {
  const codeHash = hashSecret(input.token);
  // Rejected before a password hash is computed.
  if (!(await findMailCode(context.db, codeHash, ['reset']))) throw new ApiError('changePermissionExpired');
  await refuseCommon(input.newPassword);
  const passwordHash = await hashPassword(input.newPassword);
  const unused = await context.db.transaction(async (tx) => {
    const found = await findMailCodeForUpdate(tx, codeHash, ['reset']);
    if (!found || found.user.emailLower !== emailKey(input.email)) throw new ApiError('changePermissionExpired');
    const { code, user } = found;
    const now = context.clock.now();
    if (code.usedAt || code.voidedAt || code.expiresAt <= now) throw new ApiError('changePermissionExpired');
    refusePersonalInfo(input.newPassword, { name: user.name, email: user.email ?? '' });
    await setMailCodeUsed(tx, code.id, now);
    await voidMailCodes(tx, user.id, ['confirm', 'email', 'export'], now);
    await deleteSessionsOf(tx, user.id);
    await sendNotice(context, tx, user, 'passwordChanged');
    if (!user.confirmedAt) return confirmMember(context, tx, user, passwordHash);
    await updateUser(tx, user.id, { passwordHash });
    return [];
  });
  await deleteObjects(context, unused);
  return { email: input.email };
}
