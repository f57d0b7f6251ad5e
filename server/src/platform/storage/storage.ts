import type { Readable } from 'node:stream';

/** First and last byte, both inclusive, as in a Range header. */
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

export interface UploadTerms {
  /** Bytes, exactly. */
  readonly size: number;
  /** Content-Type that the sender must name, exactly. */
  readonly type: string;
  readonly expires: Date;
}

export interface DownloadTerms {
  /** File name that people see; any UTF-8. */
  readonly name: string;
  readonly type: string;
  readonly expires: Date;
  /** Shown in the browser instead of saved. */
  readonly inline?: boolean;
}

/**
 * A flat store of files by key. Keys are made by us only (`isObjectKey`), an object appears complete or not at all, and
 * what an object is (type, name, owner) is known to the database, never to the store.
 */
export interface Storage {
  /** Origins beside our own that presigned links lead to. */
  readonly origins: readonly string[];
  /** A link that accepts one file of exactly these terms until it expires, and the headers to send along. */
  presignPut(key: string, terms: UploadTerms): Promise<{ url: string; headers: Record<string, string> }>;
  /** A link that answers the object with a fixed type and name until it expires. */
  presignGet(key: string, terms: DownloadTerms): Promise<string>;
  head(key: string): Promise<ObjectInfo | null>;
  /** The bytes, or null when there is no such object. The caller reads or destroys the stream. */
  openRead(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Copies an object into a new local file. False when there is no such object; then there is no file either. */
  readTo(key: string, path: string): Promise<boolean>;
  putFile(key: string, path: string, type: string): Promise<void>;
  /** Succeeds when the object is not there. */
  delete(key: string): Promise<void>;
  /** All objects whose key begins with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<ObjectInfo>;
  close(): Promise<void>;
}

/** Lower case only, because some disks do not tell cases apart; no part begins with a dot, so none leads upwards. */
const KEY = /^[a-z0-9_-]+(?:\/[a-z0-9_-][a-z0-9._-]*)+$/;

export function isObjectKey(key: string): boolean {
  return key.length <= 200 && KEY.test(key);
}
