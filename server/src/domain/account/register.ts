import { ApiError } from '@framelift/contract';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { requireOpen } from '../site/features.ts';
import { canSendMail, sendConfirmation, sendNotice } from '../user/mail-code.ts';
import { refuseCommon, refusePersonalInfo } from '../user/password-rules.ts';
import { hashPassword, verifyPassword } from '../user/passwords.ts';
import {
  deleteSessionsOf,
  findMember,
  findMemberForUpdate,
  hasLivingCode,
  insertMember,
  isUnverified,
  updateUser,
} from '../user/user.sql.ts';

interface Registration {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly password: string;
  readonly password_confirmation: string;
  readonly isChecked: boolean;
  /** Secret of the browser that registers: its confirmation of the address logs it in. */
  readonly registrationKey?: string | undefined;
}

/**
 * Creates an account and sends the confirmation email. The response is the same for every address: the owner of a
 * confirmed account is notified by email; an unconfirmed address can be registered again, and the last registration
 * counts.
 * Thus a stranger could set a password between the owner's registration and confirmation. Two different passwords while
 * a link is valid therefore make the password contested, and confirmation voids it.
 * @throws ApiError `signUpClosed`, `agreementMissing`, `passwordsDoNotMatch`, `passwordTooCommon`, `passwordNamesOwner`
 */
export async function register(context: Context, actor: Actor, input: Registration): Promise<{ email: string }> {
  await requireOpen(context, 'signUp');
  if (!input.isChecked) throw new ApiError('agreementMissing');
  if (input.password !== input.password_confirmation) throw new ApiError('passwordsDoNotMatch');
  const { name, email, phone } = input;
  await refuseCommon(input.password);
  refusePersonalInfo(input.password, input);
  const { language } = actor;
  // For every address, so that the response always takes the same time.
  const earlierHash = (await findMember(context.db, email))?.passwordHash ?? null;
  const samePassword = await verifyPassword(earlierHash, input.password);
  const passwordHash = await hashPassword(input.password);
  // The guest's uploads are transferred on confirmation [A55].
  const claimedGuestId = actor.kind === 'guest' ? actor.userId : null;
  const registrationKeyHash = input.registrationKey === undefined ? null : hashSecret(input.registrationKey);
  const owned = { name, email, phone, passwordHash, language, claimedGuestId, registrationKeyHash };
  const member = { id: context.ids.uuid(), ...owned };
  await context.db.transaction(async (tx) => {
    const now = context.clock.now();
    if (await insertMember(tx, { ...member, createdAt: now })) {
      await sendConfirmation(context, tx, member, language);
      return;
    }
    const existing = await findMemberForUpdate(tx, email);
    if (!existing?.email) throw new Error('An account vanished between insert and select');
    if (isUnverified(existing)) {
      const same = samePassword && existing.passwordHash === earlierHash;
      const linkLives = await hasLivingCode(tx, existing.id, 'confirm', now);
      const passwordContested = existing.passwordContested || (linkLives && !same);
      await updateUser(tx, existing.id, { ...owned, passwordContested });
      // Ends sessions that were started with the earlier password.
      await deleteSessionsOf(tx, existing.id);
      await sendConfirmation(context, tx, { ...member, id: existing.id }, language);
    } else if (!existing.confirmedAt) {
      // An administrator revoked the confirmation: it is confirmed again by email, and nothing is overwritten.
      await sendConfirmation(context, tx, { ...existing, email: existing.email }, existing.language);
    } else if (await canSendMail(context, tx, existing.email)) {
      await sendNotice(context, tx, existing, 'alreadyRegistered');
    }
  });
  return { email };
}
