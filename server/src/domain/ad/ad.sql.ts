import { eq } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { adSessions } from '../../platform/db/schema.ts';

export type AdSessionRow = typeof adSessions.$inferSelect;

/** Returns the ad that a member watches or watched last. */
export async function findAdSession(db: Queries, userId: string): Promise<AdSessionRow | undefined> {
  const [row] = await db.select().from(adSessions).where(eq(adSessions.userId, userId));
  return row;
}

/** Starts an ad in the place of the last one. The caller holds the row of the user. */
export async function replaceAdSession(tx: Queries, values: typeof adSessions.$inferInsert): Promise<void> {
  await tx.delete(adSessions).where(eq(adSessions.userId, values.userId));
  await tx.insert(adSessions).values(values);
}

export async function updateAdSession(
  tx: Queries,
  userId: string,
  values: Partial<typeof adSessions.$inferInsert>,
): Promise<void> {
  await tx.update(adSessions).set(values).where(eq(adSessions.userId, userId));
}
