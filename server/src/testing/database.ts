import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { describe, vi } from 'vitest';
import { createHandlers } from '../handlers.ts';
import { migrationsFolder } from '../platform/db/migrations-folder.ts';
import { type Db, migrate, type Opened, openPostgres, wrapPglite } from '../platform/db/open.ts';
import { openQueue } from '../platform/jobs/queue.ts';
import { createLog } from '../platform/log.ts';

export const DATABASE_KINDS = ['pglite', 'postgres'] as const;
export type DatabaseKind = (typeof DATABASE_KINDS)[number];

/** Their queues are the same however many run at a time. */
const HANDLERS = createHandlers(1, 1);

/**
 * The same tests on both databases. `openDatabase` gives a fresh, migrated one of the kind at hand. PostgreSQL is the
 * server at TEST_DATABASE_URL, whose user may create databases; without it that half is skipped and says so.
 */
export function describeOnBothDatabases(
  title: string,
  tests: (openDatabase: () => Promise<Opened>, kind: DatabaseKind) => void,
): void {
  describe(`${title} (PGlite)`, () => tests(() => openTestDatabase('pglite'), 'pglite'));
  if (process.env['TEST_DATABASE_URL']) {
    describe(`${title} (PostgreSQL)`, () => tests(() => openTestDatabase('postgres'), 'postgres'));
  } else {
    describe.skip(`${title} (PostgreSQL: skipped, TEST_DATABASE_URL is not set)`, () =>
      tests(() => openTestDatabase('postgres'), 'postgres'));
  }
}

/** Until a query waits for a row that somebody else holds. For PostgreSQL: on PGlite nobody waits, all follow each other. */
export function untilOneWaits(db: Db): Promise<void> {
  return vi.waitFor(
    async () => {
      const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      const { rowCount } = (await db.execute(waiting)) as unknown as { rowCount: number };
      if (rowCount === 0) throw new Error('No query waits yet');
    },
    { timeout: 60_000, interval: 20 },
  );
}

export function openTestDatabase(kind: DatabaseKind): Promise<Opened> {
  return kind === 'pglite' ? openMemoryPglite() : openOwnPostgres();
}

/** PGlite's initdb takes 4 to 6 s and its queues take 2 more; a dumped database that has both loads in 1 s. */
async function openMemoryPglite(): Promise<Opened> {
  const template = templatePath();
  if (!existsSync(template)) {
    const opened = await wrapPglite(await PGlite.create());
    if (opened.kind !== 'pglite') throw new Error('PGlite opened as something else');
    await migrate(opened);
    await openQueue(opened, HANDLERS, createLog('error'));
    const dump = await opened.client.dumpDataDir('none');
    await opened.close();
    mkdirSync(dirname(template), { recursive: true });
    // Several test files may make it at the same time: each writes its own and the last rename stays, all being equal.
    const own = `${template}.${randomBytes(6).toString('hex')}`;
    writeFileSync(own, Buffer.from(await dump.arrayBuffer()));
    renameSync(own, template);
  }
  const bytes = readFileSync(template);
  return wrapPglite(await PGlite.create({ loadDataDir: new Blob([bytes]) }));
}

/** Named after everything that it depends on, so that a new migration or another queue makes a new one. */
function templatePath(): string {
  const require = createRequire(import.meta.url);
  const root = dirname(dirname(require.resolve('@framelift/server/package.json')));
  const hash = createHash('sha256').update(readFileSync(require.resolve('@electric-sql/pglite')));
  hash.update(readFileSync(require.resolve('pg-boss/package.json')));
  hash.update(JSON.stringify(HANDLERS.map(({ job, dead }) => [job.name, dead !== undefined])));
  for (const file of readdirSync(migrationsFolder()).sort()) {
    if (file.endsWith('.sql')) hash.update(readFileSync(join(migrationsFolder(), file)));
  }
  return join(root, '.cache', `pglite-${hash.digest('hex').slice(0, 16)}.tar`);
}

/** A database of its own on the server at TEST_DATABASE_URL, dropped when closed. */
async function openOwnPostgres(): Promise<Opened> {
  const server = process.env['TEST_DATABASE_URL'];
  if (!server) throw new Error('TEST_DATABASE_URL is not set');
  const name = `framelift_test_${randomBytes(8).toString('hex')}`;
  await asAdministrator(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const opened = await openPostgres(url.href, () => {});
  await migrate(opened);
  return {
    ...opened,
    close: async () => {
      await opened.close();
      // PostgreSQL waits some seconds for connections that are just ending; force would make them die with an error.
      await asAdministrator(server, `drop database ${name}`).catch(() =>
        asAdministrator(server, `drop database ${name} with (force)`),
      );
    },
  };
}

async function asAdministrator(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
