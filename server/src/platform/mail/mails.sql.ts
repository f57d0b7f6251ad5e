import { and, count, eq, gte, lt, sql } from 'drizzle-orm';
import type { Queries } from '../db/open.ts';
import { mails } from '../db/schema.ts';

export type MailRow = typeof mails.$inferSelect;

export async function insertMail(tx: Queries, mail: typeof mails.$inferInsert): Promise<void> {
  await tx.insert(mails).values(mail);
}

export async function findMail(db: Queries, id: string): Promise<MailRow | undefined> {
  const [row] = await db.select().from(mails).where(eq(mails.id, id));
  return row;
}

export async function countMailsSince(tx: Queries, address: string, since: Date): Promise<number> {
  const [row] = await tx
    .select({ count: count() })
    .from(mails)
    .where(and(eq(mails.addressKey, address), gte(mails.createdAt, since)));
  return row?.count ?? 0;
}

/** The mail has left; what it said, secrets included, is forgotten. */
export async function setMailSent(db: Queries, id: string, at: Date): Promise<void> {
  await db
    .update(mails)
    .set({ state: 'sent', sentAt: at, data: null, lastError: null, attempts: sql`${mails.attempts} + 1` })
    .where(eq(mails.id, id));
}

export async function setMailTried(db: Queries, id: string, error: string): Promise<void> {
  await db
    .update(mails)
    .set({ lastError: error, attempts: sql`${mails.attempts} + 1` })
    .where(eq(mails.id, id));
}

export async function setMailFailed(db: Queries, id: string): Promise<void> {
  await db
    .update(mails)
    .set({ state: 'failed', data: null })
    .where(and(eq(mails.id, id), eq(mails.state, 'waiting')));
}

export async function deleteMailsBefore(db: Queries, before: Date): Promise<void> {
  await db.delete(mails).where(lt(mails.createdAt, before));
}

export async function deleteMailsTo(tx: Queries, address: string): Promise<void> {
  await tx.delete(mails).where(eq(mails.addressKey, address));
}
