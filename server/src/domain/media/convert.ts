import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, type ErrorCode, isErrorCode, MEDIA_STATUS } from '@framelift/contract';
import { type ConversionResult, EngineError, type Progress } from '@framelift/engine';
import type { Context } from '../../context.ts';
import type { JobRun } from '../../jobs/job.ts';
import { deviceProfile } from '../device/device.ts';
import { type ConversionRow, claimConversion, endConversions, findConversion, updateHeld } from './conversion.sql.ts';
import { isFileFault } from './file-faults.ts';
import { stemOf } from './file-rules.ts';
import { endProcessing, findMedia, type MediaView } from './media.sql.ts';
import { insertFile, insertObjects } from './object.sql.ts';
import { reportProgress } from './progress.ts';
import { openResults, putFiles, putParts } from './results.ts';

export interface ConvertData {
  readonly conversionId: string;
}

/**
 * One try of a conversion. Its number, kept in the conversion's row, is the right to write there: a try that was
 * cancelled or overtaken by another throws its work away, so that a conversion finishes exactly once.
 */
export async function convert(context: Context, { conversionId: id }: ConvertData, run: JobRun): Promise<void> {
  const held = await claimConversion(context.db, id, context.clock.now());
  const view = held && (await findMedia(context.db, held.mediaId));
  if (!held || !view) return;
  const progress = reportProgress(context, held);
  const signal = AbortSignal.any([run.signal, progress.lost]);
  try {
    await context.work.use(async (folder) => {
      const result = await makeResult(context, view, folder, signal, progress.report);
      await keepResult(context, view, held, result);
    });
  } catch (error) {
    if (progress.lost.aborted) return;
    if (run.signal.aborted) throw error;
    const code = error instanceof EngineError || error instanceof ApiError ? error.code : 'conversionFailed';
    if (!(await updateHeld(context.db, id, held.attempts, { failureCode: code }))) return;
    if (!isFinal(error)) throw error;
    context.log.info({ conversionId: id, code, reason: String(error) }, 'A picture cannot be converted');
    await giveUp(context, { conversionId: id });
  } finally {
    progress.stop();
    context.changes.changed(held.mediaId);
  }
}

/** The limit of time is long enough that a second try would only keep others waiting. */
function isFinal(error: unknown): boolean {
  const timedOut = error instanceof EngineError && error.code === 'conversionTimedOut';
  return timedOut || isFileFault(error) || error instanceof ApiError;
}

/** @throws EngineError, ApiError `uploadMissing` */
async function makeResult(
  { storage, converter }: Context,
  { media, device }: MediaView,
  folder: string,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<ConversionResult> {
  const input = join(folder, 'original');
  const outDir = await mkdtemp(join(folder, 'results-'));
  if (!media.originalKey || !(await storage.readTo(media.originalKey, input))) throw new ApiError('uploadMissing');
  const { effect, crop } = media;
  const request = { input, outDir, effect, device: deviceProfile(device), name: stemOf(media.name), preview: true };
  return converter.run(crop ? { ...request, crop } : request, { signal, onProgress });
}

/** Stores all files, then makes them the media's in one transaction; nothing stays when this try no longer holds it. */
async function keepResult(
  context: Context,
  { media }: MediaView,
  held: ConversionRow,
  result: ConversionResult,
): Promise<void> {
  const { db, clock } = context;
  const results = openResults(context, media.ownerId);
  try {
    const files = await putFiles(context, results, media.id, result.files);
    const parts = await putParts(results, result);
    await db.transaction(async (tx) => {
      const finishedAt = clock.now();
      const done = { state: 'done', progress: 1, failureCode: null, finishedAt } as const;
      if (!(await updateHeld(tx, held.id, held.attempts, done))) return;
      await insertObjects(tx, results.objects);
      for (const file of files) await insertFile(tx, file);
      const { finished: status } = MEDIA_STATUS;
      await endProcessing(tx, media.id, { ...parts, status, finishedAt, crop: result.crop });
    });
  } finally {
    await results.tidy();
  }
}

/** Ends a conversion that will not be tried again: its media is shown as "unable to process", with the reason. */
export async function giveUp({ db, clock, changes }: Context, { conversionId: id }: ConvertData): Promise<void> {
  const conversion = await findConversion(db, id);
  if (!conversion) return;
  const failureCode: ErrorCode =
    conversion.failureCode && isErrorCode(conversion.failureCode) ? conversion.failureCode : 'conversionFailed';
  await db.transaction(async (tx) => {
    const finishedAt = clock.now();
    const ended = await endConversions(tx, { id }, { state: 'failed', failureCode, finishedAt });
    if (ended) await endProcessing(tx, conversion.mediaId, { status: MEDIA_STATUS.unable, failureCode, finishedAt });
  });
  changes.changed(conversion.mediaId);
}
