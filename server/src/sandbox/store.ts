import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { Db } from '../platform/db/open.ts';
import { sandboxState } from '../platform/db/schema.ts';

/** The memory of a local stand-in for a provider. */
export interface SandboxStore<State> {
  /**
   * Runs `edit` on the current state, alone among all processes, saves what it changed, and returns its result. Nothing
   * is saved if it throws. The state is one JSON document, so that it may hold no dates, maps or `\u0000`.
   */
  change<T>(edit: (state: State) => T): Promise<T>;
  /** Returns the current state, without waiting for a change in progress. */
  read(): Promise<State>;
}

/**
 * Opens the store of one provider in the database, where it survives restarts and is common to all processes. `schema`
 * must accept `{}`, which is the first state.
 */
export function openSandboxStore<State>(db: Db, provider: string, schema: z.ZodType<State>): SandboxStore<State> {
  const isOwn = eq(sandboxState.provider, provider);
  return {
    change: (edit) =>
      db.transaction(async (tx) => {
        await tx.insert(sandboxState).values({ provider, state: {} }).onConflictDoNothing();
        const [row] = await tx.select().from(sandboxState).where(isOwn).for('update');
        const state = schema.parse(row?.state ?? {});
        const result = edit(state);
        await tx.update(sandboxState).set({ state }).where(isOwn);
        return result;
      }),
    async read() {
      const [row] = await db.select().from(sandboxState).where(isOwn);
      return schema.parse(row?.state ?? {});
    },
  };
}
