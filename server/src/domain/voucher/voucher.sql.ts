import { and, count, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { pinCodeBatches, pinCodes, users } from '../../platform/db/schema.ts';
import { afterPosition, newestFirst, type PageRequest } from '../../platform/paging.ts';

export type BatchRow = typeof pinCodeBatches.$inferSelect;

/** Redeems a serial code. Returns undefined if it is unknown, used, revoked or expired. */
export async function redeemCode(
  tx: Queries,
  codeHash: string,
  userId: string,
  now: Date,
): Promise<Pick<BatchRow, 'days'> | undefined> {
  const [row] = await tx
    .update(pinCodes)
    .set({ redeemedAt: now, redeemedBy: userId })
    .from(pinCodeBatches)
    .where(
      and(
        eq(pinCodes.codeHash, codeHash),
        eq(pinCodeBatches.id, pinCodes.batchId),
        isNull(pinCodes.redeemedAt),
        isNull(pinCodeBatches.revokedAt),
        or(isNull(pinCodeBatches.expiresAt), gt(pinCodeBatches.expiresAt, now)),
      ),
    )
    .returning({ days: pinCodeBatches.days });
  return row;
}

/** Returns whether a user has redeemed this code. */
export async function hasRedeemed(db: Queries, codeHash: string, userId: string): Promise<boolean> {
  return (await db.$count(pinCodes, and(eq(pinCodes.codeHash, codeHash), eq(pinCodes.redeemedBy, userId)))) > 0;
}

export async function insertBatch(
  tx: Queries,
  batch: typeof pinCodeBatches.$inferInsert,
  codeHashes: readonly string[],
): Promise<void> {
  await tx.insert(pinCodeBatches).values(batch);
  await tx.insert(pinCodes).values(codeHashes.map((codeHash) => ({ codeHash, batchId: batch.id })));
}

export function listRedeemed(db: Queries, userId: string) {
  return db
    .select({ note: pinCodeBatches.name, days: pinCodeBatches.days, redeemedAt: pinCodes.redeemedAt })
    .from(pinCodes)
    .innerJoin(pinCodeBatches, eq(pinCodeBatches.id, pinCodes.batchId))
    .where(eq(pinCodes.redeemedBy, userId));
}

export interface BatchView {
  readonly batch: BatchRow;
  readonly count: number;
  readonly redeemed: number;
  readonly madeBy: string | null;
}

/** Returns a page of batches, newest first, or the batch with this id. */
export function listBatchRows(db: Queries, which: { readonly id: string } | PageRequest): Promise<BatchView[]> {
  const { id, createdAt } = pinCodeBatches;
  const after = 'after' in which ? which.after : null;
  return db
    .select({
      batch: pinCodeBatches,
      count: count(pinCodes.codeHash),
      redeemed: sql<number>`count(${pinCodes.redeemedAt})`.mapWith(Number),
      madeBy: users.name,
    })
    .from(pinCodeBatches)
    .leftJoin(pinCodes, eq(pinCodes.batchId, id))
    .leftJoin(users, eq(users.id, pinCodeBatches.createdBy))
    .where(and('id' in which ? eq(id, which.id) : undefined, afterPosition(after, createdAt, id)))
    .groupBy(id, users.id)
    .orderBy(...newestFirst(createdAt, id))
    .limit('limit' in which ? which.limit : 1);
}

export async function findBatchForUpdate(tx: Queries, id: string): Promise<BatchRow | undefined> {
  const [row] = await tx.select().from(pinCodeBatches).where(eq(pinCodeBatches.id, id)).for('update');
  return row;
}

export async function setBatchRevoked(tx: Queries, id: string, revokedAt: Date | null): Promise<void> {
  await tx.update(pinCodeBatches).set({ revokedAt }).where(eq(pinCodeBatches.id, id));
}
