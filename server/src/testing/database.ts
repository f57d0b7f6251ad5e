import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { inject, vi } from 'vitest';
import { type Db, type Opened, openPostgres } from '../platform/db/open.ts';
import { createLog } from '../platform/log.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a server whose user may create databases. */
    databaseServer: string;
    /** Name of a database with the tables of the server and of the job queue. */
    databaseTemplate: string;
  }
}

export interface TestDatabase extends Opened {
  readonly url: string;
}

/** Opens a new, migrated database, which is dropped on close. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const { url, drop } = await createTestDatabase();
  const opened = await openPostgres({ connectionString: url }, createLog('error'));
  return {
    ...opened,
    url,
    alone: true,
    async close() {
      await opened.close();
      await drop();
    },
  };
}

/** Creates a database from a template and returns its URL. */
export async function createTestDatabase(template = inject('databaseTemplate')) {
  const server = inject('databaseServer');
  const name = `framelift_test_${randomBytes(8).toString('hex')}`;
  await administrate(server, `create database ${name} template ${template}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  // Connections that are still closing would prevent the drop.
  return { url: url.href, drop: () => administrate(server, `drop database if exists ${name} with (force)`) };
}

/** Waits until a query is blocked by a row lock. */
export function untilOneWaits(db: Db): Promise<void> {
  return vi.waitFor(
    async () => {
      const { rowCount } = await db.execute(
        sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      if (rowCount === 0) throw new Error('No query waits yet');
    },
    { timeout: 60_000, interval: 20 },
  );
}

export async function administrate(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
