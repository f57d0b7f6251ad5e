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
    const late = aborted(signal);
    const chunks = body.iterator({ destroyOnReturn: false });
    while (true) {
      const next: IteratorResult<Buffer> = await Promise.race([chunks.next(), late]).catch((cause: unknown) => {
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

/** Rejects when the signal is aborted; an abort that nobody waits for is no unhandled rejection. */
function aborted(signal: AbortSignal): Promise<never> {
  const promise = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  promise.catch(() => {});
  return promise;
}
