import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Calls `write` with a temporary path next to `path` and renames the result: the file is complete or absent. */
export async function writeAtomically(path: string, write: (part: string) => Promise<void>): Promise<void> {
  const part = join(dirname(path), `.${basename(path)}.part`);
  try {
    await write(part);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
