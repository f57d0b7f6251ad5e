import type { Language } from '@framelift/contract';
import { and, eq, gte, inArray, lt, lte, notInArray, or, type SQL } from 'drizzle-orm';
import type { Context } from '../../context.ts';
import type { Tx } from '../db/open.ts';
import { mails } from '../db/schema.ts';
import { type EmailTemplate, emailTemplate, INVITATIONS, RECEIPTS } from './email-templates.ts';
import { sendMail } from './mail.jobs.ts';

interface Email extends EmailTemplate {
  /** The account that it concerns, which takes it along when it is removed. */
  readonly userId: string;
  readonly to: string;
  readonly language: Language;
}

/** Emails are counted per address regardless of case. */
const keyOf = (address: string) => address.toLowerCase();

/** Stores an email and its job in the caller's transaction, so that it is sent if and only if that commits. */
export async function sendEmail(context: Context, tx: Tx, email: Email): Promise<void> {
  const id = context.ids.uuid();
  const { to, userId, language } = email;
  const values = { ...emailTemplate.parse(email), id, userId, language, toAddress: to, addressKey: keyOf(to) };
  await tx.insert(mails).values({ ...values, createdAt: context.clock.now() });
  await context.jobs.enqueue(tx, sendMail, { mailId: id });
}

/** Counts the account emails to one address stored in a stretch of time, sent or not. */
export function countEmails(tx: Tx, address: string, since: Date, until: Date): Promise<number> {
  return tx.$count(
    mails,
    and(stored(address, since, until), notInArray(mails.template, [...INVITATIONS, ...RECEIPTS])),
  );
}

/** Counts the invitations by members to one address, as countEmails. */
export function countInvitations(tx: Tx, address: string, since: Date, until: Date): Promise<number> {
  return tx.$count(mails, and(stored(address, since, until), inArray(mails.template, [...INVITATIONS])));
}

const stored = (address: string, since: Date, until: Date) =>
  and(eq(mails.addressKey, keyOf(address)), gte(mails.createdAt, since), lte(mails.createdAt, until));

export function deleteEmailsBefore(context: Context, before: Date): Promise<void> {
  return deleteEmails(context, lt(mails.createdAt, before));
}

/** Deletes all emails that concern an account or went to its address; unsent ones are never sent. */
export function deleteEmailsOf(context: Context, userId: string, address: string | null): Promise<void> {
  const toAddress = address === null ? undefined : eq(mails.addressKey, keyOf(address));
  return deleteEmails(context, or(eq(mails.userId, userId), toAddress));
}

/** First the kept copies, then the rows, which name them: a crash in between leaves something to repeat. */
async function deleteEmails({ db, mailer }: Context, which: SQL | undefined): Promise<void> {
  const rows = await db.select({ id: mails.id }).from(mails).where(which);
  if (rows.length === 0) return;
  await mailer.erase(rows.map(({ id }) => id));
  await db.delete(mails).where(which);
}
