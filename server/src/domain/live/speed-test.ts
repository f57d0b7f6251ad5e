import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';

const BLOCK_BYTES = 256 * 1024;

/** Returns this many random bytes, which nothing on the way can compress. */
export function speedTestBytes(bytes: number): Readable {
  function* blocks() {
    for (let left = bytes; left > 0; left -= BLOCK_BYTES) yield randomBytes(Math.min(left, BLOCK_BYTES));
  }
  return Readable.from(blocks(), { objectMode: false });
}
