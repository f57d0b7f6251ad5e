import type { IncomingMessage } from 'node:http';
import { SLOWEST } from '../platform/storage/receive.ts';

/** Longer than the limit of uploads, which are answered with an error before their connection would be closed here. */
const WATCH_MS = 2 * SLOWEST.ms;

/** Closes the connection of a request whose body arrives more slowly than any accepted upload. */
export function watchBody(request: IncomingMessage): void {
  const { socket, headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
  let before = socket.bytesRead;
  const timer = setInterval(() => {
    if (request.complete) return clearInterval(timer);
    if (socket.bytesRead - before < SLOWEST.bytes) socket.destroy();
    before = socket.bytesRead;
  }, WATCH_MS);
  timer.unref();
  request.once('close', () => clearInterval(timer));
}
