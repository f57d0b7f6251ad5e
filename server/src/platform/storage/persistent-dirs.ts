import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders that outlive the process, for work that goes on where a killed process left it. Each has a name of its own. */
export interface PersistentDirs {
  /** The folder of this name with what it holds; an empty one where there is none. */
  open(name: string): Promise<string>;
  /** Succeeds when there is none. */
  remove(name: string): Promise<void>;
  names(): Promise<string[]>;
}

export async function openPersistentDirs(root: string): Promise<PersistentDirs> {
  await mkdir(root, { recursive: true });
  return {
    async open(name) {
      const folder = join(root, name);
      await mkdir(folder, { recursive: true });
      return folder;
    },
    remove: (name) => rm(join(root, name), { recursive: true, force: true }),
    names: () => readdir(root),
  };
}
