/** Thread of a conversion process that writes its signs of life. See `pulse.ts`. */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { BEAT_MS, type PulseData, watchMainThread } from './pulse.ts';

/** Decoding 100 megapixels in one call takes ten seconds on a very busy machine. */
const LONGEST_CALL_MS = 60_000;

const { state, fd } = workerData as PulseData;
const isMainThreadMoving = watchMainThread(state);
let stillMs = 0;

function beat(): void {
  stillMs = isMainThreadMoving() ? 0 : stillMs + BEAT_MS;
  if (stillMs > LONGEST_CALL_MS) return;
  try {
    writeSync(fd, '.');
  } catch {
    // The parent has gone, which ends this process, or does not read now.
  }
}

beat();
setInterval(beat, BEAT_MS);
