import { LIMITS } from '@framelift/contract';
import type { Context } from '../../../context.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/time.ts';
import { removeLeftFolders } from '../convert/convert-video.ts';
import { deletePending, listExpiredUploads, listPurgeable, purgeMedia } from '../media.sql.ts';
import { deleteObjects, deleteOrphanedObjects } from '../results.ts';
import { deleteUpload } from '../upload/parts.ts';
import { DELETE_GRACE_MS } from './lifecycle.ts';

const BATCH = 100;
/** An upload that began just before its link expired may still be in progress. */
const UPLOAD_GRACE_MS = LIMITS.uploadTimeoutMinutes * MINUTE_MS;
/**
 * An object is stored before the transaction that refers to it, and an upload in progress grows every few minutes
 * (`SLOWEST`); neither takes this long.
 */
const ORPHAN_GRACE_MS = HOUR_MS;

const before = ({ clock }: Context, milliseconds: number) => new Date(clock.now().getTime() - milliseconds);

/** Purges deleted media after their grace period, and guests' media after their retention time. */
export async function purge(context: Context): Promise<void> {
  const { db } = context;
  const deleted = before(context, DELETE_GRACE_MS);
  const guests = before(context, LIMITS.guest.days * DAY_MS);
  await inBatches(
    () => listPurgeable(db, deleted, guests, BATCH),
    async ({ id }) => {
      await deleteObjects(context, await db.transaction((tx) => purgeMedia(tx, id)));
      context.changes.changed(id);
    },
  );
}

/** Deletes uploads whose link expired before they were finished: the row, and the object if there is one [A9]. */
export async function expireUploads(context: Context): Promise<void> {
  const { db } = context;
  const ended = before(context, UPLOAD_GRACE_MS);
  await inBatches(
    () => listExpiredUploads(db, ended, BATCH),
    async ({ id, uploadKey }) => {
      if (!uploadKey || !(await deletePending(db, id, uploadKey))) return;
      await deleteUpload(context, uploadKey);
      context.changes.changed(id);
    },
  );
}

/**
 * Deletes leftovers: orphaned objects of late uploads, what killed processes were writing, their temporary folders, and
 * folders of ended video conversions [A10].
 */
export async function reconcile(context: Context): Promise<void> {
  await removeLeftFolders(context);
  await context.tempDirs.removeLeft();
  const since = before(context, ORPHAN_GRACE_MS);
  await context.storage.removeUnfinished(since);
  let keys: string[] = [];
  for (const prefix of ['uploads/', 'originals/', 'results/']) {
    for await (const { key, modified } of context.storage.list(prefix)) {
      if (modified > since) continue;
      keys.push(key);
      if (keys.length < BATCH) continue;
      await deleteOrphanedObjects(context, keys);
      keys = [];
    }
  }
  await deleteOrphanedObjects(context, keys);
}

async function inBatches<Row>(list: () => PromiseLike<Row[]>, remove: (row: Row) => Promise<void>): Promise<void> {
  for (let rows = await list(); rows.length > 0; rows = await list()) {
    for (const row of rows) await remove(row);
  }
}
