import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { ApiError, LIMITS } from '@framelift/contract';

/** A sender is too slow if fewer than `bytes` arrive within `ms`. */
export const SLOWEST = {
  ms: LIMITS.uploadTimeoutMinutes * 60_000,
  bytes: LIMITS.uploadTimeoutMinutes * LIMITS.uploadBytesPerMinute,
} as const;

export interface ReceiveOptions {
  /** Bytes. */
  readonly limit: number;
  readonly tooMuch: () => ApiError;
  /** Ends the upload early. */
  readonly signal?: AbortSignal;
}

/**
 * Writes a request's body to a new file and returns its size. After a failure `body` stays open, so that a response can
 * be sent. The time is limited only while less than `SLOWEST` arrives: a slow line may take as long as it needs, and a
 * sender of single bytes cannot keep a connection open.
 * @throws ApiError `tooMuch()` at the first byte over `limit`; uploadBroken if the sender disconnects; UploadTimeOut if
 *   it is too slow; the reason of `signal`
 */
export async function receive(
  path: string,
  body: Readable,
  { limit, tooMuch, signal: stop }: ReceiveOptions,
): Promise<number> {
  const slow = new AbortController();
  const timer = setTimeout(() => slow.abort(new ApiError('UploadTimeOut')), SLOWEST.ms);
  const signal = stop ? AbortSignal.any([stop, slow.signal]) : slow.signal;
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'wx');
    let received = 0;
    let moved = 0;
    const chunks = body.iterator({ destroyOnReturn: false });
    while (true) {
      const next: IteratorResult<Buffer> = await unlessAborted(chunks.next(), signal).catch((cause: unknown) => {
        throw signal.aborted ? signal.reason : new ApiError('uploadBroken', [], { cause });
      });
      if (next.done) return received;
      received += next.value.length;
      if (received > limit) throw tooMuch();
      moved += next.value.length;
      if (moved >= SLOWEST.bytes) {
        moved = 0;
        timer.refresh();
      }
      await file.appendFile(next.value);
    }
  } finally {
    clearTimeout(timer);
    await file?.close();
  }
}

/**
 * Settles like `promise`, or rejects when the signal is aborted. The listener is removed each time: racing all chunks
 * against one promise would keep them in memory until it settles.
 */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
