import type { Readable } from 'node:stream';
import type { DownloadClaims, LinkSigner, UploadClaims } from './links.ts';

/** Inclusive, as in a Range header. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface ObjectInfo {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly modified: Date;
}

/**
 * A flat store of files by key (`isObjectKey`). An object appears atomically. Its type, name and owner are stored only
 * in the database.
 */
export interface Storage {
  /** Other origins that presigned links point to. */
  readonly origins: readonly string[];
  /** Returns a link that accepts one file with exactly these claims until it expires, and the headers to send. */
  presignPut(key: string, claims: UploadClaims): Promise<{ url: string; headers: Record<string, string> }>;
  /** Signs the links that `http/files.ts` serves. */
  readonly links: LinkSigner;
  /**
   * Returns a link of this server to the object with a fixed type and name until it expires. The server checks at each
   * use whether the object may still be read, which a link of another store could not.
   */
  presignGet(key: string, claims: DownloadClaims): Promise<string>;
  /** Returns a link to the store itself, which works for a minute; null if the store has none. */
  directGet(key: string, claims: DownloadClaims): Promise<string | null>;
  head(key: string): Promise<ObjectInfo | null>;
  /** Returns null if there is no such object. The caller reads or destroys the stream. */
  openRead(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Copies an object to a new local file. Returns false, without a file, if there is no such object. */
  readTo(key: string, path: string): Promise<boolean>;
  putFile(key: string, path: string, type: string): Promise<void>;
  /** Succeeds if there is no such object. */
  delete(key: string): Promise<void>;
  /** Removes what killed processes left of files that were being written and last grew before this time. */
  removeUnfinished(before: Date): Promise<void>;
  /** Lists objects whose key begins with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<ObjectInfo>;
  /** @throws if the store cannot be used now */
  check(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/**
 * Lower case only, because some file systems ignore case. No part begins with a dot, so that no key escapes the root.
 */
const KEY = /^[a-z0-9_-]+(?:\/[a-z0-9_-][a-z0-9._-]*)+$/;

export function isObjectKey(key: string): boolean {
  return key.length <= 200 && KEY.test(key);
}
