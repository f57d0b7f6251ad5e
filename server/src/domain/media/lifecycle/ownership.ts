import type { Context } from '../../../context.ts';
import { cancelConversions } from '../edit/revisions.ts';
import { findMediaForUpdate, purgeMedia } from '../media.sql.ts';
import { deleteObjects } from '../results.ts';
import { deleteUpload } from '../upload/parts.ts';
import { deleteObjectsOf, listConvertingOf, listMediaOf } from './ownership.sql.ts';

/** Deletes all media of a user with their files, without a grace period. */
export async function removeMediaOf(context: Context, ownerId: string): Promise<void> {
  const { db } = context;
  for (const { id, uploadKey } of await listMediaOf(db, ownerId)) {
    const orphans = await db.transaction((tx) => purgeMedia(tx, id));
    await deleteObjects(context, orphans);
    if (uploadKey) await deleteUpload(context, uploadKey);
    context.changes.changed(id);
  }
  // Results that were stored for a media that was deleted before its conversion completed.
  await deleteObjects(context, await deleteObjectsOf(db, ownerId));
}

/** Cancels all active conversions of a user; finished results are kept. */
export async function cancelConversionsOf(context: Context, ownerId: string): Promise<void> {
  const { db } = context;
  for (const { id } of await listConvertingOf(db, ownerId)) {
    await db.transaction(async (tx) => {
      const media = await findMediaForUpdate(tx, id);
      if (media) await cancelConversions(context, tx, media);
    });
    context.changes.changed(id);
  }
}
