import { LIMITS } from '@framelift/contract';
import { pauseOrOnline } from '../../shared/patient-call.ts';
import { PutError, putFile } from './put-file.ts';

export interface Part {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes. */
  readonly size: number;
  /** True once the server has all its bytes. */
  readonly arrived: boolean;
}

export interface PutPartsOptions {
  readonly signal: AbortSignal;
  /** Bytes of the whole file that were sent. It goes back by less than one part when a part is sent again. */
  readonly onProgress: (sent: number) => void;
  /** The part with this index has arrived. */
  readonly onArrived: (index: number) => void;
  /** The line is broken or the server is away; the upload goes on by itself. */
  readonly onWaiting: () => void;
  /** Milliseconds after which an upload without any progress fails. */
  readonly patienceMs?: number;
}

/** A connection without progress is given up after this time, and another one is tried. */
const STALL_MS = 60_000;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Uploads the parts of a file that have not arrived, in order. A part that fails because of the line or the server is
 * sent again, after growing pauses and as soon as the browser is online again, until nothing has moved for `patienceMs`.
 * @throws PutError, or the signal's reason when aborted
 */
export async function putParts(
  file: Blob,
  parts: readonly Part[],
  { signal, onProgress, onArrived, onWaiting, patienceMs = LIMITS.uploadTimeoutMinutes * 60_000 }: PutPartsOptions,
): Promise<void> {
  let arrived = parts.reduce((sum, part) => sum + (part.arrived ? part.size : 0), 0);
  // Only bytes beyond these count as progress: a part that breaks off at the same place each time makes none.
  let most = arrived;
  let moved = performance.now();
  const report = (sent: number) => {
    if (sent > most) {
      most = sent;
      moved = performance.now();
    }
    onProgress(sent);
  };

  let start = 0;
  for (const [index, part] of parts.entries()) {
    const piece = file.slice(start, start + part.size);
    start += part.size;
    if (part.arrived) continue;
    for (let attempt = 0; ; attempt++) {
      try {
        await putFile(part, piece, { signal, stallMs: STALL_MS, onProgress: (sent) => report(arrived + sent) });
        break;
      } catch (error) {
        if (!(error instanceof PutError) || !error.passes) throw error;
        await mustBeReadable(piece);
        if (performance.now() - moved >= patienceMs) throw error;
        onWaiting();
        const pause = Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS);
        await pauseOrOnline(Math.max(pause, (error.retryAfter ?? 0) * 1000), signal);
      }
    }
    arrived += part.size;
    report(arrived);
    onArrived(index);
  }
}

/** @throws PutError `readerError` if the file was changed or removed since it was chosen, which looks like a broken line */
async function mustBeReadable(piece: Blob): Promise<void> {
  await piece
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw new PutError('readerError');
    });
}
