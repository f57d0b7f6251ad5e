import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, readlinkSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';

/** The data folder is in use by another process. The message is one sentence for the operator. */
export class FolderInUse extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FolderInUse';
  }
}

export interface Lock {
  /** Idempotent. Never removes a lock of another owner. */
  release(): void;
}

interface Owner {
  readonly pid: number;
  readonly host: string;
  /** PID namespace of the process: each container on a host numbers its processes separately. */
  readonly space: string;
  /**
   * Start time of the process as reported by the kernel, to detect a reused pid. Null where the kernel does not report
   * it.
   */
  readonly begun: string | null;
  /** Makes the lock's content unique. */
  readonly token: string;
}

const BEAT_MS = 5_000;
/** A lock of another host is stale after this time without a heartbeat. */
const SILENT_MS = 30_000;

/**
 * Takes the exclusive lock of a data folder; call it before opening anything inside. The lock of a killed process is
 * taken over immediately. Owners on the same host are checked by pid; owners on other hosts or in other containers that
 * share the folder prove that they are alive by touching the file.
 * @throws FolderInUse
 */
export function lockFolder(path: string): Lock {
  mkdirSync(dirname(path), { recursive: true });
  const own: Owner = {
    pid: process.pid,
    host: hostname(),
    space: pidSpace(),
    begun: begunAt(process.pid),
    token: randomBytes(8).toString('hex'),
  };
  if (!create(path, own)) takeOver(path, own);
  const beat = setInterval(() => touch(path), BEAT_MS);
  beat.unref();
  return {
    release() {
      clearInterval(beat);
      if (read(path)?.token === own.token) rmSync(path, { force: true });
    },
  };
}

/** Creates the lock atomically: written to a temporary file, then linked, which fails if the name exists. */
function create(path: string, owner: Owner): boolean {
  const aside = `${path}.${owner.token}`;
  writeFileSync(aside, JSON.stringify(owner), { flag: 'wx', mode: 0o600 });
  try {
    linkSync(aside, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/**
 * Replaces the lock of a dead owner. If several processes find it dead at once, the holder of a second lock checks
 * again and replaces it; without that, the last process could remove the lock that the first had just taken.
 */
function takeOver(path: string, own: Owner): void {
  refuseLiving(path);
  const second = `${path}.takeover`;
  if (!create(second, own)) {
    refuseLiving(second);
    // Its owner died during the few milliseconds of a takeover.
    rmSync(second, { force: true });
    if (!create(second, own)) throw inUse(path, read(second));
  }
  try {
    refuseLiving(path);
    rmSync(path, { force: true });
    if (!create(path, own)) throw inUse(path, read(path));
  } finally {
    rmSync(second, { force: true });
  }
}

function refuseLiving(path: string): void {
  const owner = read(path);
  if (owner && isAlive(path, owner)) throw inUse(path, owner);
}

function inUse(path: string, owner: Owner | null): FolderInUse {
  const who = owner ? ` by process ${owner.pid}${owner.host === hostname() ? '' : ` on ${owner.host}`}` : '';
  return new FolderInUse(
    `The data folder ${dirname(path)} is in use${who}: stop that Framelift first, or give this one another DATA_DIR.`,
  );
}

/** Returns null if there is no lock or it is unreadable, as after a power cut. */
function read(path: string): Owner | null {
  try {
    const owner = JSON.parse(readFileSync(path, 'utf8')) as Partial<Owner>;
    const { pid, host, space = '', begun = null, token } = owner;
    return typeof pid === 'number' && typeof host === 'string' && typeof token === 'string'
      ? { pid, host, space, begun, token }
      : null;
  } catch {
    return null;
  }
}

function isAlive(path: string, owner: Owner): boolean {
  if (owner.host !== hostname() || owner.space !== pidSpace()) return Date.now() - modified(path) < SILENT_MS;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const begun = begunAt(owner.pid);
  return begun === null || owner.begun === null || begun === owner.begun;
}

function modified(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function touch(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // The folder was removed; the database reports that with a better message.
  }
}

function pidSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** Returns boot id and start time of a process on Linux, '' for a zombie, and null if unknown. */
function begunAt(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain spaces; the start time is the 20th field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? '' : `${boot} ${fields[19]}`;
  } catch {
    return null;
  }
}
