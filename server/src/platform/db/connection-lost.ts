/** PostgreSQL ends our connections, or takes no new ones: classes and codes of its errors. */
const SERVER_CODES = /^(08\d{3}|57P0[1-5]|53300)$/;
const SYSTEM_CODES = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'];
/** Errors of node-postgres have no code. */
const CLIENT_MESSAGES =
  /^Connection terminated|^Client has encountered a connection error|^timeout exceeded when trying to connect/;

/** Whether something failed because the database is away for the moment: the same later is worth a try. */
export function isConnectionLost(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, syscall } = cause as { code?: unknown; syscall?: unknown };
    if (CLIENT_MESSAGES.test(cause.message)) return true;
    if (typeof code !== 'string') continue;
    if (SERVER_CODES.test(code) || SYSTEM_CODES.includes(code)) return true;
    // The Unix socket of a server that does not run.
    if (code === 'ENOENT' && syscall === 'connect') return true;
  }
  return false;
}
