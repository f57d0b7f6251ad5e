import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { LIMITS } from '@framelift/contract';
import type { OutputFile, PictureResult } from '@framelift/engine';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { isGuest } from '../user/user.sql.ts';
import { findKnownKeys, insertAssets, insertObjects, type NewAsset, type NewObject } from './asset.sql.ts';
import type { MediaRow } from './media.sql.ts';
import { evictFiles, storedBytes } from './usage.sql.ts';

/** Share of a guest for results, in bytes: as much as a guest can send. Anybody can be many guests. */
const GUEST_SHARE = LIMITS.guest.uploads * LIMITS.uploadBytes;

/** Returns the SHA-256 of a file, in hex. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Deletes the files of objects without a row. Failures are logged and left to the reconcile job. */
export async function deleteObjects({ storage, log }: Context, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await storage
      .delete(key)
      .catch((error: unknown) => log.warn({ err: error, key }, 'An object could not be deleted'));
  }
}

/**
 * Deletes the files of those objects that no row refers to. Checks the rows, because a failed transaction may have
 * committed although its response was lost. Failures are left to the reconcile job.
 */
export async function deleteOrphanedObjects(context: Context, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  try {
    const known = await findKnownKeys(context.db, keys);
    await deleteObjects(
      context,
      keys.filter((key) => !known.has(key)),
    );
  } catch (error) {
    context.log.warn({ err: error, keys }, 'Orphaned objects may be left');
  }
}

/** Files of one task, stored before the transaction that refers to them. */
export interface Results {
  /** Stores a file under its hash and returns its key. Equal bytes are stored once. */
  put(path: string, type: string, purpose?: NewObject['purpose']): Promise<string>;
  /** Stores a file that will be an asset of the media. */
  add(
    asset: Pick<NewAsset, 'role' | 'variant' | 'name'>,
    path: string,
    type: string,
  ): Promise<NewAsset & { readonly id: string }>;
  /** Inserts the rows of the objects and of this media's assets. */
  save(tx: Tx, media: Pick<MediaRow, 'id' | 'ownerId'>): Promise<void>;
}

/**
 * Runs `work`, which stores files and refers to them in its own transaction. Afterwards deletes the stored files
 * without a row, for example after a failure. Each call has a new random prefix, so that two attempts at one conversion
 * never touch each other's objects.
 */
export async function storeResults<T>(context: Context, work: (results: Results) => Promise<T>): Promise<T> {
  const { storage, ids, clock } = context;
  const prefix = `results/${ids.uuid()}`;
  const objects: NewObject[] = [];
  const assets: NewAsset[] = [];
  let savedFor: string | null = null;
  const put: Results['put'] = async (path, type, purpose = 'result') => {
    const sha256 = await hashFile(path);
    const key = `${prefix}/${sha256}`;
    if (objects.some((object) => object.key === key)) return key;
    const { size } = await stat(path);
    await storage.putFile(key, path, type);
    objects.push({ key, purpose, sha256, size, type, createdAt: clock.now() });
    return key;
  };
  const results: Results = {
    put,
    async add(asset, path, type) {
      const added = { ...asset, id: ids.uuid(), objectKey: await put(path, type), usedAt: clock.now() };
      assets.push(added);
      return added;
    },
    async save(tx, { id, ownerId }) {
      await insertObjects(tx, ownerId, objects);
      await insertAssets(tx, id, assets);
      savedFor = ownerId;
    },
  };
  try {
    const done = await work(results);
    if (savedFor !== null) {
      const kept = assets.map(({ id }) => id);
      await keepToShare(context, savedFor, kept);
    }
    return done;
  } finally {
    await deleteOrphanedObjects(
      context,
      objects.map(({ key }) => key),
    );
  }
}

/**
 * Evicts files of a user that can be made again, as far as results exceed their share. A failure is logged: the next
 * result evicts them.
 */
async function keepToShare(context: Context, ownerId: string, kept: readonly string[]): Promise<void> {
  const { db, settings, clock, log } = context;
  try {
    await deleteObjects(
      context,
      await db.transaction(async (tx) => {
        const share = (await isGuest(tx, ownerId)) ? Math.min(GUEST_SHARE, settings.resultBytes) : settings.resultBytes;
        const orphans: string[] = [];
        for (;;) {
          const { lasting, files } = await storedBytes(tx, [ownerId], null);
          const excess = lasting + files - share;
          const evicted = excess > 0 ? await evictFiles(tx, ownerId, { excess, kept, now: clock.now() }) : null;
          if (!evicted?.count) return orphans;
          orphans.push(...evicted.orphans);
        }
      }),
    );
  } catch (error) {
    log.warn({ err: error, userId: ownerId }, 'Files beyond the share of a user may be left');
  }
}

export async function addFile(
  results: Results,
  { format, name, path, type }: OutputFile,
  variant: string = format,
): Promise<void> {
  await results.add({ role: 'file', variant, name }, path, type);
}

/** Adds all files of a conversion, its cover and the assets of its preview, of which a flat picture has only the colour. */
export async function addConversion(results: Results, { files, preview, depthFile }: PictureResult): Promise<void> {
  for (const file of files) await addFile(results, file);
  if (!preview) return;
  await results.add({ role: 'cover' }, preview.cover, 'image/jpeg');
  await results.add({ role: 'colour' }, preview.colour, 'image/jpeg');
  if (!depthFile) return;
  await results.add({ role: 'depth' }, preview.depth, 'image/png');
  await results.add({ role: 'background' }, preview.background, 'image/jpeg');
  await results.add({ role: 'backgroundDepth' }, preview.backgroundDepth, 'image/png');
}
