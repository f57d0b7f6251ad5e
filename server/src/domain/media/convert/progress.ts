import type { Progress } from '@framelift/engine';
import type { Context } from '../../../context.ts';
import { type ConversionRow, updateHeld } from './conversion.sql.ts';

/** Between two writes: as often as people can see. */
const REPORT_MS = 250;

function columnsOf({ step, fraction: progress, video }: Progress) {
  return video
    ? { step, progress, frame: video.frame, frames: video.frames, secondsLeft: video.secondsLeft }
    : { step, progress };
}

export interface ProgressReport {
  report(progress: Progress): void;
  /** Aborted when the row says that this try no longer holds the conversion: it was cancelled, or another try began. */
  readonly lost: AbortSignal;
  stop(): void;
}

/** Writes the newest progress of one try into its row and notifies its watchers. */
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
      // Even when nothing changed: the number of rows tells whether this try still holds the conversion.
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

/** Below this share of the work an estimate would jump about. */
const FIRST_ESTIMATE = 0.1;

/** Whole seconds until a running conversion is done, by the engine or by its pace; null while unknown. */
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
