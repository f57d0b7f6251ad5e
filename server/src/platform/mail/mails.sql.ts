import { and, eq, sql } from 'drizzle-orm';
import type { Queries } from '../db/open.ts';
import { mails } from '../db/schema.ts';

type MailRow = typeof mails.$inferSelect;

export async function findMail(db: Queries, id: string): Promise<MailRow | undefined> {
  const [row] = await db.select().from(mails).where(eq(mails.id, id));
  return row;
}

/**
 * Records that the email was sent, and erases its content, secrets included. Returns false if it was deleted meanwhile.
 */
export async function setMailSent(db: Queries, id: string, at: Date): Promise<boolean> {
  const rows = await db
    .update(mails)
    .set({ state: 'sent', sentAt: at, data: null, lastError: null, attempts: sql`${mails.attempts} + 1` })
    .where(eq(mails.id, id))
    .returning({ id: mails.id });
  return rows.length > 0;
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
