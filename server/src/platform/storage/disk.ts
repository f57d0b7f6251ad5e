import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, copyFile, mkdir, open, readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { ApiError } from '@framelift/contract';
import { createLinkSigner } from './links.ts';
import { receive } from './receive.ts';
import { isObjectKey, type ObjectInfo, type Storage } from './storage.ts';

export interface DiskStorageOptions {
  /** Folder of the objects; created if missing. */
  readonly root: string;
  /** Secret that signs the links. */
  readonly secret: Buffer;
  readonly now: () => Date;
}

/** A store with one file per object. `http/files.ts` serves its links. */
export interface DiskStorage extends Storage {
  /**
   * Stores one object of exactly `size` bytes. After a failure nothing is left behind and `body` stays open, so that a
   * response can be sent. One body at a time is received per key, so that parallel ones cannot fill the disk: a later
   * one ends the earlier one, because a connection that the sender has given up can stay open here for minutes.
   * @throws ApiError uploadSizeMismatch, at the first excess byte; uploadBroken if the sender disconnects;
   *   UploadTimeOut if it sends too slowly (`SLOWEST`); uploadReplaced if a later call has ended this one
   */
  receive(key: string, body: Readable, size: number): Promise<void>;
}

export function isDiskStorage(storage: Storage): storage is DiskStorage {
  return 'receive' in storage;
}

export async function openDiskStorage({ root, secret, now }: DiskStorageOptions): Promise<DiskStorage> {
  // Inside the root, because a rename is atomic within one file system only. No key begins with a dot.
  const incoming = join(root, '.incoming');
  await mkdir(incoming, { recursive: true });
  const links = createLinkSigner(secret, now);

  const pathOf = (key: string): string => {
    if (!isObjectKey(key)) throw new Error(`Not a key of an object: ${JSON.stringify(key)}`);
    return join(root, key);
  };

  /** Lets `fill` write a temporary file and renames it after it is complete and synced to disk. */
  async function place(key: string, fill: (temporary: string) => Promise<void>): Promise<void> {
    const path = pathOf(key);
    const temporary = join(incoming, randomUUID());
    try {
      await fill(temporary);
      await syncPath(temporary);
      await mkdir(dirname(path), { recursive: true });
      await rename(temporary, path).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        // A concurrent delete removed the empty folder between the two calls.
        await mkdir(dirname(path), { recursive: true });
        await rename(temporary, path);
      });
      await syncPath(dirname(path));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  /** The last call of `receive` per key. */
  const receiving = new Map<string, { readonly ended: Promise<unknown>; replace(): void }>();

  return {
    origins: [],
    links,
    async presignPut(key, claims) {
      pathOf(key);
      return { url: links.put(key, claims), headers: { 'content-type': claims.type } };
    },
    async presignGet(key, claims) {
      pathOf(key);
      return links.get(key, claims);
    },
    directGet: async () => null,
    async head(key) {
      const found = await stat(pathOf(key)).catch(absent);
      return found?.isFile() ? { key, size: found.size, modified: found.mtime } : null;
    },
    async openRead(key, range) {
      const file = await open(pathOf(key)).catch(absent);
      return file?.createReadStream(range) ?? null;
    },
    async readTo(key, path) {
      try {
        await copyFile(pathOf(key), path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
        return true;
      } catch (error) {
        return absent(error) !== null;
      }
    },
    async putFile(key, path) {
      await place(key, (temporary) => copyFile(path, temporary, constants.COPYFILE_FICLONE));
    },
    async receive(key, body, size) {
      const earlier = receiving.get(key);
      earlier?.replace();
      const replaced = new AbortController();
      const stored = Promise.resolve(earlier?.ended).then(() =>
        place(key, (temporary) => writeExactly(temporary, body, size, replaced.signal)),
      );
      const last = {
        ended: stored.catch(() => {}),
        replace: () => replaced.abort(new ApiError('uploadReplaced')),
      };
      receiving.set(key, last);
      try {
        await stored;
      } finally {
        if (receiving.get(key) === last) receiving.delete(key);
      }
    },
    async delete(key) {
      const path = pathOf(key);
      await unlink(path).catch(absent);
      for (let folder = dirname(path); folder !== root; folder = dirname(folder)) {
        const removed = await rmdir(folder).then(
          () => true,
          () => false,
        );
        if (!removed) break;
      }
    },
    async removeUnfinished(before) {
      for (const name of await readdir(incoming)) {
        const path = join(incoming, name);
        const found = await stat(path).catch(absent);
        if (found && found.mtime < before) await rm(path, { force: true });
      }
    },
    async *list(prefix) {
      yield* walk(root, '', prefix);
    },
    async check() {
      await access(incoming, constants.R_OK | constants.W_OK);
    },
    async close() {},
  };
}

async function writeExactly(path: string, body: Readable, size: number, signal: AbortSignal): Promise<void> {
  const tooMuch = () => new ApiError('uploadSizeMismatch', [`more than the announced ${size} bytes`]);
  const received = await receive(path, body, { limit: size, tooMuch, signal });
  if (received < size) throw new ApiError('uploadSizeMismatch', [`${received} of the announced ${size} bytes`]);
}

async function* walk(root: string, folder: string, prefix: string): AsyncGenerator<ObjectInfo> {
  const entries = (await readdir(join(root, folder), { withFileTypes: true }).catch(absent)) ?? [];
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const key = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (`${key}/`.startsWith(prefix) || prefix.startsWith(`${key}/`)) yield* walk(root, key, prefix);
    } else if (key.startsWith(prefix)) {
      const found = await stat(join(root, key)).catch(absent);
      if (found) yield { key, size: found.size, modified: found.mtime };
    }
  }
}

/** Syncs a file's content, or a folder's entries, so that they survive a power cut. */
async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function absent(error: unknown): null {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return null;
  throw error;
}
