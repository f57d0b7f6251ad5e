import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, readlinkSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';

/** Another process uses the data folder. The message is one sentence for the operator. */
export class FolderInUse extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FolderInUse';
  }
}

export interface Lock {
  /** Safe to call twice. Never removes a lock that is not its own. */
  release(): void;
}

interface Owner {
  readonly pid: number;
  readonly host: string;
  /** Where its pid means something: containers of one host each count their own. */
  readonly space: string;
  /** When the process began, as the kernel counts it; null where the kernel does not tell. Told apart, a pid that was given anew is. */
  readonly begun: string | null;
  /** Makes the lock's content unique. */
  readonly token: string;
}

const BEAT_MS = 5_000;
/** A lock of another host whose owner was silent for so long is nobody's. */
const SILENT_MS = 30_000;

/**
 * Takes the exclusive lock of a data folder, before anything in it is opened. A lock that a killed process left is
 * taken over at once. Owners of the same host are looked up by pid; those of other hosts and containers
 * that share the folder prove their life by touching the file.
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

/** Whole or not at all: written aside and linked to its name, which fails when the name is taken. */
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
 * Replaces the lock of a dead owner. Of several processes that find it dead together, one holds the second lock while
 * it looks again and replaces; without it the last could remove the lock that the first has just taken.
 */
function takeOver(path: string, own: Owner): void {
  refuseLiving(path);
  const second = `${path}.takeover`;
  if (!create(second, own)) {
    refuseLiving(second);
    // Its owner died within the few milliseconds of a take-over.
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

/** Null when there is no lock or it says nothing readable, as after a power cut. */
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
    // EPERM: it lives, under another user.
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
    // The folder was removed under us; the database will complain of it better than we could.
  }
}

function pidSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** Boot and start time of a process on Linux; of a dead one whose parent has not noticed yet, none of either. */
function begunAt(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces; the start time is the 20th field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? '' : `${boot} ${fields[19]}`;
  } catch {
    return null;
  }
}
