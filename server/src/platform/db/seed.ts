import type { Db, Tx } from './open.ts';
import { seeds } from './schema.ts';

/**
 * Inserts a seed once, in one transaction with the record of it, so that later changes by an operator are kept. Runs
 * under the lock of `migrate`, so no two processes seed at the same time.
 * @returns what `insert` returned, or null if the seed was inserted before
 */
export function seedOnce<T>(db: Db, name: string, now: Date, insert: (tx: Tx) => Promise<T>): Promise<T | null> {
  return db.transaction(async (tx) => {
    const inserted = await tx.insert(seeds).values({ name, plantedAt: now }).onConflictDoNothing().returning();
    return inserted.length > 0 ? insert(tx) : null;
  });
}
