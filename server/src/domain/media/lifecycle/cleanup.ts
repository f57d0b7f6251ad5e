import { LIMITS } from '@framelift/contract';
import type { Context } from '../../../context.ts';
import { removeLeftFolders } from '../convert/convert-video.ts';
import { deletePending, listExpiredUploads, listPurgeable, purgeMedia } from '../media.sql.ts';
import { removeObject, removeUnnamed } from '../results.ts';
import { DELETE_GRACE_MS } from './lifecycle.ts';

const BATCH = 100;
const DAY_MS = 24 * 60 * 60_000;
/** An upload that began just before its link ended may still be on its way. */
const UPLOAD_GRACE_MS = LIMITS.uploadTimeoutMinutes * 60_000;
/** An object is put before the transaction that names it; none takes this long. */
const UNNAMED_GRACE_MS = 60 * 60_000;

const before = ({ clock }: Context, milliseconds: number) => new Date(clock.now().getTime() - milliseconds);

/** Removes for good what was deleted a grace ago, and guests' media when their days are over. */
export async function purge(context: Context): Promise<void> {
  const { db } = context;
  const deleted = before(context, DELETE_GRACE_MS);
  const guests = before(context, LIMITS.guest.days * DAY_MS);
  await inBatches(
    () => listPurgeable(db, deleted, guests, BATCH),
    async ({ id }) => {
      const keys = await db.transaction((tx) => purgeMedia(tx, id));
      for (const key of keys) await removeObject(context, key);
      context.changes.changed(id);
    },
  );
}

/** Removes uploads whose link ended without a finish: row and object, if any came [A9]. */
export async function expireUploads(context: Context): Promise<void> {
  const { db } = context;
  const ended = before(context, UPLOAD_GRACE_MS);
  await inBatches(
    () => listExpiredUploads(db, ended, BATCH),
    async ({ id, uploadKey }) => {
      if (!uploadKey || !(await deletePending(db, id, uploadKey))) return;
      await removeObject(context, uploadKey);
      context.changes.changed(id);
    },
  );
}

/** Removes what was left over: objects of late uploads or of a process that was killed, folders of ended videos [A10]. */
export async function reconcile(context: Context): Promise<void> {
  await removeLeftFolders(context);
  const since = before(context, UNNAMED_GRACE_MS);
  let keys: string[] = [];
  for (const prefix of ['uploads/', 'originals/', 'results/']) {
    for await (const { key, modified } of context.storage.list(prefix)) {
      if (modified > since) continue;
      keys.push(key);
      if (keys.length < BATCH) continue;
      await removeUnnamed(context, keys);
      keys = [];
    }
  }
  await removeUnnamed(context, keys);
}

async function inBatches<Row>(list: () => PromiseLike<Row[]>, remove: (row: Row) => Promise<void>): Promise<void> {
  for (let rows = await list(); rows.length > 0; rows = await list()) {
    for (const row of rows) await remove(row);
  }
}
