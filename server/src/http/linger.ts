import type { Readable } from 'node:stream';

/** How long the rest of a refused upload is read and thrown away. */
const LINGER_MS = 20_000;

/**
 * Reads on what somebody sends that was refused. Many senders read the answer only after they have sent everything, and
 * a connection closed on unread bytes loses the answer.
 */
export function lingerOn(body: Readable): void {
  body.resume();
  const timer = setTimeout(() => body.destroy(), LINGER_MS);
  body.once('close', () => clearTimeout(timer));
}
