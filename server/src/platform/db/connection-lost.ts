/** PostgreSQL error classes and codes for a closed or refused connection. */
const SERVER_CODES = /^(08\d{3}|57P0[1-5]|53300)$/;
const SYSTEM_CODES = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'];
/** node-postgres errors carry no code, so these are matched by message. */
const CLIENT_MESSAGES =
  /^Connection terminated|^Client has encountered a connection error|^timeout exceeded when trying to connect/;

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
