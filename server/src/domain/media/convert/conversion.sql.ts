import { and, count, desc, eq, gte, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import type { Queries } from '../../../platform/db/open.ts';
import { conversions } from '../../../platform/db/schema.ts';

export type ConversionRow = typeof conversions.$inferSelect;

const ACTIVE = ['waiting', 'running'] as const;

/** Returns the newest conversion of each media, without those of additional formats. */
export function newestConversions(db: Queries, mediaIds: readonly string[]): Promise<ConversionRow[]> {
  return db
    .selectDistinctOn([conversions.mediaId])
    .from(conversions)
    .where(and(inArray(conversions.mediaId, [...mediaIds]), isNull(conversions.format)))
    .orderBy(conversions.mediaId, desc(conversions.createdAt), desc(conversions.id));
}

/** Returns the newest conversion of each additional format. */
export function newestFormats(db: Queries, mediaId: string): Promise<ConversionRow[]> {
  return newestFormatsOf(db, [mediaId]);
}

/** Returns the newest conversion of each additional format of several media. */
export function newestFormatsOf(db: Queries, mediaIds: readonly string[]): Promise<ConversionRow[]> {
  return db
    .selectDistinctOn([conversions.mediaId, conversions.format])
    .from(conversions)
    .where(and(inArray(conversions.mediaId, [...mediaIds]), isNotNull(conversions.format)))
    .orderBy(conversions.mediaId, conversions.format, desc(conversions.createdAt), desc(conversions.id));
}

/** Returns the number of waiting and running conversions of all members. */
export async function countActiveConversions(db: Queries): Promise<{ waiting: number; running: number }> {
  const rows = await db
    .select({ state: conversions.state, count: count() })
    .from(conversions)
    .where(inArray(conversions.state, ACTIVE))
    .groupBy(conversions.state);
  const of = (state: string) => rows.find((row) => row.state === state)?.count ?? 0;
  return { waiting: of('waiting'), running: of('running') };
}

/** Returns those conversions that have not ended. */
export async function filterActiveConversions(db: Queries, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .select({ id: conversions.id })
    .from(conversions)
    .where(and(inArray(conversions.id, [...ids]), inArray(conversions.state, ACTIVE)));
  return new Set(rows.map(({ id }) => id));
}

/** Returns whether a conversion of a media, other than to an additional format, has ever completed. */
export async function hasCompleted(db: Queries, mediaId: string): Promise<boolean> {
  const isDone = and(eq(conversions.mediaId, mediaId), isNull(conversions.format), eq(conversions.state, 'done'));
  return (await db.$count(conversions, isDone)) > 0;
}

/** Returns whether a conversion of a media was cancelled while it ran: this one, or one after it. */
export async function wasCancelledInWork(db: Queries, mediaId: string, since: string): Promise<boolean> {
  const first = db.select({ createdAt: conversions.createdAt }).from(conversions).where(eq(conversions.id, since));
  const isCancelled = and(eq(conversions.state, 'cancelled'), ne(conversions.step, 'waiting'));
  const isSince = and(eq(conversions.mediaId, mediaId), isNull(conversions.format), gte(conversions.createdAt, first));
  return (await db.$count(conversions, and(isCancelled, isSince))) > 0;
}

export async function insertConversion(tx: Queries, values: typeof conversions.$inferInsert): Promise<void> {
  await tx.insert(conversions).values(values);
}

export async function findConversion(db: Queries, id: string): Promise<ConversionRow | undefined> {
  const [row] = await db.select().from(conversions).where(eq(conversions.id, id));
  return row;
}

/**
 * Begins an attempt. Returns undefined if the conversion has ended. The incremented attempt number fences off older
 * attempts.
 */
export async function claimConversion(db: Queries, id: string, now: Date): Promise<ConversionRow | undefined> {
  const [row] = await db
    .update(conversions)
    .set({
      state: 'running',
      step: 'open',
      progress: 0,
      frame: null,
      secondsLeft: null,
      failureCode: null,
      startedAt: now,
      attempts: sql`${conversions.attempts} + 1`,
    })
    .where(and(eq(conversions.id, id), inArray(conversions.state, ACTIVE)))
    .returning();
  return row;
}

const heldBy = (id: string, attempt: number) =>
  and(eq(conversions.id, id), eq(conversions.state, 'running'), eq(conversions.attempts, attempt));

/** Updates a conversion. Returns false if this attempt no longer holds it: it was cancelled or superseded. */
export async function updateHeld(
  db: Queries,
  id: string,
  attempt: number,
  values: Partial<typeof conversions.$inferInsert>,
): Promise<boolean> {
  const rows = await db.update(conversions).set(values).where(heldBy(id, attempt)).returning({ id: conversions.id });
  return rows.length > 0;
}

/** Ends one conversion, or all active ones of a media. Returns those that were active. */
export async function endConversions(
  tx: Queries,
  which: { readonly id: string } | { readonly mediaId: string },
  values: Pick<ConversionRow, 'state' | 'failureCode' | 'finishedAt'>,
): Promise<ConversionRow[]> {
  const whose = 'id' in which ? eq(conversions.id, which.id) : eq(conversions.mediaId, which.mediaId);
  return tx
    .update(conversions)
    .set(values)
    .where(and(whose, inArray(conversions.state, ACTIVE)))
    .returning();
}
