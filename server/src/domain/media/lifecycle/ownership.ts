import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/open.ts';
import { moveOrders } from '../../order/upload-orders.ts';
import { cancelConversions } from '../edit/revisions.ts';
import { lockMedia, purgeMedia } from '../media.sql.ts';
import { removeObject } from '../results.ts';
import { deleteObjectsOf, exportMedia, listConvertingOf, listMediaOf, moveOwner } from './ownership.sql.ts';

/**
 * Makes everything that one user has sent another's, uploads on their way and conversions at work included.
 * @returns keys of objects that are named no more: both had sent the same bytes
 */
export async function moveUploads(tx: Tx, fromId: string, toId: string): Promise<string[]> {
  const unused = await moveOwner(tx, fromId, toId);
  await moveOrders(tx, fromId, toId);
  return unused;
}

/** Deletes objects that no row names any more, after the transaction that let go of them. */
export async function forgetObjects(context: Context, keys: readonly string[]): Promise<void> {
  for (const key of keys) await removeObject(context, key);
}

/** Removes every media of a user with all its files, at once. */
export async function removeMediaOf(context: Context, ownerId: string): Promise<void> {
  const { db } = context;
  for (const { id, uploadKey } of await listMediaOf(db, ownerId)) {
    await forgetObjects(context, await db.transaction((tx) => purgeMedia(tx, id)));
    if (uploadKey) await removeObject(context, uploadKey);
    context.changes.changed(id);
  }
  // What a piece of work stored for a media that was gone when it ended.
  await forgetObjects(context, await deleteObjectsOf(db, ownerId));
}

/** Stops everything that waits or runs for a user; what is there stays. */
export async function cancelConversionsOf(context: Context, ownerId: string): Promise<void> {
  const { db } = context;
  for (const { id } of await listConvertingOf(db, ownerId)) {
    await db.transaction(async (tx) => {
      const media = await lockMedia(tx, id);
      if (media) await cancelConversions(context, tx, media);
    });
    context.changes.changed(id);
  }
}

/** What we keep of a member's pictures and videos, and where the originals lie. */
export function mediaForExport(context: Context, ownerId: string): ReturnType<typeof exportMedia> {
  return exportMedia(context.db, ownerId);
}
