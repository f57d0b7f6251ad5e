import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { ApiError } from '@framelift/contract';

/**
 * Writes a request's body to a new file and returns its size. After a failure `body` stays open, so that a response can
 * be sent.
 * @throws ApiError `tooMuch()` at the first byte over `limit`; uploadBroken if the sender disconnects; UploadTimeOut if
 *   `signal` is aborted first, or the ApiError that it is aborted with
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
        if (signal.aborted && signal.reason instanceof ApiError) throw signal.reason;
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
