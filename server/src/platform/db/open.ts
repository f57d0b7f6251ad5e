import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres/session';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import pg from 'pg';
import type { Log } from '../log.ts';
import { joinEmbedded } from './embedded/embedded.ts';
import { migrationsFolder } from './migrations-folder.ts';
import * as schema from './schema.ts';

export type Db = PgDatabase<NodePgQueryResultHKT, typeof schema>;
/** A transaction, as passed to the callback of `db.transaction`. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];
/** Runs in the caller's transaction, or on its own connection. */
export type Queries = Db | Tx;

export interface Opened {
  readonly db: Db;
  readonly pool: pg.Pool;
  /** Whether, as far as can be known, no other process has used the database since it started. */
  readonly alone: boolean;
  close(): Promise<void>;
}

/** Arbitrary, but constant across versions: serializes schema changes of processes that start at the same time. */
const START_LOCK = 7_305_114;
const CONNECTIONS = 10;
/** A server that no longer answers must not keep the process from ending. */
const LONGEST_END_MS = 5_000;
const KEEP_ALIVE_MS = 30_000;

/** Limits that keep every call short of the 60 s after which common proxies give up on us. */
export interface DatabaseLimits {
  /** For a new connection, and for one of the pool to become free. */
  readonly connectMs: number;
  /** For one statement; the server ends it then. */
  readonly statementMs: number;
  /** A connection is cut when the server owes it an answer and sends nothing for this time. */
  readonly silentMs: number;
}

const LIMITS: DatabaseLimits = { connectMs: 5_000, statementMs: 20_000, silentMs: 25_000 };

/** Connections whose statements may take any time: those of migrations, and the wait for another process's. */
const patient = new WeakSet<pg.ClientBase>();

/** Members of a client that the types omit. */
interface Internals {
  readonly connection: { readonly stream: Socket };
  /** False while a statement runs. */
  readonly readyForQuery: boolean;
}

/**
 * Bounds the statements of a new connection. Not by the pool's `query_timeout`, which leaves the connection in the pool
 * with its unanswered statement, nor by a start parameter, which PgBouncer refuses.
 */
async function bound(client: pg.ClientBase, { statementMs, silentMs }: DatabaseLimits): Promise<void> {
  const internals = client as unknown as Internals;
  const { stream } = internals.connection;
  stream.setTimeout(silentMs, () => {
    if (internals.readyForQuery || patient.has(client)) return;
    stream.destroy(Object.assign(new Error(`The database is silent for ${silentMs} ms`), { code: 'ETIMEDOUT' }));
  });
  await client.query(`set statement_timeout = ${statementMs}`);
}

/** Opens a pool on PostgreSQL 15 or newer, without migrating. @throws if the server is unreachable */
export async function openPostgres(
  connection: pg.PoolConfig,
  log: Log,
  limits: DatabaseLimits = LIMITS,
): Promise<Opened> {
  const pool = new pg.Pool({
    max: CONNECTIONS,
    application_name: 'framelift',
    connectionTimeoutMillis: limits.connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    onConnect: (client) => bound(client, limits),
    ...connection,
  });
  // Without these listeners, a connection lost while idle or between two queries of a transaction crashes the process.
  const lost = (error: Error): void => log.warn({ err: error }, 'Lost a database connection');
  pool.on('error', lost);
  const connected = new Set<pg.PoolClient>();
  pool.on('connect', (client) => {
    client.on('error', () => {});
    connected.add(client);
    client.once('end', () => connected.delete(client));
  });
  await pool.query('select 1');
  return {
    db: drizzle(pool, { schema }),
    pool,
    alone: false,
    async close() {
      // `end` resolves once it has told every connection to end. One that is still open would be reported as lost when
      // the embedded server stops.
      await pool.end();
      const ended = [...connected].map((client) => new Promise<void>((resolve) => void client.once('end', resolve)));
      await Promise.race([Promise.all(ended), sleep(LONGEST_END_MS, undefined, { ref: false })]);
    },
  };
}

/** Opens the embedded database with its data in `folder`, without migrating. @throws DatabaseRefused */
export async function openEmbedded(folder: string, log: Log): Promise<Opened> {
  const embedded = await joinEmbedded({
    folder,
    log,
    onMoved: (connection) => Object.assign(opened.pool.options, connection),
  });
  const opened = await openPostgres({ ...embedded.connection }, log);
  return {
    ...opened,
    alone: embedded.first,
    async close() {
      await opened.close();
      await embedded.close();
    },
  };
}

/**
 * Runs `task` while no other process runs one on the same database. Creating tables concurrently can deadlock in the
 * PostgreSQL catalogue.
 */
export async function withAdvisoryLock<T>(
  { pool }: Opened,
  task: (connection: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const connection = await pool.connect();
  try {
    patient.add(connection);
    await connection.query('set statement_timeout = 0');
    await connection.query('select pg_advisory_lock($1)', [START_LOCK]);
    return await task(connection);
  } finally {
    // Ended instead of reused, for the others have limits. That releases the lock too.
    connection.release(true);
  }
}

/** Migrates the schema, then runs `afterwards` (the seeds) under the same lock. */
export async function migrate(opened: Opened, afterwards: () => Promise<void> = async () => {}): Promise<void> {
  await withAdvisoryLock(opened, async (connection) => {
    await runMigrations(drizzle(connection), { migrationsFolder: migrationsFolder() });
    await afterwards();
  });
}
