import { randomBytes } from 'node:crypto';
import { accessSync, constants, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Checks before anything is opened that the data folder and what lies in it can be written: an error later would leave
 * a half-made installation, and the parts would each complain in their own way.
 * @throws NodeJS.ErrnoException with the path that is at fault
 */
export function checkFolders(dataDir: string, paths: readonly string[]): void {
  const probe = join(dataDir, `.probe-${randomBytes(4).toString('hex')}`);
  try {
    // Written, because a read-only or full file system lets `access` succeed.
    writeFileSync(probe, 'x', { flag: 'wx', mode: 0o600, flush: true });
  } finally {
    rmSync(probe, { force: true });
  }
  for (const path of paths) {
    const found = statSync(path, { throwIfNoEntry: false });
    // PostgreSQL's folder belongs to another user if we are root.
    if (found)
      accessSync(path, found.isDirectory() ? constants.R_OK | constants.W_OK | constants.X_OK : constants.R_OK);
  }
}
