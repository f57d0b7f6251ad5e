import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { ApiError, api, type InputOf, LIMITS, MEDIA_TYPE, type MediaDetail } from '@framelift/contract';
import type { PairChoice } from '@framelift/contract/formats';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { receive } from '../../../platform/storage/receive.ts';
import { getChosenEffect } from '../../device-type/device-types.ts';
import { asApiError } from '../engine-errors.ts';
import { type MediaRow, updateMedia } from '../media.sql.ts';
import { getOwnMedia } from '../media.ts';
import { storeResults } from '../results.ts';
import { requireRoom } from '../usage.ts';
import { cropFor, mustSuit } from './crop.ts';
import { movedStrokes } from './moved-strokes.ts';
import { applyEdit, type Edit, mustBeChangeable } from './revisions.ts';

interface ById {
  readonly id: string;
}

/**
 * Converts again with another strength, crop, convergence, ground or layout of a pair. A depth map belongs to one
 * crop and layout: it is estimated again for another one, and the strokes keep their place in the picture.
 * @throws ApiError see the endpoint
 */
export async function changeMedia(
  context: Context,
  actor: Actor,
  { id }: ById,
  input: InputOf<typeof api.changeMedia>,
): Promise<MediaDetail> {
  const { media, device } = await getOwnMedia(context.db, actor, id);
  mustSuit(input.crop, media.mediaType);
  mustBePossible(input.pair, media);
  const { effect_param_id: effectId, convergence, ground, pair } = input;
  const choice = { deviceTypeId: device.id, mediaType: media.mediaType as MediaDetail['media_type'] };
  const effect = effectId === undefined ? null : await getChosenEffect(context.db, actor, { ...choice, id: effectId });
  return applyEdit(context, actor, id, (locked) => ({
    ...(effect ? { effectParamId: effect.id, effect: effect.percent } : {}),
    ...(convergence === undefined ? {} : { convergence }),
    ...(ground === undefined ? {} : { ground }),
    ...(pair === undefined || pair === locked.pair ? {} : { pair, depthMap: null, depthSource: null }),
    ...(input.crop === undefined ? {} : editCrop(locked, device, input.crop)),
  }));
}

/**
 * The size and crop of a video are those of one eye, which another packing would not have.
 * @throws ApiError `invalidInput` for a change of a video other than of the order of its eyes
 */
function mustBePossible(asked: PairChoice | null | undefined, { mediaType, pair: now }: MediaRow): void {
  if (asked === undefined || mediaType !== MEDIA_TYPE.video || asked === now) return;
  const orders = [['leftRight', 'rightLeft'] as const, ['aboveBelow', 'belowAbove'] as const];
  if (!orders.some((order) => order.some((one) => one === asked) && order.some((one) => one === now)))
    throw new ApiError('invalidInput', ['pair: only the order of the eyes of a video can be changed']);
}

/** @throws ApiError `cropOutsidePicture`, `cropTooSmall`, `pictureTooSmall` */
function editCrop(media: MediaRow, device: Parameters<typeof cropFor>[0]['device'], asked: MediaRow['crop']): Edit {
  const source = { width: media.sourceWidth ?? 0, height: media.sourceHeight ?? 0 };
  try {
    const crop = cropFor({ media, device }, asked, source);
    const before = media.crop ?? crop;
    if (isDeepStrictEqual(crop, before)) return {};
    const strokes = movedStrokes(media.strokes, before, crop, source);
    return { crop, strokes, depthMap: null, depthSource: null };
  } catch (error) {
    throw asApiError(error, api.changeMedia);
  }
}

/** @throws ApiError see the endpoint */
export async function paintMediaDepth(
  context: Context,
  actor: Actor,
  { id }: ById,
  input: InputOf<typeof api.paintMediaDepth>,
): Promise<MediaDetail> {
  return applyEdit(context, actor, id, (media) => {
    mustHaveDepth(media);
    const strokes = [...media.strokes, ...input.strokes];
    const points = strokes.reduce((sum, stroke) => sum + stroke.points.length, 0);
    const { count, points: mostPoints } = LIMITS.strokes;
    if (strokes.length > count || points > mostPoints)
      throw new ApiError('tooManyStrokes', [`at most ${count} strokes with ${mostPoints} points in all`]);
    return { strokes };
  });
}

/**
 * Receives a depth map from the member. Like every uploaded file it is decoded in the forked process, and it is stored
 * as a 16-bit map like an estimated one.
 * @param body stays open after a failure, so that a response can be sent
 * @param hangUp aborted when the caller hangs up
 * @throws ApiError see the endpoint
 */
export async function setMediaDepth(
  context: Context,
  actor: Actor,
  { id }: ById,
  body: Readable,
  hangUp: AbortSignal,
): Promise<MediaDetail> {
  const { media } = await getOwnMedia(context.db, actor, id);
  // Before the body is received, and again when the row is locked.
  mustBeChangeable(media);
  mustHaveDepth(media);
  try {
    return await storeResults(context, (results) =>
      context.tempDirs.use(async (folder) => {
        const sent = join(folder, 'sent');
        const kept = join(folder, 'depth.png');
        await receiveDepth(body, sent);
        const size = await context.converter.depthMap(
          { path: sent, outPath: kept },
          { user: media.ownerId, isGuest: actor.kind === 'guest', signal: hangUp },
        );
        const depthMap = await results.put(kept, 'image/png', 'depth');
        const { size: bytes } = await stat(kept);
        return applyEdit(context, actor, id, async (locked, tx) => {
          mustHaveDepth(locked);
          mustFit(size, locked);
          await requireRoom(context, tx, locked.ownerId, bytes);
          await results.save(tx, locked);
          await updateMedia(tx, id, { notes: size.notes });
          return { depthMap, depthSource: 'member', strokes: [] };
        });
      }),
    );
  } catch (error) {
    throw asApiError(error, api.setMediaDepth);
  }
}

/** @throws ApiError `depthMapTooLarge`, `fileEmpty`, `uploadBroken`, `UploadTimeOut` */
async function receiveDepth(body: Readable, path: string): Promise<void> {
  const limit = LIMITS.depthMap.bytes;
  const tooMuch = () => new ApiError('depthMapTooLarge', [`more than ${limit} bytes`]);
  if ((await receive(path, body, { limit, tooMuch })) === 0) throw new ApiError('fileEmpty');
}

/** @throws ApiError `depthNotEditable` for videos and flat pictures */
function mustHaveDepth({ mediaType, effect }: MediaRow): void {
  if (mediaType === MEDIA_TYPE.video || effect === 0) throw new ApiError('depthNotEditable');
}

/** @throws ApiError `depthMapUnfit` if its aspect ratio differs from the crop's */
function mustFit(size: { readonly width: number; readonly height: number }, { crop }: MediaRow): void {
  if (!crop) return;
  const relative = (size.width * crop.height) / (size.height * crop.width);
  if (Math.abs(relative - 1) > LIMITS.depthMap.aspectPercent / 100)
    throw new ApiError('depthMapUnfit', [
      `${size.width} x ${size.height} for a crop of ${crop.width} x ${crop.height}`,
    ]);
}
