import { type Language, LIMITS } from '@framelift/contract';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import type { Template } from '../../platform/mail/email-templates.ts';
import { mailsSince, postMail } from '../../platform/mail/send-email.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { insertMailCode, type MailCodeRow, type UserRow } from './user.sql.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Mails about its account that one address gets in a day at most, whoever asks for them. */
const MAILS_A_DAY = 2 * LIMITS.resend.perDay;

/** Mails of one address are counted, so that nobody can bury it in mail through us. */
export async function mayMail(context: Context, tx: Tx, email: string): Promise<boolean> {
  const since = new Date(context.clock.now().getTime() - DAY_MS);
  return (await mailsSince(tx, email, since)) < MAILS_A_DAY;
}

interface CodeMail {
  readonly user: Pick<UserRow, 'id' | 'name'>;
  readonly to: string;
  readonly language: Language;
  readonly purpose: MailCodeRow['purpose'];
  /** The address that the code makes the user's. */
  readonly email?: string;
  readonly template: Template;
  readonly link: (code: string) => string;
}

/** Issues a code of 24 hours, which voids the older ones, and posts the mail with its link. The caller locks the user. */
export async function mailCode(context: Context, tx: Tx, mail: CodeMail): Promise<void> {
  const code = context.ids.secret();
  const now = context.clock.now();
  await insertMailCode(tx, {
    id: context.ids.uuid(),
    userId: mail.user.id,
    purpose: mail.purpose,
    email: mail.email ?? null,
    codeHash: hashSecret(code),
    createdAt: now,
    expiresAt: new Date(now.getTime() + LIMITS.emailLinkHours * HOUR_MS),
  });
  const data = { name: mail.user.name, link: mail.link(code) };
  await postMail(context, tx, { to: mail.to, language: mail.language, letter: { template: mail.template, data } });
}

/** Issues the code and posts the mail, in the transaction of the caller, who has locked the user. */
export function mailPasswordChoice(
  context: Context,
  tx: Tx,
  user: UserRow,
  template: 'resetPassword' | 'choosePassword',
  language: Language,
): Promise<void> {
  const email = user.email ?? '';
  return mailCode(context, tx, {
    ...{ user, language, to: email, purpose: 'reset', template },
    link: (code) =>
      `${context.settings.publicUrl}/forgetPassword?${new URLSearchParams({ resetPasswordToken: code, email })}`,
  });
}
