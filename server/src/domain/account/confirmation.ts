import { ApiError, type Language, LIMITS } from '@framelift/contract';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import { mailsSince, postMail } from '../../mail/post.ts';
import type { Actor } from '../actor.ts';
import { hashSecret } from '../secrets.ts';
import { resendConfirmation } from './account.jobs.ts';
import {
  addressKey,
  findMailCodeForUpdate,
  findMemberForUpdate,
  insertMailCode,
  setConfirmed,
  setMailCodeUsed,
  type UserRow,
} from './account.sql.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Mails about its account that one address gets in a day at most, whoever asks for them. */
const MAILS_A_DAY = 2 * LIMITS.resend.perDay;

/** Mails of one address are counted, so that nobody can bury it in mail through us. */
export async function mayMail(context: Context, tx: Tx, email: string): Promise<boolean> {
  const since = new Date(context.clock.now().getTime() - DAY_MS);
  return (await mailsSince(tx, email, since)) < MAILS_A_DAY;
}

/** Issues a code, which voids the older ones, and posts the mail with its link, both in the caller's transaction. */
export async function mailConfirmation(
  context: Context,
  tx: Tx,
  user: Pick<UserRow, 'id' | 'name'> & { readonly email: string },
  language: Language,
): Promise<void> {
  if (!(await mayMail(context, tx, user.email))) return;
  const code = context.ids.secret();
  const now = context.clock.now();
  await insertMailCode(tx, {
    id: context.ids.uuid(),
    userId: user.id,
    purpose: 'confirm',
    codeHash: hashSecret(code),
    createdAt: now,
    expiresAt: new Date(now.getTime() + LIMITS.emailLinkHours * HOUR_MS),
  });
  const query = new URLSearchParams({ code, email: user.email });
  await postMail(context, tx, {
    to: user.email,
    language,
    letter: {
      template: 'confirmation',
      data: { name: user.name, link: `${context.settings.publicUrl}/confirmation?${query}` },
    },
  });
}

/**
 * Asks for the confirmation mail again. Whether there is such an account, and whether it still needs one, is found out
 * by a job afterwards: the answer tells neither, by its text or by its time.
 */
export async function sendConfirmEmail(
  context: Context,
  actor: Actor,
  input: { readonly email: string },
): Promise<{ email: string }> {
  await context.jobs.enqueue(context.db, resendConfirmation, { email: input.email, language: actor.language });
  return { email: input.email };
}

/** The later half of `sendConfirmEmail`. */
export async function resend(context: Context, input: { readonly email: string; readonly language: Language }) {
  await context.db.transaction(async (tx) => {
    const row = await findMemberForUpdate(tx, input.email);
    if (!row?.email || row.confirmedAt) return;
    await mailConfirmation(context, tx, { id: row.id, name: row.name, email: row.email }, input.language);
  });
}

/**
 * Confirms an address. A code works once; one that was used, or that a newer one replaced, says `alreadyConfirmed`
 * when the address is confirmed by now [A45][A48].
 * @throws ApiError `incorrectVerificationCode` for a code that is not of this address, `expiredVerificationCode`
 */
export async function confirmEmail(
  context: Context,
  _actor: Actor,
  input: { readonly email: string; readonly code: string },
): Promise<{ alreadyConfirmed: boolean }> {
  return context.db.transaction(async (tx) => {
    const found = await findMailCodeForUpdate(tx, hashSecret(input.code), 'confirm');
    if (!found || found.user.emailLower !== addressKey(input.email)) throw new ApiError('incorrectVerificationCode');
    const { code, user } = found;
    if (user.confirmedAt) return { alreadyConfirmed: true };
    const now = context.clock.now();
    if (code.usedAt || code.voidedAt || code.expiresAt <= now) throw new ApiError('expiredVerificationCode');
    await setMailCodeUsed(tx, code.id, now);
    await setConfirmed(tx, user.id, now);
    return { alreadyConfirmed: false };
  });
}
