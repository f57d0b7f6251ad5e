import type { Language } from '@framelift/contract';
import { and, eq, gte, lt, lte } from 'drizzle-orm';
import type { Context } from '../../context.ts';
import type { Queries, Tx } from '../db/open.ts';
import { mails } from '../db/schema.ts';
import type { EmailTemplate } from './email-templates.ts';
import { sendMail } from './mail.jobs.ts';

interface Email extends EmailTemplate {
  readonly to: string;
  readonly language: Language;
}

/** Emails are counted per address regardless of case. */
const keyOf = (address: string) => address.toLowerCase();

/** Stores an email and its job in the caller's transaction, so that it is sent if and only if that commits. */
export async function sendEmail(context: Context, tx: Tx, { to, language, template, data }: Email): Promise<void> {
  const id = context.ids.uuid();
  const createdAt = context.clock.now();
  await tx.insert(mails).values({ id, toAddress: to, addressKey: keyOf(to), template, language, data, createdAt });
  await context.jobs.enqueue(tx, sendMail, { mailId: id });
}

/** Counts the emails to one address stored in a stretch of time, sent or not. */
export function countEmails(tx: Tx, address: string, since: Date, until: Date): Promise<number> {
  const inTime = and(gte(mails.createdAt, since), lte(mails.createdAt, until));
  return tx.$count(mails, and(eq(mails.addressKey, keyOf(address)), inTime));
}

export async function deleteEmailsBefore(db: Queries, before: Date): Promise<void> {
  await db.delete(mails).where(lt(mails.createdAt, before));
}

/** Deletes all emails to an address; unsent ones are never sent. */
export async function deleteEmailsTo(tx: Tx, address: string): Promise<void> {
  await tx.delete(mails).where(eq(mails.addressKey, keyOf(address)));
}
