import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createHandlers } from '../handlers.ts';
import { joinEmbedded } from '../platform/db/embedded/embedded.ts';
import { migrate, openPostgres } from '../platform/db/open.ts';
import { openQueue } from '../platform/jobs/queue.ts';
import { createLog } from '../platform/log.ts';
import { administrate } from './database.ts';

/** Disables durability: no test needs the data after a crash. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: 200 };

/**
 * Starts one PostgreSQL for all tests of a run: the server at TEST_DATABASE_URL, whose user may create databases, or an
 * embedded one in a temporary folder. Creates the template that each test file copies.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const log = createLog('error');
  const server = process.env['TEST_DATABASE_URL'] ? external(process.env['TEST_DATABASE_URL']) : await own();
  const template = `framelift_template_${randomBytes(8).toString('hex')}`;
  await administrate(server.url, `create database ${template}`);
  const url = new URL(server.url);
  url.pathname = `/${template}`;
  const opened = await openPostgres({ connectionString: url.href }, log);
  await migrate(opened);
  // The concurrency of jobs does not affect the tables.
  const queue = await openQueue(opened, createHandlers(1, 1), log);
  await queue.close();
  await opened.close();
  project.provide('databaseServer', server.url);
  project.provide('databaseTemplate', template);
  return async () => {
    await administrate(server.url, `drop database ${template} with (force)`);
    await server.close();
  };

  async function own() {
    const folder = mkdtempSync(join(tmpdir(), 'framelift-tests-'));
    // TCP as on Windows and with a remote server; other tests cover the Unix socket.
    const embedded = await joinEmbedded({
      folder: join(folder, 'postgres'),
      transport: 'tcp',
      settings: SETTINGS,
      log,
    });
    const { user, password, host, port, database } = embedded.connection;
    return {
      url: `postgres://${user}:${password}@${host}:${port}/${database}`,
      async close() {
        await embedded.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  }
}

function external(url: string) {
  return { url, close: async () => {} };
}
