import type { Readable } from 'node:stream';

const MAX_MS = 20_000;

/**
 * Reads and discards the rest of a rejected upload. Many clients read the response only after sending everything, and
 * closing a connection with unread bytes loses the response.
 */
export function drainRequest(body: Readable): void {
  body.resume();
  const timer = setTimeout(() => body.destroy(), MAX_MS);
  body.once('close', () => clearTimeout(timer));
}
