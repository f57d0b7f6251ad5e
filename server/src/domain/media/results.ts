import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { OutputFile, PictureResult } from '@framelift/engine';
import type { Context } from '../../context.ts';
import type { media, mediaFiles } from '../../platform/db/schema.ts';
import { knownKeys, type NewObject } from './object.sql.ts';

/** SHA-256 of a file, in hex. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Deletes an object that no row names (any more). Where that fails, the reconciling job does it later. */
export async function removeObject({ storage, log }: Context, key: string): Promise<void> {
  await storage.delete(key).catch((error: unknown) => log.warn({ err: error, key }, 'An object could not be deleted'));
}

/**
 * Deletes those of these objects that no row names. A transaction that failed may have taken place all the same, its
 * answer being lost on the way: only the rows tell. Where even they cannot be asked, the reconciling job does it later.
 */
export async function removeUnnamed(context: Context, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  try {
    const named = await knownKeys(context.db, keys);
    for (const key of keys) if (!named.has(key)) await removeObject(context, key);
  } catch (error) {
    context.log.warn({ err: error, keys }, 'Objects may be left that no row names');
  }
}

/** Files of one piece of work, put into the store before the transaction that names them. */
export interface StoredResults {
  readonly objects: readonly NewObject[];
  /** Stores a file under its hash and answers the key. The same bytes twice are one object. */
  put(path: string, type: string): Promise<string>;
  /** When all is over: what the transaction did not name does not stay. */
  tidy(): Promise<void>;
}

/** A new random prefix each time, so that two tries of one conversion never touch each other's objects. */
export function openResults(context: Context): StoredResults {
  const { storage, ids, clock } = context;
  const prefix = `results/${ids.uuid()}`;
  const stored: NewObject[] = [];
  return {
    objects: stored,
    async put(path, type) {
      const sha256 = await hashFile(path);
      const key = `${prefix}/${sha256}`;
      if (stored.some((object) => object.key === key)) return key;
      const { size } = await stat(path);
      await storage.putFile(key, path, type);
      stored.push({ key, purpose: 'result', sha256, size, type, createdAt: clock.now() });
      return key;
    },
    async tidy() {
      const keys = stored.map(({ key }) => key);
      await removeUnnamed(context, keys);
    },
  };
}

/** Stores the files that were made and answers their rows. */
export async function putFiles(
  { ids, clock }: Context,
  results: StoredResults,
  mediaId: string,
  files: readonly OutputFile[],
): Promise<(typeof mediaFiles.$inferInsert)[]> {
  const rows: (typeof mediaFiles.$inferInsert)[] = [];
  for (const { path, format, name, type, bytes: size, width, height } of files) {
    const objectKey = await results.put(path, type);
    rows.push({
      ...{ id: ids.uuid(), mediaId, createdAt: clock.now() },
      ...{ format, objectKey, name, type, size, width, height },
    });
  }
  return rows;
}

/** Stores cover and preview of a conversion and answers the columns of its media that name them. */
export async function putParts(
  results: StoredResults,
  { preview, depthFile, comfort }: PictureResult,
): Promise<Partial<typeof media.$inferInsert>> {
  return {
    comfort,
    coverKey: preview && (await results.put(preview.cover, 'image/jpeg')),
    // A flat picture has nothing that would move.
    preview:
      preview && depthFile
        ? {
            colour: await results.put(preview.colour, 'image/jpeg'),
            depth: await results.put(preview.depth, 'image/png'),
            background: await results.put(preview.background, 'image/jpeg'),
            backgroundDepth: await results.put(preview.backgroundDepth, 'image/png'),
          }
        : null,
  };
}
