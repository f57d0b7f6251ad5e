// The keeper process of the embedded database. The first process that needs the database starts it. It keeps running
// while any process uses the database, restarts PostgreSQL when that ends unexpectedly, and ends with the last user,
// even a killed one.
import { chmodSync, chownSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FolderInUse, type Lock, lockFolder } from '../lock.ts';
import { DatabaseRefused, provideBinaries } from './binaries.ts';
import { choosePort, findOwner, prepareFolder, type Server, startServer } from './cluster.ts';
import { controlPath, type KeeperMessage, type KeeperOptions } from './protocol.ts';

/** Limit of the paths of Unix sockets, in bytes without the terminating zero: 107 on Linux, 103 elsewhere. */
const LONGEST_SOCKET_PATH = 103;
/** Longer than the time after which a silent predecessor on another machine or in another container counts as dead. */
const LOCK_MS = 40_000;
/** A keeper ends after this time if its starter died before connecting. */
const FIRST_USER_MS = 20_000;
/**
 * Backoff between restarts of a database that keeps ending; one that ran for `LASTING_MS` restarts after the shortest
 * pause.
 */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 30_000;
const LASTING_MS = 500;

const options = JSON.parse(process.argv[2] ?? '') as KeeperOptions;
const users = new Set<Socket>();
let server: Server | undefined;
let failure: string | undefined;
let hasLock = false;
let hadUser = false;
let isStopping = false;
let wake: () => void = () => {};

/**
 * A keeper with the lock ignores signals: one to the whole group or service must not stop the database before its
 * users, and it ends by itself when they disconnect.
 */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (!hasLock) process.exit(0);
  });
}

function tell(user: Socket, message: KeeperMessage): void {
  if (user.writable) user.write(`${JSON.stringify(message)}\n`);
}

/** Sends a log message to one user only, the oldest, because each user logs what it receives. */
function log(level: 'warn' | 'error', message: string): void {
  const [user] = users;
  if (user) tell(user, { kind: 'log', level, message });
}

/** Sends a user the connection, or the reason of a failure, if known already. */
function greet(user: Socket): void {
  if (failure !== undefined) tell(user, { kind: 'failed', message: failure });
  else if (server) {
    tell(user, { kind: 'ready', connection: server.connection, first: !hadUser });
    hadUser = true;
  }
}

const control = createServer({ allowHalfOpen: true }, (user) => {
  if (isStopping) return user.destroy();
  users.add(user);
  const leave = (): void => {
    users.delete(user);
    // The connection of the last user stays open until the database has stopped.
    if (users.size > 0) user.end();
    else wake();
  };
  user.on('error', () => user.destroy());
  user.on('end', leave);
  user.on('close', leave);
  user.resume();
  greet(user);
});

/** Takes the lock, waiting for a predecessor that is about to end. @throws FolderInUse */
async function takeLock(): Promise<Lock> {
  const deadline = performance.now() + LOCK_MS;
  for (;;) {
    try {
      return lockFolder(`${options.folder}.lock`);
    } catch (error) {
      if (!(error instanceof FolderInUse) || performance.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

/**
 * Listens on the control socket.
 * @returns a short folder, also for PostgreSQL's own socket, if the path of the data folder is too long for a socket
 */
async function listen(): Promise<string | null> {
  const { folder } = options;
  const at = `${folder}.keeper`;
  let path = controlPath(folder);
  let sockets: string | null = null;
  if (process.platform !== 'win32') {
    // Left behind by a killed keeper.
    if (path !== at) rmSync(dirname(path), { recursive: true, force: true });
    rmSync(at, { force: true });
    path = at;
    if (Buffer.byteLength(join(folder, '.s.PGSQL.5432')) > LONGEST_SOCKET_PATH) {
      sockets = mkdtempSync('/tmp/framelift-');
      path = join(sockets, 'keeper');
      symlinkSync(path, at);
    }
  }
  await new Promise<void>((resolve, reject) => {
    control.once('error', reject);
    control.listen(path, resolve);
  });
  if (process.platform !== 'win32') chmodSync(path, 0o600);
  return sockets;
}

/** Runs PostgreSQL until the last user has left. */
async function keep(sockets: string | null): Promise<void> {
  const owner = findOwner(options.folder);
  const binaries = provideBinaries(options.folder, owner);
  if (sockets && owner) chownSync(sockets, owner.uid, owner.gid);
  await prepareFolder(options, binaries, owner);
  const port = await choosePort(options);
  const left = new Promise<null>((resolve) => {
    wake = () => resolve(null);
  });
  let pauseMs = FIRST_PAUSE_MS;
  for (let isFirst = true; users.size > 0; isFirst = false) {
    let reason: string | null;
    const startedAt = performance.now();
    try {
      server = await startServer(options, binaries, owner, sockets, port, (line) => log('warn', `PostgreSQL: ${line}`));
      if (isFirst) for (const user of users) greet(user);
      else log('warn', 'The built-in database runs again');
      reason = users.size > 0 ? await Promise.race([left, server.ended]) : null;
    } catch (error) {
      if (isFirst) throw error;
      reason = messageOf(error);
    }
    if (reason === null) break;
    if (performance.now() - startedAt > LASTING_MS) pauseMs = FIRST_PAUSE_MS;
    log('error', `The built-in database ended and is started again (${reason})`);
    await Promise.race([left, sleep(pauseMs)]);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function main(): Promise<void> {
  const lock = await takeLock();
  hasLock = true;
  const sockets = await listen();
  await new Promise<void>((resolve) => {
    control.once('connection', () => resolve());
    setTimeout(resolve, FIRST_USER_MS).unref();
  });
  try {
    await keep(sockets);
  } catch (error) {
    failure = error instanceof DatabaseRefused ? error.message : `The built-in database failed: ${messageOf(error)}`;
    for (const user of users) greet(user);
  }
  isStopping = true;
  control.close();
  await server?.stop();
  if (sockets) rmSync(sockets, { recursive: true, force: true });
  if (process.platform !== 'win32') rmSync(`${options.folder}.keeper`, { force: true });
  lock.release();
  process.exit(0);
}

main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
});
