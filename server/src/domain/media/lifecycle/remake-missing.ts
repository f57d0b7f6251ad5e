import { MEDIA_STATUS } from '@framelift/contract';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { type AuditActor, writeAudit } from '../../../platform/audit.ts';
import { defineJob, type JobRun } from '../../../platform/jobs/job.ts';
import { startConversion } from '../convert/start-conversion.ts';
import { findMediaForUpdate, listFinishedFiles, updateMedia } from '../media.sql.ts';

const BATCH = 100;

export const remakeMissingJob = defineJob('media.remakeMissing', z.strictObject({}));

/** Enqueues a search for finished media whose cover, preview or files are lost, which are converted again. */
export async function remakeMissing(context: Context, auditActor: AuditActor): Promise<Record<string, never>> {
  await context.db.transaction(async (tx) => {
    await writeAudit(context, tx, auditActor, { action: 'media.remade' });
    await context.jobs.enqueue(tx, remakeMissingJob, {});
  });
  return {};
}

/**
 * Converts all finished media again of which a file is not in the store. Those whose upload is lost as well stay as they
 * are. A repeated run finds what is left.
 */
export async function runRemakeMissing(context: Context, _data: object, { signal }: JobRun): Promise<void> {
  const { db, storage, log } = context;
  const isStored = async (key: string) => (await storage.head(key)) !== null;
  for (let after: string | null = null; ; ) {
    const batch = await listFinishedFiles(db, after, BATCH);
    for (const { id, original, results } of batch) {
      signal.throwIfAborted();
      const lost = !results.cover || !(await areAll(Object.values(results), isStored));
      if (!lost) continue;
      if (original && (await isStored(original))) await convertAgain(context, id);
      else log.warn({ mediaId: id }, 'A media has lost files and its upload');
    }
    after = batch.at(-1)?.id ?? null;
    if (batch.length < BATCH) return;
  }
}

async function areAll<T>(values: readonly T[], test: (value: T) => Promise<boolean>): Promise<boolean> {
  for (const value of values) if (!(await test(value))) return false;
  return true;
}

async function convertAgain(context: Context, id: string): Promise<void> {
  await context.db.transaction(async (tx) => {
    const media = await findMediaForUpdate(tx, id);
    if (media?.status !== MEDIA_STATUS.finished || media.deletedAt) return;
    // Its result is lost, so an undo of a later change has to convert it again, too.
    await updateMedia(tx, id, { status: MEDIA_STATUS.processing, failureCode: null, resultRevision: null });
    await startConversion(context, tx, media, context.clock.now());
  });
  context.changes.changed(id);
}
