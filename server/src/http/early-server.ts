import { createServer, type RequestListener, type Server } from 'node:http';
import { LIVE_PATH } from './health.ts';
import { watchBody } from './watch-body.ts';

/** The address cannot be bound. The message is one sentence for the operator. */
export class AddressUnavailable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AddressUnavailable';
  }
}

/** A server that responds with 503 until an app is mounted. */
export interface EarlyServer {
  readonly server: Server;
  handOver(listener: RequestListener): void;
  /** Accepts no new connections and aborts running requests after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Longer than the 60 s of common proxies, so that they never reuse a connection that is being closed. */
const KEEP_ALIVE_MS = 72_000;
const HEADERS_MS = 60_000;

const starting: RequestListener = (request, response) => {
  // Alive, however long a migration takes.
  if (request.url === LIVE_PATH) {
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end('{"ok":true}');
    return;
  }
  response.writeHead(503, { 'retry-after': '2', 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end('Framelift is starting.\n');
};

/**
 * Listens before a database is opened or migrated, so that a taken port is detected first.
 * @throws AddressUnavailable
 */
export async function listenEarly(host: string, port: number): Promise<EarlyServer> {
  // No limit for a whole request, which would cut off uploads on slow lines: `watchBody` ends those that do not move.
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0, headersTimeout: HEADERS_MS });
  server.on('request', watchBody);
  server.on('request', starting);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port)));
    server.listen({ host, port }, resolve);
  });
  return {
    server,
    handOver(listener) {
      server.off('request', starting);
      server.on('request', listener);
    },
    async close(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Kept-alive connections become idle one by one, as their requests end.
      const idle = setInterval(() => server.closeIdleConnections(), 100);
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      server.closeIdleConnections();
      await closed;
      clearInterval(idle);
      clearTimeout(cut);
    },
  };
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): AddressUnavailable {
  const where = `${host}:${port}`;
  switch (error.code) {
    case 'EADDRINUSE':
      return new AddressUnavailable(`${where} is already in use: stop what listens there, or set another PORT.`);
    case 'EACCES':
      return new AddressUnavailable(`${where} may not be listened on by this user: set a PORT of 1024 or more.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new AddressUnavailable(`${where} is no address of this machine: set another HOST.`);
    default:
      return new AddressUnavailable(`${where} cannot be listened on (${error.code}): set another HOST or PORT.`);
  }
}
