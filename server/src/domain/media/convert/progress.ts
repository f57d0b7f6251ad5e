import type { Progress } from '@framelift/engine';
import type { Context } from '../../../context.ts';
import { type ConversionRow, updateHeld } from './conversion.sql.ts';

/** Milliseconds between two writes: as often as people can see. */
const BEAT_MS = 250;

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

/** Writes the newest progress of one try into its row and tells who watches. */
export function reportProgress(
  context: Context,
  { id, mediaId, attempts }: Pick<ConversionRow, 'id' | 'mediaId' | 'attempts'>,
): ProgressReport {
  const lost = new AbortController();
  let newest: Progress = { step: 'open', fraction: 0 };
  let written: Progress | null = null;
  let writing = false;

  const beat = async (): Promise<void> => {
    if (writing) return;
    writing = true;
    const now = newest;
    try {
      // Written also when nothing changed: the answer tells whether the conversion is still ours.
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
  const timer = setInterval(beat, BEAT_MS);
  return {
    report(progress) {
      newest = progress;
    },
    lost: lost.signal,
    stop: () => clearInterval(timer),
  };
}
