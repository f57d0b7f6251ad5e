import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Lets `write` write under a temporary name beside `path`; the file appears complete there, or not at all. */
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
