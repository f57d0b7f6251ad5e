import { join } from 'node:path';
import { ApiError, api, LIMITS } from '@framelift/contract';
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../platform/db/open.ts';
import { findAssetKey } from '../asset.sql.ts';
import type { MediaView } from '../media.sql.ts';
import { createMaker } from './make-once.ts';

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

type Keys = Readonly<Record<TeaserPart, string>>;

/** Returns the stored parts, which are made all together; null without one of them. */
async function findStored(db: Queries, mediaId: string): Promise<Keys | null> {
  const stored: Partial<Record<TeaserPart, string>> = {};
  for (const name of NAMES) {
    const key = await findAssetKey(db, mediaId, 'teaser', name);
    if (!key) return null;
    stored[name] = key;
  }
  return stored as Keys;
}

const make = createMaker<Keys>({
  endpoint: api.productPart,
  missing: 'mediaNotFound',
  async make({ context: { storage, converter }, view: { media, keys }, results, folder, signal }) {
    const made: Partial<Record<TeaserPart, string>> = {};
    for (const name of NAMES) {
      const { type, ...size } = PARTS[name];
      const [path, outPath] = [join(folder, name), join(folder, `${name}-small`)];
      const key = keys[name];
      if (!key || !(await storage.readTo(key, path))) throw new ApiError('mediaNotFound');
      await converter.shrink({ ...size, path, outPath }, { user: media.ownerId, signal });
      made[name] = (await results.add({ role: 'teaser', variant: name }, outPath, type)).objectKey;
    }
    return made as Keys;
  },
  findStored,
  isCurrent: (locked, { media }) => locked.resultRevision === media.resultRevision,
});

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
  return (await make(context, view, signal))[part];
}
