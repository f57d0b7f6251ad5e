import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, MEDIA_STATUS } from '@framelift/contract';
import type { PictureResult } from '@framelift/engine';
import type { Context } from '../../../context.ts';
import type { JobRun } from '../../../platform/jobs/job.ts';
import { setRevisionDepth } from '../edit/revision.sql.ts';
import { endProcessing, resultKeys } from '../media.sql.ts';
import { deleteFiles, deleteUnnamed, insertFile, insertObjects } from '../object.sql.ts';
import { openResults, putFiles, putParts } from '../results.ts';
import { type Attempt, attempt, type ConvertData, finish } from './attempt.ts';
import { engineTerms, storedDepth } from './engine-request.ts';

/** One try of converting a picture. */
export function convert(context: Context, data: ConvertData, run: JobRun): Promise<void> {
  return attempt(context, data, run, (own) =>
    context.work.use(async (folder) => keepResult(context, own, await makeResult(context, own, folder))),
  );
}

/** @throws EngineError, ApiError `uploadMissing` */
async function makeResult(
  { storage, converter }: Context,
  { view, signal, onProgress }: Attempt,
  folder: string,
): Promise<PictureResult> {
  const input = join(folder, 'original');
  const outDir = await mkdtemp(join(folder, 'results-'));
  const { originalKey } = view.media;
  if (!originalKey || !(await storage.readTo(originalKey, input))) throw new ApiError('uploadMissing');
  const stored = storedDepth(view);
  const path = join(folder, 'depth');
  const reused = stored && (await storage.readTo(stored.key, path)) ? { path, source: stored.source } : null;
  const request = { ...engineTerms(view), input, outDir, preview: true };
  return converter.convert(reused ? { ...request, depth: reused } : request, { signal, onProgress });
}

/**
 * Stores all files, then makes them the media's in one transaction, in the place of those that it had; nothing stays when
 * this try no longer holds its conversion.
 */
async function keepResult(context: Context, own: Attempt, result: PictureResult): Promise<void> {
  const { media } = own.view;
  const results = openResults(context);
  try {
    const files = await putFiles(context, results, media.id, result.files);
    const { depthFile, depthSource } = result;
    // One that was used again stays the object that it is.
    const isNew = depthFile !== null && storedDepth(own.view) === null;
    const depth = isNew ? { depthKey: await results.put(depthFile, 'image/png'), depthSource } : {};
    const parts = await putParts(results, result);
    await finish(context, own, async (tx, before, finishedAt) => {
      await insertObjects(tx, before.ownerId, results.objects);
      const old = [...resultKeys(before), ...(await deleteFiles(tx, media.id))];
      for (const file of files) await insertFile(tx, file);
      const { revision } = before;
      const shown = { status: MEDIA_STATUS.finished, finishedAt, crop: result.crop, resultRevision: revision };
      await endProcessing(tx, media.id, { ...parts, ...depth, ...shown });
      if (depth.depthKey) await setRevisionDepth(tx, media.id, revision, depth);
      return deleteUnnamed(tx, old);
    });
  } finally {
    await results.tidy();
  }
}
