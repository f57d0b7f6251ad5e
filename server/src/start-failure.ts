import { sep } from 'node:path';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { type Config, ConfigError } from './config.ts';
import { AddressUnavailable } from './http/early-server.ts';
import { DatabaseRefused } from './platform/db/embedded/binaries.ts';
import { FolderInUse } from './platform/db/lock.ts';
import { UnusableKey } from './platform/signing-key.ts';

/** Errors whose messages are written for the operator. */
const EXPECTED = [ConfigError, FolderInUse, DatabaseRefused, AddressUnavailable, UnusableKey];

/**
 * Returns what the operator reads when the server cannot start: one sentence that names what to change, or for a fault
 * of ours its stack.
 */
export function explainStartFailure(error: unknown, config: Config | null): string {
  if (!(error instanceof Error)) return String(error);
  if (EXPECTED.some((kind) => error instanceof kind)) return error.message;
  return (config && (folderSentence(error, config.dataDir) ?? databaseSentence(error))) ?? error.stack ?? error.message;
}

/** Explains an error of the file system at, above or below the data folder. */
function folderSentence({ code, path }: NodeJS.ErrnoException, dataDir: string): string | null {
  const folder = `The data folder ${dataDir}`;
  const help = 'or set another DATA_DIR.';
  // Errors of writing name no path.
  if (code === 'ENOSPC' || code === 'EDQUOT') return `${folder} is on a disk that has no room left: make some, ${help}`;
  if (path === undefined || !(isWithin(path, dataDir) || isWithin(dataDir, path))) return null;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return `${folder} cannot be used by this user (${path}): give it to this user, ${help}`;
    case 'EROFS':
      return `${folder} is on a read-only file system: make that writable, ${help}`;
    case 'EEXIST':
    case 'ENOTDIR':
      return `${folder} is no folder (${path}): remove that file, ${help}`;
    default:
      return `${folder} cannot be used (${code}, ${path}): repair it, ${help}`;
  }
}

const isWithin = (path: string, folder: string) => `${path}${sep}`.startsWith(`${folder}${sep}`);

/** Explains an error of a statement, for example of a user who may not create tables. */
function databaseSentence(error: Error): string | null {
  if (!(error instanceof DrizzleQueryError)) return null;
  const reason = error.cause?.message ?? 'it refuses a statement';
  return `The tables of the database could not be made (${reason}): give its user the right to do so, or set another DATABASE_URL.`;
}
