import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Binaries, DatabaseRefused, type Owner } from './binaries.ts';
import type { Connection, KeeperOptions } from './protocol.ts';

/** Small: the database of a site of this size fits, and many installations run on machines with 2 GB. */
const SETTINGS = {
  shared_buffers: '32MB',
  max_connections: 60,
  jit: 'off',
  // No I/O workers and no parallel queries: requests are many and small.
  io_method: 'sync',
  max_parallel_workers_per_gather: 0,
  max_wal_size: '256MB',
  // The text of errors and statements may contain data of users.
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_line_prefix: '',
} as const;

const USER = 'framelift';
const DATABASE = 'postgres';
const SOCKET_PORT = 5432;
/** Time limit of a fast stop. After it the server is aborted and recovers at its next start. */
const STOP_MS = 60_000;
const ON_LINUX = process.platform === 'linux';

/** A running server. */
export interface Server {
  readonly connection: Connection;
  /** Resolves when the server has ended, with the exit status and the last log lines. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Returns the user to run the database as if this process is root: the owner of the folder, or the system user `nobody`
 * for a new folder. Returns undefined otherwise.
 */
export function findOwner(folder: string): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const existing = statSync(folder, { throwIfNoEntry: false });
  if (existing && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid };
  const [, , uid = '65534', gid = '65534'] =
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .find(([name]) => name === 'nobody') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

/** Creates the data folder atomically if missing. @throws DatabaseRefused if it exists with another major version */
export async function prepareFolder(
  { folder, transport }: KeeperOptions,
  binaries: Binaries,
  owner: Owner | undefined,
): Promise<void> {
  if (existsSync(folder)) {
    const major = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
    if (major === binaries.major) return;
    throw new DatabaseRefused(
      `The database in ${folder} was made by PostgreSQL ${major}, and this version of Framelift brings PostgreSQL ${binaries.major}: use the version of Framelift that made it, or load a dump of it into a PostgreSQL of your own and set DATABASE_URL.`,
    );
  }
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  if (owner) chownSync(fresh, owner.uid, owner.gid);
  const options = ['-U', USER, '-E', 'UTF8', '--locale=C', '--no-instructions'];
  let password: number | undefined;
  if (transport === 'tcp') {
    const file = passwordFile(folder);
    writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
    if (owner) chownSync(file, owner.uid, owner.gid);
    password = openSync(file, 'r');
    // Passed as an open file, because the owner may not be able to enter its folder.
    options.push('-A', 'scram-sha-256', '--pwfile', process.platform === 'win32' ? file : '/dev/stdin');
  } else options.push('-A', 'trust');
  const { child, lines } = run(binaries.initdb, options, fresh, owner, password);
  const [code] = await once(child, 'close');
  if (password !== undefined) closeSync(password);
  if (code !== 0) {
    throw new DatabaseRefused(`The built-in database could not be made in ${folder}: ${lines.join(' ')}`);
  }
  renameSync(fresh, folder);
  syncFolder(dirname(folder));
}

/**
 * Starts the server and waits until it accepts connections.
 * @param sockets folder of its Unix socket; null for the data folder
 * @param onLine called with each line logged after startup
 * @throws DatabaseRefused with its last lines
 */
export async function startServer(
  { folder, transport, settings }: KeeperOptions,
  binaries: Binaries,
  owner: Owner | undefined,
  sockets: string | null,
  port: number,
  onLine: (line: string) => void,
): Promise<Server> {
  await endOrphan(folder);
  const all: Record<string, string | number> = {
    ...SETTINGS,
    port,
    listen_addresses: transport === 'tcp' ? '127.0.0.1' : '',
    unix_socket_directories: transport === 'tcp' ? '' : (sockets ?? '.'),
    unix_socket_permissions: '0700',
    ...settings,
  };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { child, lines, onOutput } = run(binaries.postgres, options, folder, owner);
  const ended = once(child, 'close').then(
    ([code, signal]) => `${signal ?? `code ${code}`}: ${lines.slice(-5).join(' ')}`,
  );
  let isReady = false;
  const ready = new Promise<null>((resolve) => {
    onOutput((line) => {
      if (isReady) onLine(line);
      else if (line.includes('ready to accept connections')) {
        isReady = true;
        resolve(null);
      }
    });
  });
  const reason = await Promise.race([ready, ended]);
  if (reason !== null) throw new DatabaseRefused(`The built-in database in ${folder} did not start (${reason})`);
  const via = transport === 'tcp' ? { host: '127.0.0.1', password: readPassword(folder) } : { host: sockets ?? folder };
  return {
    connection: { ...via, port, user: USER, database: DATABASE },
    ended,
    async stop() {
      // On Windows a signal would end it without a checkpoint.
      if (process.platform === 'win32') run(binaries.pgCtl, ['stop', '-m', 'fast'], folder, owner);
      else child.kill('SIGINT');
      const cut = setTimeout(() => child.kill('SIGQUIT'), STOP_MS);
      await ended;
      clearTimeout(cut);
    },
  };
}

/** Returns the port: constant for a Unix socket, a free one for the loopback address. */
export async function choosePort({ transport }: KeeperOptions): Promise<number> {
  if (transport === 'socket') return SOCKET_PORT;
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port was given');
  return address.port;
}

/**
 * Stops a server whose keeper was killed. The caller holds the lock of the folder, so the server has no other keeper.
 * Removes stale pid files: a reused pid in them would keep PostgreSQL from starting.
 */
async function endOrphan(folder: string): Promise<void> {
  const note = join(folder, 'postmaster.pid');
  if (!existsSync(note)) return;
  const pid = Number.parseInt(readFileSync(note, 'utf8'), 10);
  const deadline = performance.now() + STOP_MS;
  while (pid > 0 && isServer(pid, folder)) {
    process.kill(pid, performance.now() > deadline ? 'SIGQUIT' : 'SIGINT');
    await sleep(50);
  }
  for (const name of ['postmaster.pid', `.s.PGSQL.${SOCKET_PORT}.lock`]) rmSync(join(folder, name), { force: true });
}

/** Returns whether a process is the server of this folder. */
function isServer(pid: number, folder: string): boolean {
  try {
    if (ON_LINUX) return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
    process.kill(pid, 0);
    const { stdout } = spawnSync('ps', ['-p', String(pid), '-o', 'comm='], { encoding: 'utf8' });
    return process.platform === 'win32' || stdout.includes('postgres');
  } catch {
    return false;
  }
}

/**
 * Runs a PostgreSQL program on a data folder. On Linux the folder is its working directory, which is set before
 * privileges are dropped, so its owner does not need access to the parent folders.
 */
function run(
  program: string,
  options: readonly string[],
  folder: string,
  owner: Owner | undefined,
  stdin: number | 'ignore' = 'ignore',
) {
  const child: ChildProcess = spawn(program, ['-D', ON_LINUX ? '/proc/self/cwd' : folder, ...options], {
    ...owner,
    cwd: folder,
    // A minimal environment, because PostgreSQL's own variables would change the behaviour of the programs.
    env: { PATH: process.env['PATH'], SystemRoot: process.env['SystemRoot'], TZ: 'UTC', LC_ALL: 'C' },
    stdio: [stdin, 'ignore', 'pipe'],
    windowsHide: true,
  });
  /** The last lines of its output. */
  const lines: string[] = [];
  let listener: (line: string) => void = () => {};
  let rest = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split(/\r?\n/);
    rest = parts.pop() ?? '';
    for (const line of parts) {
      lines.push(line);
      if (lines.length > 20) lines.shift();
      listener(line);
    }
  });
  child.on('error', (error) => {
    lines.push(error.message);
    child.emit('close', null, null);
  });
  return { child, lines, onOutput: (next: (line: string) => void) => (listener = next) };
}

const passwordFile = (folder: string): string => `${folder}.password`;
const readPassword = (folder: string): string => readFileSync(passwordFile(folder), 'utf8');

/** Syncs a folder, so that a new name in it survives a power cut. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
