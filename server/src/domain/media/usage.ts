import { ApiError, type api, type OutputOf } from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Queries } from '../../platform/db/open.ts';
import { getStorageDefault } from '../site/storage-default.ts';
import { findCurrentPlan, findCurrentPlans } from '../user/current-plan.sql.ts';
import { findUser } from '../user/user.sql.ts';
import { storedBytes, storedBytesOfEach } from './usage.sql.ts';

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
  return counted(settings, await storedBytes(db, ownerIds, except));
}

function counted(
  { resultBytes }: Pick<Context['settings'], 'resultBytes'>,
  { sent, lasting }: { readonly sent: number; readonly lasting: number },
): number {
  return sent + Math.max(0, lasting - resultBytes);
}

/** Returns what each of several users uses of their limit, in bytes, by id. */
export async function usageOfEach(
  context: Pick<Context, 'settings' | 'clock'>,
  db: Queries,
  users: readonly { readonly id: string; readonly ownLimit: number | null }[],
): Promise<Map<string, { readonly used: number; readonly limit: number }>> {
  const ids = users.map(({ id }) => id);
  const stored = await storedBytesOfEach(db, ids);
  const all = await getStorageDefault(context, db);
  const plans = await findCurrentPlans(db, ids, context.clock.now());
  return new Map(
    users.map(({ id, ownLimit }) => [
      id,
      {
        used: counted(context.settings, stored.get(id) ?? { sent: 0, lasting: 0 }),
        limit: Math.max(ownLimit ?? all, plans.get(id)?.storageBytes ?? 0),
      },
    ]),
  );
}

/** Returns the bytes that a user may store: their own limit, or that of all, or what their plan raises it to. */
export async function storageLimitOf(
  context: Pick<Context, 'settings' | 'clock'>,
  db: Queries,
  ownerId: string,
): Promise<number> {
  const limit = (await findUser(db, ownerId))?.storageLimit ?? (await getStorageDefault(context, db));
  const plan = await findCurrentPlan(db, ownerId, context.clock.now());
  return Math.max(limit, plan?.storageBytes ?? 0);
}

/** @throws ApiError `storageLimitReached` if the user may not store that many more bytes */
export async function requireRoom(
  context: Pick<Context, 'settings' | 'clock'>,
  db: Queries,
  ownerId: string,
  more: number,
  except: string | null = null,
): Promise<void> {
  const used = await usedBytes(context, db, [ownerId], except);
  if (used + more > (await storageLimitOf(context, db, ownerId))) throw new ApiError('storageLimitReached');
}

/** Returns how much of their storage the caller uses, in bytes. */
export async function getUserUsage(context: Context, actor: Actor): Promise<OutputOf<typeof api.getUserUsage>> {
  const { userId } = signedIn(actor);
  const used = await usedBytes(context, context.db, [userId]);
  return { used, limit: await storageLimitOf(context, context.db, userId) };
}
