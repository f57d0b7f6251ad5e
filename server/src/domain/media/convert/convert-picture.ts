import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '@framelift/contract';
import type { PictureResult } from '@framelift/engine';
import type { Context } from '../../../context.ts';
import type { JobRun } from '../../../platform/jobs/job.ts';
import { updateRevision } from '../edit/revision.sql.ts';
import { addConversion, storeResults } from '../results.ts';
import { type Attempt, attempt, type ConvertData, complete, replaceResults } from './attempt.ts';
import { storedDepth, toEngineRequest } from './engine-request.ts';

/**
 * Runs one attempt of converting a picture.
 * @param isGuest in the processes of guests
 */
export function convertPicture(context: Context, data: ConvertData, run: JobRun, isGuest: boolean): Promise<void> {
  return attempt(context, data, run, (own) =>
    context.tempDirs.use(async (folder) => storeResult(context, own, await makeResult(context, own, folder, isGuest))),
  );
}

/** @throws EngineError, ApiError `uploadMissing` */
async function makeResult(
  { storage, converter }: Context,
  { view, signal, onProgress }: Attempt,
  folder: string,
  isGuest: boolean,
): Promise<PictureResult> {
  const input = join(folder, 'original');
  const outDir = await mkdtemp(join(folder, 'results-'));
  const { original } = view.keys;
  if (!original || !(await storage.readTo(original, input))) throw new ApiError('uploadMissing');
  const stored = storedDepth(view);
  const path = join(folder, 'depth');
  const reused = stored && (await storage.readTo(stored.key, path)) ? { path, source: stored.source } : null;
  const request = { ...toEngineRequest(view), input, outDir, preview: true };
  const options = { isGuest, signal, onProgress };
  return converter.convert(reused ? { ...request, depth: reused } : request, options);
}

/**
 * Stores all files, then assigns them to the media in one transaction, unless this attempt no longer holds its
 * conversion.
 */
function storeResult(context: Context, own: Attempt, result: PictureResult): Promise<void> {
  const { id, revision } = own.view.media;
  return storeResults(context, async (results) => {
    await addConversion(results, result);
    const { crop, comfort, depthFile, depthSource } = result;
    // What was found stays, so that a new name of the file changes nothing.
    const pair = own.view.media.pair ?? result.pair;
    // A reused depth map keeps its object.
    const isNew = depthFile !== null && storedDepth(own.view) === null;
    if (isNew) await results.add({ role: 'depthMap', variant: String(revision) }, depthFile, 'image/png');
    await complete(context, own, async (tx, media, finishedAt) => {
      const depth = isNew ? { depthSource } : {};
      const aboutDepth = isNew ? [] : media.notes.filter((note) => note === 'depthIncomplete');
      const notes = [...result.notes, ...aboutDepth];
      const orphans = await replaceResults(tx, media, results, { ...depth, crop, pair, comfort, notes, finishedAt });
      await updateRevision(tx, id, revision, { ...depth, pair });
      return orphans;
    });
  });
}
