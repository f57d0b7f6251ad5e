import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { transferOwnership } from '../media/lifecycle/ownership.sql.ts';
import { lockOwner } from '../media/media.sql.ts';
import { storageLimitOf, usedBytes } from '../media/usage.ts';
import { notifyOfGuestUploads } from '../notification/notify.ts';
import { type UserRow, updateUser } from '../user/user.sql.ts';

/**
 * Gives a member the uploads of a guest. If the member's storage has no room for all of them, they stay the guest's, who
 * keeps them as long as every guest; the member is notified, and gets them at a later login once there is room.
 * @returns keys of orphaned objects; pass them to `deleteObjects` after the transaction
 */
export async function moveIn(
  context: Context,
  tx: Tx,
  member: Pick<UserRow, 'id' | 'claimedGuestId'>,
  guestId: string,
): Promise<string[]> {
  const both = [guestId, member.id].sort();
  for (const id of both) await lockOwner(tx, id);
  const guests = await usedBytes(context, tx, [guestId]);
  const fits = guests === 0 || (await usedBytes(context, tx, both)) <= (await storageLimitOf(context, tx, member.id));
  if (fits) {
    await updateUser(tx, member.id, { claimedGuestId: null });
    return transferOwnership(tx, guestId, member.id);
  }
  // Told once, not at every login.
  if (member.claimedGuestId !== guestId) await notifyOfGuestUploads(context, tx, member.id);
  await updateUser(tx, member.id, { claimedGuestId: guestId });
  return [];
}
