import { type Language, LIMITS } from '@framelift/contract';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import type { Template } from '../../platform/mail/email-templates.ts';
import { countEmails, sendEmail } from '../../platform/mail/send-email.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { DAY_MS, HOUR_MS } from '../../platform/time.ts';
import { insertMailCode, type MailCodeRow, type UserRow } from './user.sql.ts';

/** Maximum number of account emails to one address per day, regardless of who requests them. */
const EMAILS_A_DAY = 2 * LIMITS.resend.perDay;

/** Returns whether an address may get another email, so that nobody can flood it through this server. */
export async function canSendMail(context: Context, tx: Tx, email: string): Promise<boolean> {
  const now = context.clock.now();
  // None of the future: after the clock was set back, they would be counted for days.
  return (await countEmails(tx, email, new Date(now.getTime() - DAY_MS), now)) < EMAILS_A_DAY;
}

interface CodeEmail {
  readonly user: Pick<UserRow, 'id' | 'name'>;
  readonly to: string;
  readonly language: Language;
  readonly purpose: MailCodeRow['purpose'];
  /** The address that the code assigns to the user. */
  readonly email?: string;
  readonly template: Template;
  readonly link: (code: string) => string;
}

/** Issues a code valid for 24 hours, voids older ones, and sends the email with its link. The caller locks the user. */
export async function sendCode(context: Context, tx: Tx, email: CodeEmail): Promise<void> {
  const code = context.ids.secret();
  const now = context.clock.now();
  await insertMailCode(tx, {
    id: context.ids.uuid(),
    userId: email.user.id,
    purpose: email.purpose,
    email: email.email ?? null,
    codeHash: hashSecret(code),
    createdAt: now,
    expiresAt: new Date(now.getTime() + LIMITS.emailLinkHours * HOUR_MS),
  });
  const data = { name: email.user.name, link: email.link(code) };
  const { to, language, template, user } = email;
  await sendEmail(context, tx, { userId: user.id, to, language, template, data });
}

/** Sends the link that confirms an address, unless the address has received too many emails. */
export async function sendConfirmation(
  context: Context,
  tx: Tx,
  user: Pick<UserRow, 'id' | 'name'> & { readonly email: string },
  language: Language,
): Promise<void> {
  if (!(await canSendMail(context, tx, user.email))) return;
  await sendCode(context, tx, {
    user,
    language,
    to: user.email,
    purpose: 'confirm',
    template: 'confirmation',
    link: (code) => confirmationLink(context, code, user.email),
  });
}

/** Returns the URL of the page with the confirmation button; the same for a first and a new address. */
export function confirmationLink({ settings }: Context, code: string, email: string): string {
  return `${settings.publicUrl}/confirmation?${new URLSearchParams({ code, email })}`;
}

/** Sends the link to choose a password. */
export function sendPasswordLink(
  context: Context,
  tx: Tx,
  user: UserRow,
  template: 'resetPassword' | 'choosePassword',
  language: Language,
): Promise<void> {
  const email = user.email ?? '';
  return sendCode(context, tx, {
    user,
    language,
    to: email,
    purpose: 'reset',
    template,
    link: (code) =>
      `${context.settings.publicUrl}/forgetPassword?${new URLSearchParams({ resetPasswordToken: code, email })}`,
  });
}

/** Sends a member an email with a link to the login, in the member's own language. */
export function sendNotice(
  context: Context,
  tx: Tx,
  { id, email, name, language }: Pick<UserRow, 'id' | 'email' | 'name' | 'language'>,
  template: Template,
): Promise<void> {
  const data = { name, link: `${context.settings.publicUrl}/login` };
  return sendEmail(context, tx, { userId: id, to: email ?? '', language, template, data });
}
