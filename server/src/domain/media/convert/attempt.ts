import { ApiError, type ErrorCode, isErrorCode, MEDIA_STATUS } from '@framelift/contract';
import { EngineError, type Progress } from '@framelift/engine';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/open.ts';
import { RESULT_ASSETS } from '../../../platform/db/schema.ts';
import type { JobRun } from '../../../platform/jobs/job.ts';
import { isInterruption, isPassingTrouble } from '../../../platform/passing-trouble.ts';
import { isServerFull } from '../../../platform/server-full.ts';
import { notifyOfEnd } from '../../notification/notify.ts';
import { reportFullServer } from '../../notification/room-watch.ts';
import { deleteAssets, deleteOrphans } from '../asset.sql.ts';
import { isFileFault } from '../engine-errors.ts';
import { endProcessing, findMedia, findMediaForUpdate, type MediaRow, type MediaView } from '../media.sql.ts';
import { deleteObjects, type Results } from '../results.ts';
import { type ConversionRow, claimConversion, endConversions, findConversion, updateHeld } from './conversion.sql.ts';
import { returnPayment } from './payment.ts';
import { reportProgress } from './progress.ts';

export interface ConvertData {
  readonly conversionId: string;
}

/** One attempt of a conversion. */
export interface Attempt {
  readonly held: ConversionRow;
  readonly view: MediaView;
  /** Aborted when the process stops, or when this attempt no longer holds the conversion. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/**
 * Runs one attempt of a conversion. Only the attempt whose number is in the row of the conversion may write to it: a
 * cancelled or superseded one discards its work, so that a conversion completes exactly once.
 * @throws errors that a retry may avoid
 */
export async function attempt(
  context: Context,
  { conversionId: id }: ConvertData,
  run: JobRun,
  work: (attempt: Attempt) => Promise<void>,
): Promise<void> {
  const held = await claimConversion(context.db, id, context.clock.now());
  const view = held && (await findMedia(context.db, held.mediaId));
  if (!held || !view) return;
  const progress = reportProgress(context, held);
  const signal = AbortSignal.any([run.signal, progress.lost]);
  try {
    await work({ held, view, signal, onProgress: progress.report });
  } catch (error) {
    if (progress.lost.aborted) return;
    if (run.signal.aborted) throw error;
    if (isServerFull(error)) reportFullServer(context);
    const code = codeOf(error);
    const again = isFinal(error) ? {} : ({ state: 'waiting', step: 'waiting' } as const);
    if (!(await updateHeld(context.db, id, held.attempts, { failureCode: code, ...again }))) return;
    if (!isFinal(error)) throw error;
    context.log.info({ conversionId: id, code, reason: String(error) }, 'An upload cannot be converted');
    await fail(context, { conversionId: id });
  } finally {
    progress.stop();
    context.changes.changed(held.mediaId);
  }
}

/** Returns whether an error is the server's fault: the conversion is tried again until it has passed. */
function isOurFault(error: unknown): boolean {
  return isPassingTrouble(error) || isInterruption(error);
}

function codeOf(error: unknown): ErrorCode {
  if (isOurFault(error)) return 'conversionDelayed';
  return error instanceof EngineError || error instanceof ApiError ? error.code : 'conversionFailed';
}

/**
 * Returns whether a retry is pointless. The time limit is generous, so a retry after a timeout would only delay others.
 */
function isFinal(error: unknown): boolean {
  if (isOurFault(error)) return false;
  const timedOut = error instanceof EngineError && error.code === 'conversionTimedOut';
  return timedOut || isFileFault(error) || error instanceof ApiError;
}

/**
 * Records that an attempt is done and runs `record` to write its result, unless the attempt no longer holds its
 * conversion.
 * @param record returns the keys of objects that are now orphaned
 */
export async function complete(
  context: Context,
  { held, view }: Attempt,
  record: (tx: Tx, media: MediaRow, finishedAt: Date) => Promise<readonly string[]>,
): Promise<void> {
  const orphans = await context.db.transaction(async (tx) => {
    // Locked first, as in every transaction that changes both: another order could deadlock.
    const media = await findMediaForUpdate(tx, view.media.id);
    const finishedAt = context.clock.now();
    const done = { state: 'done', progress: 1, failureCode: null, finishedAt } as const;
    if (!media || !(await updateHeld(tx, held.id, held.attempts, done))) return [];
    // A flat picture is ready while its owner looks on.
    if (media.effect > 0 && !media.copyOf)
      await notifyOfEnd(context, tx, { media, format: held.format, failure: null });
    return record(tx, media, finishedAt);
  });
  await deleteObjects(context, orphans);
}

/** Finishes a media with the files of its current revision. Returns the keys of objects that are now orphaned. */
export async function replaceResults(
  tx: Tx,
  media: MediaRow,
  results: Results,
  values: Parameters<typeof endProcessing>[2],
): Promise<string[]> {
  const old = await deleteAssets(tx, media.id, RESULT_ASSETS);
  await results.save(tx, media);
  await endProcessing(tx, media.id, { ...values, status: MEDIA_STATUS.finished, resultRevision: media.revision });
  return deleteOrphans(tx, old);
}

/** Ends a conversion without another retry: its media becomes "unable to process", with the reason. */
export async function fail(context: Context, { conversionId: id }: ConvertData): Promise<void> {
  const { db, clock, changes } = context;
  const conversion = await findConversion(db, id);
  if (!conversion) return;
  const { mediaId, format } = conversion;
  // Without a reason of its own, each of its attempts was killed.
  const { failureCode: code } = conversion;
  const isReason = code !== null && isErrorCode(code) && code !== 'conversionDelayed';
  const failureCode: ErrorCode = isReason ? code : 'conversionInterrupted';
  await db.transaction(async (tx) => {
    const media = await findMediaForUpdate(tx, mediaId);
    const finishedAt = clock.now();
    const ended = await endConversions(tx, { id }, { state: 'failed', failureCode, finishedAt });
    if (ended.length === 0 || !media) return;
    if (!media.copyOf) await notifyOfEnd(context, tx, { media, format, failure: failureCode });
    // An additional format that fails leaves the finished video unchanged.
    if (format) return;
    await endProcessing(tx, mediaId, { status: MEDIA_STATUS.unable, failureCode, finishedAt });
    await returnPayment(context, tx, media, 'failed');
  });
  changes.changed(mediaId);
}
