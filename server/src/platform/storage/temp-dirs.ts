import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '../time.ts';

/** Folders for files that live no longer than one task. */
export interface TempDirs {
  /** Makes an empty folder, lets `use` work in it and removes it with all that it holds, whatever happened. */
  use<Result>(use: (folder: string) => Promise<Result>): Promise<Result>;
}

/** Longer than any task may take. */
const STALE_MS = DAY_MS;

/**
 * Folders below `root`, which several processes may share. What processes that were killed left there goes first: those
 * of this machine are known by their number, those of others by their age.
 */
export async function openTempDirs(root: string): Promise<TempDirs> {
  await mkdir(root, { recursive: true });
  for (const name of await readdir(root)) {
    const folder = join(root, name);
    const [, host, pid] = /^(.+)~(\d+)~[^~]+$/.exec(name) ?? [];
    const left = host === hostname() ? !isAnother(Number(pid)) : Date.now() - (await changedAt(folder)) > STALE_MS;
    if (left) await rm(folder, { recursive: true, force: true });
  }
  return {
    async use(use) {
      const folder = await mkdtemp(join(root, `${hostname()}~${process.pid}~`));
      try {
        return await use(folder);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Whether this number is of a living process other than ours: in a container, ours may be that of our predecessor. */
function isAnother(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Milliseconds since 1970 of the last change; now for what went away meanwhile. */
async function changedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Date.now(),
  );
}
