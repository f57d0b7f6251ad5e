import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '../time.ts';

/** Folders for the files of one task. */
export interface TempDirs {
  /** Creates an empty folder for `use` and removes it afterwards, whatever happens. */
  use<Result>(use: (folder: string) => Promise<Result>): Promise<Result>;
  /** Removes the folders of other processes that were killed. */
  removeLeft(): Promise<void>;
}

/** Longer than any task takes. */
const STALE_MS = DAY_MS;

/**
 * Opens temporary folders below `root`, which several processes may share. Removes leftovers of killed processes first:
 * detected by pid on this machine, by age on others.
 */
export async function openTempDirs(root: string): Promise<TempDirs> {
  await mkdir(root, { recursive: true });
  const removeLeft = async (atStart: boolean): Promise<void> => {
    for (const name of await readdir(root)) {
      const folder = join(root, name);
      const [, host, pid] = /^(.+)~(\d+)~[^~]+$/.exec(name) ?? [];
      // In a container, the predecessor may have had this pid too.
      const isOurs = host === hostname() && Number(pid) === process.pid;
      if (isOurs && !atStart) continue;
      const left =
        isOurs || (host === hostname() ? !isAlive(Number(pid)) : Date.now() - (await changedAt(folder)) > STALE_MS);
      if (left) await rm(folder, { recursive: true, force: true });
    }
  };
  await removeLeft(true);
  return {
    async use(use) {
      const folder = await mkdtemp(join(root, `${hostname()}~${process.pid}~`));
      try {
        return await use(folder);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    removeLeft: () => removeLeft(false),
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns the time of the last change in ms since 1970; the current time if removed meanwhile. */
async function changedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Date.now(),
  );
}
