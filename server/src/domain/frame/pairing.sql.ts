import { and, desc, eq, gt, inArray, lt, lte } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { framePairings, frames, pairingMisses } from '../../platform/db/schema.ts';

export type PairingRow = typeof framePairings.$inferSelect;

/** Inserts a pairing. Returns false if another frame has this code. */
export async function insertPairing(db: Queries, row: typeof framePairings.$inferInsert): Promise<boolean> {
  const rows = await db
    .insert(framePairings)
    .values(row)
    .onConflictDoNothing({ target: framePairings.userCode })
    .returning({ id: framePairings.id });
  return rows.length > 0;
}

export async function findPairingForUpdate(tx: Queries, userCode: string): Promise<PairingRow | undefined> {
  const [row] = await tx.select().from(framePairings).where(eq(framePairings.userCode, userCode)).for('update');
  return row;
}

export async function findPairingOfFrameForUpdate(
  tx: Queries,
  deviceCodeHash: string,
): Promise<PairingRow | undefined> {
  const [row] = await tx
    .select()
    .from(framePairings)
    .where(eq(framePairings.deviceCodeHash, deviceCodeHash))
    .for('update');
  return row;
}

export async function updatePairing(
  tx: Queries,
  id: string,
  values: Partial<typeof framePairings.$inferInsert>,
): Promise<void> {
  await tx.update(framePairings).set(values).where(eq(framePairings.id, id));
}

/** Deletes the pairings of one or all frames of an owner. */
export async function deletePairingsOf(tx: Queries, ownerId: string, id?: string): Promise<void> {
  const own = tx
    .select({ id: frames.id })
    .from(frames)
    .where(and(eq(frames.ownerId, ownerId), id === undefined ? undefined : eq(frames.id, id)));
  await tx.delete(framePairings).where(inArray(framePairings.frameId, own));
}

/** Returns the times of the last `limit` wrong codes of a stretch of time, newest first. */
export async function listMisses(
  tx: Queries,
  userId: string,
  [since, until]: readonly [Date, Date],
  limit: number,
): Promise<Date[]> {
  const rows = await tx
    .select({ at: pairingMisses.createdAt })
    .from(pairingMisses)
    .where(
      and(eq(pairingMisses.userId, userId), gt(pairingMisses.createdAt, since), lte(pairingMisses.createdAt, until)),
    )
    .orderBy(desc(pairingMisses.createdAt))
    .limit(limit);
  return rows.map(({ at }) => at);
}

export async function insertMiss(tx: Queries, miss: typeof pairingMisses.$inferInsert): Promise<void> {
  await tx.insert(pairingMisses).values(miss);
}

export async function deletePairingsBefore(db: Queries, before: Date): Promise<void> {
  await db.delete(framePairings).where(lt(framePairings.expiresAt, before));
  await db.delete(pairingMisses).where(lt(pairingMisses.createdAt, before));
}
