import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { ApiError } from '@framelift/contract';

/**
 * Writes what somebody sends into a new file and answers its size. `body` is left open whatever goes wrong, so that an
 * answer can still be sent.
 * @throws ApiError `tooMuch()`, as soon as there is one byte more than `limit`; uploadBroken when the sender breaks off;
 *   UploadTimeOut when `signal` is aborted first
 */
export async function receive(
  path: string,
  body: Readable,
  {
    limit,
    tooMuch,
    signal,
  }: { readonly limit: number; readonly tooMuch: () => ApiError; readonly signal: AbortSignal },
): Promise<number> {
  const file = await open(path, 'wx');
  try {
    let received = 0;
    const chunks = body.iterator({ destroyOnReturn: false });
    while (true) {
      const next: IteratorResult<Buffer> = await unlessAborted(chunks.next(), signal).catch((cause: unknown) => {
        throw new ApiError(signal.aborted ? 'UploadTimeOut' : 'uploadBroken', [], { cause });
      });
      if (next.done) return received;
      received += next.value.length;
      if (received > limit) throw tooMuch();
      await file.appendFile(next.value);
    }
  } finally {
    await file.close();
  }
}

/**
 * Settles as `promise` does, or rejects as soon as the signal is aborted. The listener goes with each promise: racing every
 * chunk against one that settles at the end would keep all chunks in memory until then.
 */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
