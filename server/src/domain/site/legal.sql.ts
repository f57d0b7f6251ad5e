import type { Language, LegalKind } from '@framelift/contract';
import { and, desc, eq, isNull, lte, max } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { legalTexts, users } from '../../platform/db/schema.ts';

export type LegalRow = typeof legalTexts.$inferSelect;

const of = (kind: LegalKind, language: Language) => and(eq(legalTexts.kind, kind), eq(legalTexts.language, language));

/** Returns the version that is in force at a time: of those that are not withdrawn, the one that began last. */
export async function findLegalText(
  db: Queries,
  kind: LegalKind,
  language: Language,
  at: Date,
): Promise<LegalRow | undefined> {
  const { inForceFrom, number, withdrawnAt } = legalTexts;
  const [row] = await db
    .select()
    .from(legalTexts)
    .where(and(of(kind, language), isNull(withdrawnAt), lte(inForceFrom, at)))
    .orderBy(desc(inForceFrom), desc(number))
    .limit(1);
  return row;
}

/** Returns when versions came into force by a time, the earliest first. */
export async function listLegalStarts(db: Queries, kind: LegalKind, language: Language, at: Date): Promise<Date[]> {
  const { inForceFrom, withdrawnAt } = legalTexts;
  const rows = await db
    .selectDistinct({ inForceFrom })
    .from(legalTexts)
    .where(and(of(kind, language), isNull(withdrawnAt), lte(inForceFrom, at)))
    .orderBy(inForceFrom);
  return rows.map((row) => row.inForceFrom);
}

/** Returns all versions of a kind, the latest first, with the names of who published them. */
export function listLegalRows(db: Queries, kind: LegalKind) {
  return db
    .select({ row: legalTexts, publishedBy: users.name })
    .from(legalTexts)
    .leftJoin(users, eq(users.id, legalTexts.publishedBy))
    .where(eq(legalTexts.kind, kind))
    .orderBy(desc(legalTexts.number), desc(legalTexts.publishedAt));
}

/** Returns the number of the last version; 0 without one. */
export async function lastNumber(db: Queries, kind: LegalKind, language: Language): Promise<number> {
  const [last] = await db
    .select({ number: max(legalTexts.number) })
    .from(legalTexts)
    .where(of(kind, language));
  return last?.number ?? 0;
}

/** Adds a version; false if there is one of this number. */
export async function insertLegalText(tx: Queries, row: typeof legalTexts.$inferInsert): Promise<boolean> {
  return (await tx.insert(legalTexts).values(row).onConflictDoNothing().returning({ id: legalTexts.id })).length > 0;
}

export async function findLegalForUpdate(tx: Queries, id: string): Promise<LegalRow | undefined> {
  const [row] = await tx.select().from(legalTexts).where(eq(legalTexts.id, id)).for('update');
  return row;
}

export async function setLegalWithdrawn(tx: Queries, id: string, withdrawnAt: Date | null): Promise<void> {
  await tx.update(legalTexts).set({ withdrawnAt }).where(eq(legalTexts.id, id));
}
