import type { Language } from '@framelift/contract';
import { and, eq, gte, lt } from 'drizzle-orm';
import type { Context } from '../../context.ts';
import type { Queries, Tx } from '../db/open.ts';
import { mails } from '../db/schema.ts';
import type { EmailTemplate } from './email-templates.ts';
import { sendMail } from './mail.jobs.ts';

interface Email extends EmailTemplate {
  readonly to: string;
  readonly language: Language;
}

/** Addresses are counted in any case. */
const keyOf = (address: string) => address.toLowerCase();

/** Stores an email and the job that sends it in the caller's transaction: it leaves when that commits, and only then. */
export async function sendEmail(context: Context, tx: Tx, { to, language, template, data }: Email): Promise<void> {
  const id = context.ids.uuid();
  const createdAt = context.clock.now();
  await tx.insert(mails).values({ id, toAddress: to, addressKey: keyOf(to), template, language, data, createdAt });
  await context.jobs.enqueue(tx, sendMail, { mailId: id });
}

/** How many emails to one address were stored since then, whether they have left or not. */
export function countEmailsSince(tx: Tx, address: string, since: Date): Promise<number> {
  return tx.$count(mails, and(eq(mails.addressKey, keyOf(address)), gte(mails.createdAt, since)));
}

export async function deleteEmailsBefore(db: Queries, before: Date): Promise<void> {
  await db.delete(mails).where(lt(mails.createdAt, before));
}

/** Deletes all that is known of emails to an address; one that has not left yet never leaves. */
export async function deleteEmailsTo(tx: Tx, address: string): Promise<void> {
  await tx.delete(mails).where(eq(mails.addressKey, keyOf(address)));
}
