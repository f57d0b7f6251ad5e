import type { Db, Tx } from './open.ts';
import { seeds } from './schema.ts';

/**
 * Plants a seed the first time it is met, in one transaction with the note that it was: what an operator later changes
 * or removes stays so. Runs under the lock of `migrate`, so no two processes plant together.
 * @returns what `plant` made, or null when it was planted before
 */
export function plantOnce<T>(db: Db, name: string, now: Date, plant: (tx: Tx) => Promise<T>): Promise<T | null> {
  return db.transaction(async (tx) => {
    const planted = await tx.insert(seeds).values({ name, plantedAt: now }).onConflictDoNothing().returning();
    return planted.length > 0 ? plant(tx) : null;
  });
}
