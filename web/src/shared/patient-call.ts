import { type Client, LIMITS } from '@framelift/contract';
import { isCallError } from '../api/client.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Wraps a client so that a call without an answer is made again, with growing pauses and as soon as the browser is
 * online again, until none was answered for `patienceMs`. Only for calls that may be repeated.
 */
export function patientCall(
  call: Client['call'],
  { onWaiting, patienceMs = LIMITS.uploadTimeoutMinutes * 60_000 }: { onWaiting: () => void; patienceMs?: number },
): Client['call'] {
  return async (name, ...args) => {
    const signal = (args[0] as { signal?: AbortSignal } | undefined)?.signal;
    const began = performance.now();
    for (let attempt = 0; ; attempt++) {
      try {
        return await call(name, ...args);
      } catch (error) {
        const passes =
          isCallError(error) && ['networkError', 'serverUnavailable', 'tooManyRequests'].includes(error.code);
        if (!passes || performance.now() - began >= patienceMs) throw error;
        onWaiting();
        const pause = Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS);
        await pauseOrOnline(Math.max(pause, (error.retryAfter ?? 0) * 1000), signal);
      }
    }
  };
}

/** Resolves after the pause, or as soon as the browser is online again. Rejects with the reason of an aborted signal. */
export function pauseOrOnline(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const end = (finish: () => void) => {
      clearTimeout(timer);
      window.removeEventListener('online', goOn);
      signal?.removeEventListener('abort', abort);
      finish();
    };
    const goOn = () => end(resolve);
    const abort = () => end(() => reject(signal?.reason));
    const timer = setTimeout(goOn, ms);
    window.addEventListener('online', goOn);
    signal?.addEventListener('abort', abort);
  });
}
