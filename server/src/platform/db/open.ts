import { mkdirSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { migrationsFolder } from './migrations-folder.ts';
import * as schema from './schema.ts';

/**
 * Either database through the same Postgres dialect.
 *
 * PGlite has one connection: while a transaction is open, a query on `db` itself waits for its end. Inside
 * `db.transaction(async (tx) => …)` use `tx` alone, or the process waits for itself for ever.
 */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>;
/** What the callback of `db.transaction` gets. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];
/** Takes part in the caller's transaction, or runs alone. */
export type Queries = Db | Tx;

export type Opened =
  | { readonly kind: 'pglite'; readonly db: Db; readonly client: PGlite; close(): Promise<void> }
  | {
      readonly kind: 'postgres';
      readonly db: Db;
      readonly pool: pg.Pool;
      readonly url: string;
      close(): Promise<void>;
    };

/** Any number, the same in every version: processes that start together make their tables one after the other. */
const START_LOCK = 7_305_114;

/**
 * Opens PGlite on a folder, without migrating. The caller holds the lock of the data folder (see lock.ts): PGlite has
 * none, and two processes on one folder lose each other's rows.
 */
export async function openPglite(folder: string): Promise<Opened> {
  mkdirSync(folder, { recursive: true });
  const { PGlite } = await import('@electric-sql/pglite');
  return wrapPglite(await PGlite.create(folder));
}

export async function wrapPglite(client: PGlite): Promise<Opened> {
  const { drizzle } = await import('drizzle-orm/pglite');
  return { kind: 'pglite', db: drizzle(client, { schema }), client, close: () => client.close() };
}

/** Opens a pool on PostgreSQL 15 or newer, without migrating. @throws when it cannot be reached. */
export async function openPostgres(url: string, onIdleError: (error: Error) => void): Promise<Opened> {
  const { default: pg } = await import('pg');
  const { drizzle } = await import('drizzle-orm/node-postgres');
  const pool = new pg.Pool({ connectionString: url, max: 10, application_name: 'framelift' });
  // A connection lost while idle would otherwise end the process.
  pool.on('error', onIdleError);
  await pool.query('select 1');
  return { kind: 'postgres', db: drizzle(pool, { schema }), pool, url, close: () => pool.end() };
}

/**
 * Runs `deed` while no other process that starts on the same database runs its own. Making tables side by side would end
 * in a deadlock of PostgreSQL's catalogue. PGlite has one process, by the lock of the data folder.
 */
export async function oneByOne<T>(opened: Opened, deed: (connection: pg.PoolClient | null) => Promise<T>): Promise<T> {
  if (opened.kind === 'pglite') return deed(null);
  const connection = await opened.pool.connect();
  try {
    await connection.query('select pg_advisory_lock($1)', [START_LOCK]);
    return await deed(connection);
  } finally {
    await connection.query('select pg_advisory_unlock($1)', [START_LOCK]).catch(() => {});
    connection.release();
  }
}

/** Brings the schema up to date, then runs `afterwards` (the seeds) before any other process may start its own. */
export async function migrate(opened: Opened, afterwards: () => Promise<void> = async () => {}): Promise<void> {
  await oneByOne(opened, async (connection) => {
    if (connection) {
      const { drizzle } = await import('drizzle-orm/node-postgres');
      const { migrate } = await import('drizzle-orm/node-postgres/migrator');
      await migrate(drizzle(connection), { migrationsFolder: migrationsFolder() });
    } else if (opened.kind === 'pglite') {
      const { drizzle } = await import('drizzle-orm/pglite');
      const { migrate } = await import('drizzle-orm/pglite/migrator');
      await migrate(drizzle(opened.client), { migrationsFolder: migrationsFolder() });
    }
    await afterwards();
  });
}
