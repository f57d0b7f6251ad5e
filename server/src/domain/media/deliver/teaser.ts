import { join } from 'node:path';
import { ApiError, api, LIMITS } from '@framelift/contract';
import type { Context } from '../../../context.ts';
import { findAssetKey } from '../asset.sql.ts';
import { asApiError } from '../engine-errors.ts';
import { findMediaForUpdate, type MediaView } from '../media.sql.ts';
import { storeResults } from '../results.ts';
import { createSharedWork } from './shared-work.ts';

const { colourPx, depthPx } = LIMITS.shop.teaser;

/** The parts of a preview, and what a small copy of each is. */
const PARTS = {
  colour: { kind: 'colour', longest: colourPx, type: 'image/jpeg' },
  background: { kind: 'colour', longest: colourPx, type: 'image/jpeg' },
  depth: { kind: 'depth', longest: depthPx, type: 'image/png' },
  backgroundDepth: { kind: 'depth', longest: depthPx, type: 'image/png' },
} as const;
export type TeaserPart = keyof typeof PARTS;
const NAMES = Object.keys(PARTS) as TeaserPart[];

/** Teasers being made by this process. */
const share = createSharedWork<Readonly<Record<TeaserPart, string>>>();

/**
 * Returns the key of a part of the preview so small that it does not give the picture away. Made on the first request, all
 * parts together; null for a media without a preview.
 * @param signal aborted when the caller hangs up
 * @throws ApiError `conversionFailed`; `mediaNotFound` if it was changed meanwhile
 */
export async function teaserPart(
  context: Context,
  view: MediaView,
  part: TeaserPart,
  signal: AbortSignal,
): Promise<string | null> {
  const { media, keys } = view;
  if (!NAMES.every((name) => keys[name])) return null;
  const stored = await findAssetKey(context.db, media.id, 'teaser', part);
  if (stored) return stored;
  const made = await share(`${media.id} ${media.resultRevision}`, signal, (all) => make(context, view, all));
  return made[part];
}

async function make(
  context: Context,
  { media, keys }: MediaView,
  signal: AbortSignal,
): Promise<Readonly<Record<TeaserPart, string>>> {
  const { db, storage, converter, tempDirs } = context;
  try {
    return await storeResults(context, async (results) => {
      const made: Record<string, string> = {};
      await tempDirs.use(async (folder) => {
        for (const name of NAMES) {
          const { type, ...size } = PARTS[name];
          const [path, outPath] = [join(folder, name), join(folder, `${name}-small`)];
          const key = keys[name];
          if (!key || !(await storage.readTo(key, path))) throw new ApiError('mediaNotFound');
          await converter.shrink({ ...size, path, outPath }, { user: media.ownerId, signal });
          made[name] = (await results.add({ role: 'teaser', variant: name }, outPath, type)).objectKey;
        }
      });
      return db.transaction(async (tx) => {
        const locked = await findMediaForUpdate(tx, media.id);
        if (!locked || locked.resultRevision !== media.resultRevision) throw new ApiError('mediaNotFound');
        // Another process may have been faster; all parts are made together.
        const earlier: Record<string, string> = {};
        for (const name of NAMES) {
          const key = await findAssetKey(tx, media.id, 'teaser', name);
          if (key) earlier[name] = key;
        }
        if (NAMES.every((name) => earlier[name])) return earlier as Record<TeaserPart, string>;
        await results.save(tx, locked);
        return made as Record<TeaserPart, string>;
      });
    });
  } catch (error) {
    throw asApiError(error, api.productPart);
  }
}
