import type pg from 'pg';
import type { Opened } from '../db/open.ts';

/** Runs one statement of pg-boss. Without values the text may hold several statements. */
export type RunStatement = (text: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>;

/** pg-boss's way to either database, on the connections that the rest of the server uses. */
export function statements(opened: Opened): RunStatement {
  if (opened.kind === 'postgres') return (text, values) => opened.pool.query(text, values);
  const { client } = opened;
  return async (text, values) => {
    if (values && values.length > 0) return client.query<Record<string, unknown>>(text, values);
    // A failure between a BEGIN and a COMMIT of pg-boss would leave PGlite's only connection inside a dead transaction.
    const block = /^\s*BEGIN;([\s\S]*)COMMIT;\s*$/.exec(text)?.[1];
    const results = block ? await client.transaction((tx) => tx.exec(block)) : await client.exec(text);
    return { rows: results.findLast(({ rows }) => rows.length > 0)?.rows ?? [] };
  };
}

const RECONNECT_MS = 5000;

/** Calls `onPayload` for every NOTIFY of the channel; gives back how to stop. */
export async function listen(
  opened: Opened,
  channel: string,
  onPayload: (payload: string) => void,
  onError: (error: Error) => void,
): Promise<() => Promise<void>> {
  if (opened.kind === 'pglite') {
    const unlisten = await opened.client.listen(channel, onPayload);
    return () => unlisten();
  }
  const { pool } = opened;
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
