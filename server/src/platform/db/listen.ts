import type pg from 'pg';
import type { Log } from '../log.ts';

const RECONNECT_MS = 5000;

export interface Listening {
  close(): Promise<void>;
}

/**
 * Calls `onPayload` for every NOTIFY on the channel. Holds one connection of the pool permanently and replaces it when
 * it is lost; `onReconnect` then runs, because notifications may have been missed.
 */
export async function listen(
  pool: pg.Pool,
  channel: string,
  log: Log,
  onPayload: (payload: string) => void,
  onReconnect: () => void = () => {},
): Promise<Listening> {
  let current: pg.PoolClient | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function connect(): Promise<void> {
    const connection = await pool.connect();
    if (closed) return connection.release();
    current = connection;
    connection.on('notification', ({ payload }) => onPayload(payload ?? ''));
    connection.on('error', (error) => {
      // Already released; it may still be closing.
      if (closed) return;
      current = undefined;
      connection.release(error);
      log.warn({ err: error, channel }, 'Lost the connection that listens for notifications');
      connectSoon();
    });
    await connection.query(`listen ${channel}`);
  }
  function connectSoon(): void {
    if (!closed) timer = setTimeout(() => connect().then(onReconnect, connectSoon), RECONNECT_MS);
  }

  await connect();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      // Destroyed instead of returned: a pooled connection must not keep listening.
      current?.release(true);
    },
  };
}
