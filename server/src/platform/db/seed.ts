import type { Db, Tx } from './open.ts';
import { seeds } from './schema.ts';

/**
 * Inserts a seed the first time it is met, in one transaction with the note that it was: what an operator later changes
 * or removes stays so. Runs under the lock of `migrate`, so no two processes seed together.
 * @returns what `insert` returned, or null when the seed was inserted before
 */
export function seedOnce<T>(db: Db, name: string, now: Date, insert: (tx: Tx) => Promise<T>): Promise<T | null> {
  return db.transaction(async (tx) => {
    const inserted = await tx.insert(seeds).values({ name, plantedAt: now }).onConflictDoNothing().returning();
    return inserted.length > 0 ? insert(tx) : null;
  });
}
