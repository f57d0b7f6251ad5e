import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders for files that live no longer than one task. */
export interface WorkFolders {
  /** Makes an empty folder, lets `use` work in it and removes it with all that it holds, whatever happened. */
  use<Result>(use: (folder: string) => Promise<Result>): Promise<Result>;
}

/** Longer than any task may take; what is older belongs to a process that was killed. */
const STALE_MS = 24 * 60 * 60 * 1000;

/** @param alone nobody else works below `root`, so that everything found there is left over */
export async function openWorkFolders(root: string, alone: boolean): Promise<WorkFolders> {
  await mkdir(root, { recursive: true });
  for (const name of await readdir(root)) {
    const folder = join(root, name);
    if (alone || Date.now() - (await stat(folder)).mtimeMs > STALE_MS)
      await rm(folder, { recursive: true, force: true });
  }
  return {
    async use(use) {
      const folder = await mkdtemp(join(root, 'task-'));
      try {
        return await use(folder);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}
