import type { Progress } from '@framelift/engine';
import type { Context } from '../../../context.ts';
import { type ConversionRow, updateHeld } from './conversion.sql.ts';

/** Interval between writes, as often as people can perceive. */
const REPORT_MS = 250;

function columnsOf({ step, fraction: progress, video }: Progress) {
  return video
    ? { step, progress, frame: video.frame, frames: video.frames, secondsLeft: video.secondsLeft }
    : { step, progress };
}

export interface ProgressReport {
  report(progress: Progress): void;
  /** Aborted when this attempt no longer holds the conversion: it was cancelled or superseded. */
  readonly lost: AbortSignal;
  stop(): void;
}

/** Periodically writes the newest progress of one attempt to its row and notifies its watchers. */
export function reportProgress(
  context: Context,
  { id, mediaId, attempts }: Pick<ConversionRow, 'id' | 'mediaId' | 'attempts'>,
): ProgressReport {
  const lost = new AbortController();
  let newest: Progress = { step: 'open', fraction: 0 };
  let written: Progress | null = null;
  let writing = false;

  const write = async (): Promise<void> => {
    if (writing) return;
    writing = true;
    const now = newest;
    try {
      // Even without a change: the number of updated rows shows whether this attempt still holds the conversion.
      const held = await updateHeld(context.db, id, attempts, columnsOf(now));
      if (!held) lost.abort();
      else if (written !== now) context.changes.changed(mediaId);
      written = now;
    } catch (error) {
      context.log.warn({ err: error, conversionId: id }, 'The progress of a conversion could not be written');
    } finally {
      writing = false;
    }
  };
  const timer = setInterval(write, REPORT_MS);
  return {
    report(progress) {
      newest = progress;
    },
    lost: lost.signal,
    stop: () => clearInterval(timer),
  };
}

/** Below this fraction of the work an estimate would fluctuate too much. */
const FIRST_ESTIMATE = 0.1;

/**
 * Returns the whole seconds until a running conversion is done, from the engine or extrapolated; null while unknown.
 */
export function secondsLeft(
  { state, startedAt, progress, secondsLeft: told }: ConversionRow,
  now: Date,
): number | null {
  if (state !== 'running') return null;
  if (told !== null) return Math.max(0, Math.ceil(told));
  if (!startedAt || progress < FIRST_ESTIMATE) return null;
  const elapsed = (now.getTime() - startedAt.getTime()) / 1000;
  return Math.max(0, Math.ceil((elapsed * (1 - progress)) / progress));
}
