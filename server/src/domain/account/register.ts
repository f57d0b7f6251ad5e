import { ApiError } from '@framelift/contract';
import type { Context } from '../../context.ts';
import { postMail } from '../../mail/post.ts';
import type { Actor } from '../actor.ts';
import { deleteSessionsOf, findMemberForUpdate, insertMember, replaceUnconfirmed } from './account.sql.ts';
import { mailConfirmation, mayMail } from './confirmation.ts';
import { hashPassword } from './passwords.ts';

interface Registration {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly password: string;
  readonly password_confirmation: string;
  readonly isChecked: boolean;
}

/**
 * Makes an account and posts the confirmation mail in the same transaction. The answer is the same for every address:
 * the owner of a confirmed account is told by mail; an unconfirmed address may be registered again, and the last
 * registration counts.
 * @throws ApiError `agreementMissing`, `passwordsDoNotMatch`
 */
export async function register(context: Context, actor: Actor, input: Registration): Promise<{ email: string }> {
  if (!input.isChecked) throw new ApiError('agreementMissing');
  if (input.password !== input.password_confirmation) throw new ApiError('passwordsDoNotMatch');
  const { name, email, phone } = input;
  const { language } = actor;
  // Before the database is asked, so that every address costs the same.
  const passwordHash = await hashPassword(input.password);
  const member = { id: context.ids.uuid(), name, email, phone, passwordHash, language };
  await context.db.transaction(async (tx) => {
    if (await insertMember(tx, { ...member, createdAt: context.clock.now() })) {
      await mailConfirmation(context, tx, member, language);
      return;
    }
    const existing = await findMemberForUpdate(tx, email);
    if (!existing?.email) throw new Error('An account vanished between insert and select');
    if (!existing.confirmedAt) {
      await replaceUnconfirmed(tx, existing.id, member);
      // Whoever logged in with the password of the earlier registration is out.
      await deleteSessionsOf(tx, existing.id);
      await mailConfirmation(context, tx, { ...member, id: existing.id }, language);
    } else if (await mayMail(context, tx, existing.email)) {
      await postMail(context, tx, {
        to: existing.email,
        language: existing.language,
        letter: {
          template: 'alreadyRegistered',
          data: { name: existing.name, link: `${context.settings.publicUrl}/login` },
        },
      });
    }
  });
  return { email };
}
