import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MEDIA_TYPE } from '@framelift/contract';
import type { Size } from '@framelift/engine';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/open.ts';
import { insertAssets } from '../asset.sql.ts';
import { startConversion } from '../convert/start-conversion.ts';
import { insertFirstRevision } from '../edit/revisions.ts';
import { findMedia, insertMedia } from '../media.sql.ts';
import { storeResults } from '../results.ts';

/** A picture of this program with its depth, instead of an upload. */
export interface ImportedPicture {
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  readonly deviceTypeId: number;
  /** A JPEG of the ratio of the device type, and a picture of its depth of the same size. */
  readonly path: string;
  readonly depthPath: string;
  readonly size: Size;
}

/**
 * Stores a picture and starts its conversion, for nothing; uploads of members go first. One that is stored already stays
 * as it is.
 * @param also writes in the same transaction
 */
export async function importPicture(
  context: Context,
  picture: ImportedPicture,
  also: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { id, ownerId, name, deviceTypeId, path, depthPath, size } = picture;
  const { db, ids, clock, converter, tempDirs } = context;
  await storeResults(context, (results) =>
    tempDirs.use(async (folder) => {
      const depth = join(folder, 'depth.png');
      await converter.depthMap({ path: depthPath, outPath: depth }, { user: ownerId, isGuest: true });
      const original = await results.put(path, 'image/jpeg', 'upload');
      const depthMap = await results.put(depth, 'image/png', 'depth');
      const { size: bytes } = await stat(path);
      await db.transaction(async (tx) => {
        if (await findMedia(tx, id)) return;
        const now = clock.now();
        const settings = {
          effectParamId: null,
          effect: 100,
          crop: { x: 0, y: 0, ...size },
          convergence: null,
          ground: null,
          pair: null,
          strokes: [],
          depthSource: 'member',
        };
        const { picture: mediaType } = MEDIA_TYPE;
        await insertMedia(tx, {
          ...settings,
          ...{ id, ownerId, name, mediaType, deviceTypeId, uploadState: 'stored' },
          ...{ declaredSize: bytes, declaredType: 'image/jpeg', sourceWidth: size.width, sourceHeight: size.height },
          createdAt: now,
        });
        await results.save(tx, { id, ownerId });
        await insertAssets(tx, id, [
          { id: ids.uuid(), role: 'original', objectKey: original },
          { id: ids.uuid(), role: 'depthMap', variant: '1', objectKey: depthMap },
        ]);
        await insertFirstRevision(tx, id, settings, now);
        const free = { price: 0, payWith: null, paidFor: null, givesWay: true };
        await startConversion(context, tx, { id, ownerId, name, mediaType, revision: 1, ...free }, now);
        await also(tx);
      });
    }),
  );
  context.changes.changed(id);
}
