import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';

/** How a client of node-postgres reaches the built-in database. */
export interface Connection {
  /** Folder of the Unix socket, or an address. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password?: string;
}

/** What the keeper of a database is started with. */
export interface KeeperOptions {
  /** Absolute path of PostgreSQL's data folder; what else the keeper needs lies beside it, under names that begin so. */
  readonly folder: string;
  /** Windows has no Unix sockets that PostgreSQL's clients know: a port of the loopback address, and a password. */
  readonly transport: 'socket' | 'tcp';
  /** Settings of PostgreSQL beside ours, which they override. */
  readonly settings: Readonly<Record<string, string | number>>;
}

/** What the keeper says to each process that uses the database, one line of JSON each. */
export type KeeperMessage =
  /** `first`: no other process has used the database since it was started. */
  | { readonly kind: 'ready'; readonly connection: Connection; readonly first: boolean }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'log'; readonly level: 'warn' | 'error'; readonly message: string };

/**
 * Where the keeper listens. A process counts as a user of the database while it is connected there, so one that is
 * killed leaves without a word.
 */
export function controlPath(folder: string): string {
  if (process.platform === 'win32') {
    return `\\\\.\\pipe\\framelift-${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`;
  }
  const path = `${folder}.keeper`;
  try {
    // The keeper of a folder whose path is too long for a socket listens elsewhere and leaves a link.
    return readlinkSync(path);
  } catch {
    return path;
  }
}
