import type pg from 'pg';
import type { Opened } from '../db/open.ts';

/** Runs one statement of pg-boss. Without values the text may hold several statements. */
export type RunStatement = (text: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>;

/** pg-boss's way to the database, on the connections that the rest of the server uses. */
export function statements({ pool }: Opened): RunStatement {
  return (text, values) => pool.query(text, values);
}

const RECONNECT_MS = 5000;

/** Calls `onPayload` for every NOTIFY of the channel; gives back how to stop. */
export async function listen(
  { pool }: Opened,
  channel: string,
  onPayload: (payload: string) => void,
  onError: (error: Error) => void,
): Promise<() => Promise<void>> {
  const line: { connection?: pg.PoolClient | undefined; again?: NodeJS.Timeout; closed: boolean } = { closed: false };

  const connect = async (): Promise<void> => {
    const connection = await pool.connect();
    if (line.closed) return connection.release();
    line.connection = connection;
    connection.on('notification', ({ payload }) => onPayload(payload ?? ''));
    connection.on('error', (error) => {
      // It was given back already, and may still be closing.
      if (line.closed) return;
      line.connection = undefined;
      connection.release(error);
      onError(error);
      connectSoon();
    });
    await connection.query(`listen ${channel}`);
  };
  const connectSoon = (): void => {
    if (!line.closed) line.again = setTimeout(() => connect().catch(connectSoon), RECONNECT_MS);
  };

  await connect();
  return async () => {
    line.closed = true;
    clearTimeout(line.again);
    // Destroyed, not returned: a pooled connection must not go on listening.
    line.connection?.release(true);
  };
}
