import { ApiError } from '@framelift/contract';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { isUniqueViolation } from '../../platform/db/unique-violation.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { transferOwnership } from '../media/lifecycle/ownership.sql.ts';
import { deleteObjects } from '../media/results.ts';
import { sendNotice, sendPasswordLink } from '../user/mail-code.ts';
import { hashPassword } from '../user/passwords.ts';
import {
  addressKey,
  deleteSessionsOf,
  deleteUser,
  findMailCodeForUpdate,
  findMemberForUpdate,
  isUnverified,
  type MailCodeRow,
  setMailCodeUsed,
  type UserRow,
  updateUser,
  voidMailCodes,
} from '../user/user.sql.ts';
import { resendConfirmation } from './account.jobs.ts';

/**
 * Sends the confirmation email again, by a job: neither the text nor the time of the answer tells whether there is such
 * an account.
 */
export async function sendConfirmEmail(
  context: Context,
  actor: Actor,
  input: { readonly email: string },
): Promise<{ email: string }> {
  await context.jobs.enqueue(context.db, resendConfirmation, { email: input.email, language: actor.language });
  return { email: input.email };
}

interface Confirmed {
  readonly alreadyConfirmed: boolean;
  readonly passwordNeeded: boolean;
}

/**
 * Confirms an address, a member's first or a new one. A code works once; one that was used, or that a newer one
 * replaced, says `alreadyConfirmed` when the address is confirmed by now [A45][A48].
 * @throws ApiError `incorrectVerificationCode` for a code that is not of this address, `expiredVerificationCode`
 */
export async function confirmEmail(
  context: Context,
  actor: Actor,
  input: { readonly email: string; readonly code: string },
): Promise<Confirmed> {
  const confirm = () => context.db.transaction((tx) => confirmCode(context, actor, tx, input));
  // An address that somebody took at the same moment: the second time it is seen whose it is.
  const { unused, ...confirmed } = await confirm().catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    return confirm();
  });
  await deleteObjects(context, unused);
  return confirmed;
}

async function confirmCode(
  context: Context,
  actor: Actor,
  tx: Tx,
  input: { readonly email: string; readonly code: string },
): Promise<Confirmed & { readonly unused: readonly string[] }> {
  const found = await findMailCodeForUpdate(tx, hashSecret(input.code), ['confirm', 'email']);
  const address = found && addressKey(found.code.email ?? found.user.email ?? '');
  if (!found || address !== addressKey(input.email)) throw new ApiError('incorrectVerificationCode');
  const { code, user } = found;
  const done = code.email === null ? user.confirmedAt !== null : user.email === code.email;
  if (done) return { alreadyConfirmed: true, passwordNeeded: false, unused: [] };
  const now = context.clock.now();
  if (code.usedAt || code.voidedAt || code.expiresAt <= now) throw new ApiError('expiredVerificationCode');
  await setMailCodeUsed(tx, code.id, now);
  if (code.email === null) {
    const unused = await confirmMember(context, tx, user);
    return { alreadyConfirmed: false, passwordNeeded: user.passwordContested, unused };
  }
  await takeNewAddress(context, actor, tx, user, code.email);
  return { alreadyConfirmed: false, passwordNeeded: false, unused: [] };
}

/**
 * The member owns the mailbox. Pictures sent as a guest come along. A password that two people may have set is nobody's:
 * it goes, with every session that it opened, and a link to choose another is mailed.
 * @returns keys of objects that are named no more
 */
export async function confirmMember(
  context: Context,
  tx: Tx,
  user: UserRow,
  newPasswordHash?: string,
): Promise<string[]> {
  const { passwordContested: contested, claimedGuestId: guestId } = user;
  const confirmed = { confirmedAt: context.clock.now(), unconfirmedAt: null };
  const values = { ...confirmed, passwordContested: false, claimedGuestId: null };
  const passwordHash = newPasswordHash ?? (contested ? await hashPassword(context.ids.secret()) : undefined);
  await updateUser(tx, user.id, passwordHash ? { ...values, passwordHash } : values);
  if (contested) {
    await deleteSessionsOf(tx, user.id);
    if (!newPasswordHash) await sendPasswordLink(context, tx, user, 'choosePassword', user.language);
    return [];
  }
  return guestId ? transferOwnership(tx, guestId, user.id) : [];
}

/** @throws ApiError `expiredVerificationCode` when another member has the address by now */
async function takeNewAddress(
  context: Context,
  actor: Actor,
  tx: Tx,
  user: UserRow,
  email: NonNullable<MailCodeRow['email']>,
): Promise<void> {
  const other = await findMemberForUpdate(tx, email);
  if (other && other.id !== user.id) {
    if (!isUnverified(other)) throw new ApiError('expiredVerificationCode');
    // Somebody registered the address without owning its mailbox.
    await deleteUser(tx, other.id);
  }
  await updateUser(tx, user.id, { email, emailLower: addressKey(email) });
  await deleteSessionsOf(tx, user.id, actor.userId === user.id ? actor.sessionId : null);
  // A link to choose a password lies in the old mailbox.
  await voidMailCodes(tx, user.id, ['reset', 'export'], context.clock.now());
  await sendNotice(context, tx, user, 'emailChanged');
}
