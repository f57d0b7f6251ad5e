import { createHash } from 'node:crypto';
import { MEDIA_STATUS } from '@framelift/contract';
import type { Crop, Rect, Size } from '@framelift/engine';
import { editedSize, fitCrop, wholeCrop } from '@framelift/engine/geometry';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/open.ts';
import { parseRatio } from '../../device-type/wire-format.ts';
import { findAssetKey, insertAssets } from '../asset.sql.ts';
import { startConversion } from '../convert/start-conversion.ts';
import { smallestCrop } from '../edit/crop.ts';
import { movedStrokes } from '../edit/moved-strokes.ts';
import { insertFirstRevision } from '../edit/revisions.ts';
import {
  findCopyForUpdate,
  findMediaForUpdate,
  insertMedia,
  type MediaRow,
  type MediaView,
  purgeMedia,
  updateMedia,
} from '../media.sql.ts';
import { deleteObjects } from '../results.ts';

type Device = MediaView['device'];

/** What a copy shares with its media, besides the settings: the objects are not stored twice. */
const SHARED = ['original', 'video', 'uncropped'] as const;

/**
 * Returns the crop of a copy: around the crop of the media, as large as needed to contain it, within the picture and with
 * the same turns. A bordered one contains the whole picture again. Null if there is none of a sufficient size.
 */
export function copyCrop(
  { crop, sourceWidth, sourceHeight, mediaType }: Pick<MediaRow, 'crop' | 'sourceWidth' | 'sourceHeight' | 'mediaType'>,
  device: Device,
): Crop | null {
  if (!crop || !sourceWidth || !sourceHeight) return null;
  const ratio = parseRatio(device.ratio);
  const whole = editedSize({ width: sourceWidth, height: sourceHeight }, crop);
  const copy = { ...crop, ...(crop.border ? wholeCrop(whole, ratio) : cropAround(crop, whole, ratio)) };
  return Math.min(copy.width, copy.height) < smallestCrop(mediaType) ? null : copy;
}

/** Returns the rectangle of a ratio around another one, moved and cut so that it lies within the picture. */
function cropAround(crop: Rect, whole: Size, [across, down]: [number, number]): Rect {
  const width = Math.min(whole.width, Math.max(crop.width, Math.round((crop.height * across) / down)));
  const height = Math.min(whole.height, Math.max(crop.height, Math.round((crop.width * down) / across)));
  const within = (start: number, size: number, most: number) => Math.max(0, Math.min(Math.round(start), most - size));
  const x = within(crop.x + (crop.width - width) / 2, width, whole.width);
  const y = within(crop.y + (crop.height - height) / 2, height, whole.height);
  return fitCrop({ x, y, width, height }, [across, down]);
}

/** Returns a hash of everything that a copy depends on, so that a copy of an earlier state is recognised. */
export function copyKey({ effect, crop, convergence, ground, pair, strokes }: MediaRow, device: Device): string {
  const { ratio, extendResolution, format, quilt, disparityBudget } = device;
  const settings = [effect, crop, convergence, ground, pair, strokes];
  return createHash('sha256')
    .update(JSON.stringify([settings, ratio, extendResolution, format, quilt, disparityBudget]))
    .digest('hex');
}

/**
 * Makes the copy of a media for a type of device, unless there is one of its present state. An outdated copy is deleted.
 * @param again whether a failed one is tried again
 */
export async function makeCopy(
  context: Context,
  { id, device, again = false }: { readonly id: string; readonly device: Device; readonly again?: boolean },
): Promise<void> {
  const { db, clock } = context;
  const orphans = await db.transaction(async (tx) => {
    const media = await findMediaForUpdate(tx, id);
    if (media?.status !== MEDIA_STATUS.finished || media.deletedAt) return [];
    const crop = copyCrop(media, device);
    if (!crop) return [];
    const key = copyKey(media, device);
    const now = clock.now();
    const earlier = await findCopyForUpdate(tx, id, device.id);
    if (earlier?.copyKey === key) {
      if (again && earlier.status === MEDIA_STATUS.unable) {
        await updateMedia(tx, earlier.id, { status: MEDIA_STATUS.processing, failureCode: null });
        await startConversion(context, tx, earlier, now);
      }
      return [];
    }
    const left = earlier ? await purgeMedia(tx, earlier.id) : [];
    await insertCopy(context, tx, media, { device, crop, key, now });
    return left;
  });
  await deleteObjects(context, orphans);
}

async function insertCopy(
  context: Context,
  tx: Tx,
  media: MediaRow,
  made: { readonly device: Device; readonly crop: Crop; readonly key: string; readonly now: Date },
): Promise<void> {
  const { ids } = context;
  const { device, crop, key, now } = made;
  const source = { width: media.sourceWidth ?? 0, height: media.sourceHeight ?? 0 };
  const { ownerId, name, mediaType, orderType, effectParamId, effect, convergence, ground, pair } = media;
  const settings = {
    effectParamId,
    effect,
    convergence,
    ground,
    pair,
    crop,
    strokes: movedStrokes(media.strokes, media.crop ?? crop, crop, source),
    depthSource: null,
  };
  const id = ids.uuid();
  await insertMedia(tx, {
    ...settings,
    id,
    ownerId,
    name,
    mediaType,
    orderType,
    deviceTypeId: device.id,
    uploadState: 'stored',
    declaredSize: media.declaredSize,
    declaredType: media.declaredType,
    sourceWidth: media.sourceWidth,
    sourceHeight: media.sourceHeight,
    video: media.video,
    copyOf: media.id,
    copyKey: key,
    createdAt: now,
  });
  for (const role of SHARED) {
    const objectKey = await findAssetKey(tx, media.id, role);
    if (objectKey) await insertAssets(tx, id, [{ id: ids.uuid(), role, objectKey, usedAt: now }]);
  }
  await insertFirstRevision(tx, id, settings, now);
  const free = { price: 0, payWith: null, paidFor: null };
  await startConversion(context, tx, { id, ownerId, name, mediaType, revision: 1, ...free }, now);
}
