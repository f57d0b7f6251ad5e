/** PostgreSQL error classes and codes for a closed or refused connection. */
const SERVER_CODES = /^(08\d{3}|57P0[1-5]|53300)$/;
const SYSTEM_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // The name of a container that does not run, or a name server that is away.
  'ENOTFOUND',
  'EAI_AGAIN',
];
/** node-postgres errors carry no code, so these are matched by message. */
const CLIENT_MESSAGES =
  /^Connection terminated|^Client has encountered a connection error|^timeout exceeded when trying to connect/;

/** PostgreSQL's query_canceled: a statement took too long. */
const CANCELLED = '57014';

/** Returns whether a statement took too long, so that a caller may try again; a job would take as long again. */
export function isStatementTooSlow(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && cause.code === CANCELLED) return true;
  return false;
}

/** Returns whether an error means that the database is temporarily unreachable, so a retry may succeed. */
export function isConnectionLost(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, syscall } = cause as { code?: unknown; syscall?: unknown };
    if (CLIENT_MESSAGES.test(cause.message)) return true;
    if (typeof code !== 'string') continue;
    if (SERVER_CODES.test(code) || SYSTEM_CODES.includes(code)) return true;
    // A server that is not running has no Unix socket.
    if (code === 'ENOENT' && syscall === 'connect') return true;
  }
  return false;
}
