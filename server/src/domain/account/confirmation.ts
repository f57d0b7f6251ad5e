import { ApiError, emailKey, type User } from '@framelift/contract';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { isUniqueViolation } from '../../platform/db/unique-violation.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { deleteObjects } from '../media/results.ts';
import { sendNotice, sendPasswordLink } from '../user/mail-code.ts';
import { hashPassword } from '../user/passwords.ts';
import { startSession } from '../user/session.ts';
import {
  deleteSession,
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
import { presentUser } from '../user/user.ts';
import { resendConfirmation } from './account.jobs.ts';
import { moveIn } from './move-in.ts';

/**
 * Sends the confirmation email again, in a job: neither the text nor the time of the response reveals whether the
 * account exists.
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
  /** The new session of the browser that registered. */
  readonly started?: { readonly token: string; readonly user: User };
}

interface ConfirmInput {
  readonly email: string;
  readonly code: string;
  /** Secret of this browser, if it registered. */
  readonly registrationKey?: string | undefined;
  readonly userAgent?: string | undefined;
}

/**
 * Confirms a member's first or new address. A code works once; a used or replaced one returns `alreadyConfirmed` if the
 * address is confirmed by now [A45][A48].
 * The first use in the browser that registered the address starts a session there, because it has shown the password
 * and the mailbox. A link that was forwarded, and a second use of one, start none.
 * @throws ApiError `incorrectVerificationCode` for a code of another address, `expiredVerificationCode`
 */
export async function confirmEmail(context: Context, actor: Actor, input: ConfirmInput): Promise<Confirmed> {
  const confirm = () => context.db.transaction((tx) => confirmCode(context, actor, tx, input));
  // Another account took the address at the same moment: the second attempt sees that.
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
  input: ConfirmInput,
): Promise<Confirmed & { readonly unused: readonly string[] }> {
  const found = await findMailCodeForUpdate(tx, hashSecret(input.code), ['confirm', 'email']);
  const address = found && emailKey(found.code.email ?? found.user.email ?? '');
  if (!found || address !== emailKey(input.email)) throw new ApiError('incorrectVerificationCode');
  const { code, user } = found;
  const done = code.email === null ? user.confirmedAt !== null : user.email === code.email;
  if (done) return { alreadyConfirmed: true, passwordNeeded: false, unused: [] };
  const now = context.clock.now();
  if (code.usedAt || code.voidedAt || code.expiresAt <= now) throw new ApiError('expiredVerificationCode');
  await setMailCodeUsed(tx, code.id, now);
  if (code.email === null) {
    const unused = await confirmMember(context, tx, user);
    const confirmed = { alreadyConfirmed: false, passwordNeeded: user.passwordContested, unused };
    if (!mayLogIn(actor, user, input.registrationKey)) return confirmed;
    if (actor.sessionId) await deleteSession(tx, actor.sessionId);
    const token = await startSession(context, tx, user.id, input.userAgent);
    const started = await presentUser(context, tx, { ...user, confirmedAt: now }, actor.language);
    return { ...confirmed, started: { token, user: started } };
  }
  await takeNewAddress(context, actor, tx, user, code.email);
  return { alreadyConfirmed: false, passwordNeeded: false, unused: [] };
}

/** Returns whether the confirmation logs the caller in. A member's own session is kept, also that of another account. */
function mayLogIn(actor: Actor, user: UserRow, registrationKey: string | undefined): boolean {
  if (registrationKey === undefined || user.registrationKeyHash !== hashSecret(registrationKey)) return false;
  if (user.passwordContested || user.restrictedAt) return false;
  return actor.kind === 'visitor' || actor.kind === 'guest';
}

/**
 * Confirms a member, who gets the uploads they made as a guest. Voids a contested password and its sessions, and sends
 * a link to choose another.
 * @returns keys of orphaned objects
 */
export async function confirmMember(
  context: Context,
  tx: Tx,
  user: UserRow,
  newPasswordHash?: string,
): Promise<string[]> {
  const { passwordContested: contested, claimedGuestId: guestId } = user;
  const confirmed = { confirmedAt: context.clock.now(), unconfirmedAt: null };
  const values = { ...confirmed, passwordContested: false, claimedGuestId: null, registrationKeyHash: null };
  const passwordHash = newPasswordHash ?? (contested ? await hashPassword(context.ids.secret()) : undefined);
  await updateUser(tx, user.id, passwordHash ? { ...values, passwordHash } : values);
  if (contested) {
    await deleteSessionsOf(tx, user.id);
    if (!newPasswordHash) await sendPasswordLink(context, tx, user, 'choosePassword', user.language);
    return [];
  }
  return guestId ? moveIn(context, tx, { id: user.id, claimedGuestId: null }, guestId) : [];
}

/** @throws ApiError `expiredVerificationCode` if another member has the address by now */
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
    // Registered by somebody without access to the mailbox.
    await deleteUser(tx, other.id);
  }
  await updateUser(tx, user.id, { email, emailLower: emailKey(email) });
  await deleteSessionsOf(tx, user.id, actor.userId === user.id ? actor.sessionId : null);
  // The old mailbox may contain a link to choose a password.
  await voidMailCodes(tx, user.id, ['reset', 'export'], context.clock.now());
  await sendNotice(context, tx, user, 'emailChanged');
}
