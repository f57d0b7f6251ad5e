import { ApiError, type api, type OutputOf } from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Queries } from '../../platform/db/open.ts';
import { storedBytes } from './usage.sql.ts';

/**
 * Returns the bytes that count against a user's limit: what they have sent, and what was made from it as far as it
 * exceeds the share for results and cannot be evicted.
 */
export async function usedBytes(
  { settings }: Pick<Context, 'settings'>,
  db: Queries,
  ownerIds: readonly string[],
  except: string | null = null,
): Promise<number> {
  const { sent, lasting } = await storedBytes(db, ownerIds, except);
  return sent + Math.max(0, lasting - settings.resultBytes);
}

/** @throws ApiError `storageLimitReached` if the user may not store that many more bytes */
export async function requireRoom(
  context: Pick<Context, 'settings'>,
  db: Queries,
  ownerId: string,
  more: number,
  except: string | null = null,
): Promise<void> {
  if ((await usedBytes(context, db, [ownerId], except)) + more > context.settings.storageBytes)
    throw new ApiError('storageLimitReached');
}

/** Returns how much of their storage the caller uses, in bytes. */
export async function getUserUsage(context: Context, actor: Actor): Promise<OutputOf<typeof api.getUserUsage>> {
  const used = await usedBytes(context, context.db, [signedIn(actor).userId]);
  return { used, limit: context.settings.storageBytes };
}
