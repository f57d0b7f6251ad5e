import type { Readable } from 'node:stream';

const MAX_MS = 20_000;

/**
 * Reads and discards the rest of a refused upload. Many clients read the answer only after they have sent everything, and
 * a connection that is closed on unread bytes loses the answer.
 */
export function drainRequest(body: Readable): void {
  body.resume();
  const timer = setTimeout(() => body.destroy(), MAX_MS);
  body.once('close', () => clearTimeout(timer));
}
