import { and, count, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { pinCodeBatches, pinCodes, users } from '../../platform/db/schema.ts';
import { afterPosition, newestFirst, type PageRequest } from '../../platform/paging.ts';

export type PinCodeBatchRow = typeof pinCodeBatches.$inferSelect;

/** Redeems a serial code. Undefined when there is none such that can be redeemed. */
export async function redeemPinCode(
  tx: Queries,
  codeHash: string,
  userId: string,
  now: Date,
): Promise<Pick<PinCodeBatchRow, 'days'> | undefined> {
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

export async function insertPinCodeBatch(
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

/** A batch with its numbers of codes and who made it. */
export interface PinCodeBatchView {
  readonly batch: PinCodeBatchRow;
  readonly count: number;
  readonly redeemed: number;
  readonly madeBy: string | null;
}

/** Newest first, those after `after`; or the one with this id. */
export function listPinCodeBatches(
  db: Queries,
  which: { readonly id: string } | PageRequest,
): Promise<PinCodeBatchView[]> {
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

/** Locks a batch until the transaction ends. */
export async function lockPinCodeBatch(tx: Queries, id: string): Promise<PinCodeBatchRow | undefined> {
  const [row] = await tx.select().from(pinCodeBatches).where(eq(pinCodeBatches.id, id)).for('update');
  return row;
}

export async function setBatchRevoked(tx: Queries, id: string, revokedAt: Date | null): Promise<void> {
  await tx.update(pinCodeBatches).set({ revokedAt }).where(eq(pinCodeBatches.id, id));
}
