import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';

/** Longer than the memory of any compression on the way, so that repeating it is as good as going on. */
const BLOCK_BYTES = 256 * 1024;
let block: Buffer | null = null;

/** Returns this many random bytes. They are the same in every answer; nothing can tell, because none is kept. */
export function speedTestBytes(bytes: number): Readable {
  block ??= randomBytes(BLOCK_BYTES);
  const noise = block;
  function* parts() {
    for (let left = bytes; left > 0; left -= BLOCK_BYTES) yield noise.subarray(0, Math.min(left, BLOCK_BYTES));
  }
  return Readable.from(parts(), { objectMode: false });
}
