import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';

/** Connection settings of the embedded database for node-postgres. */
export interface Connection {
  /** Folder of the Unix socket, or an address. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password?: string;
}

/** Start options of a keeper. */
export interface KeeperOptions {
  /** Absolute path of PostgreSQL's data folder; the keeper's other files are its siblings, with the same prefix. */
  readonly folder: string;
  /** 'tcp' is a loopback port with a password, for Windows: PostgreSQL clients support no Unix sockets there. */
  readonly transport: 'socket' | 'tcp';
  /** PostgreSQL settings that extend and override the defaults. */
  readonly settings: Readonly<Record<string, string | number>>;
}

/** Messages of the keeper to each process that uses the database, one line of JSON each. */
export type KeeperMessage =
  /** `first`: no other process has used the database since it started. */
  | { readonly kind: 'ready'; readonly connection: Connection; readonly first: boolean }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'log'; readonly level: 'warn' | 'error'; readonly message: string };

/**
 * Returns the path of the keeper's control socket. A process counts as a user of the database while it is connected, so
 * a killed process leaves automatically.
 */
export function controlPath(folder: string): string {
  if (process.platform === 'win32') {
    return `\\\\.\\pipe\\framelift-${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`;
  }
  const path = `${folder}.keeper`;
  try {
    // If the path is too long for a socket, the keeper listens elsewhere and leaves a link.
    return readlinkSync(path);
  } catch {
    return path;
  }
}
