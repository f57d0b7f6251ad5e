import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Named folders that outlive the process, for work that a later process resumes. */
export interface PersistentDirs {
  /** Returns the folder of this name, created if missing. */
  open(name: string): Promise<string>;
  /** Succeeds if it does not exist. */
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
