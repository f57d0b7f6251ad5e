import { createHash } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ApiError,
  api,
  type DownloadFormat,
  type FileOptions,
  type Format,
  isSwappable,
  LIMITS,
  MEDIA_STATUS,
  type OutputOf,
} from '@framelift/contract';
import type { DepthSource, DeviceProfile, StillOptions } from '@framelift/engine';
import { otherDisplay, parseCalibration } from '@framelift/engine/formats';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { MINUTE_MS } from '../../../platform/time.ts';
import { deviceProfile } from '../../device-type/device-types.ts';
import { isGuest } from '../../user/user.sql.ts';
import { type DownloadFile, findFile, findObject, touchFile } from '../asset.sql.ts';
import { toEngineRequest } from '../convert/engine-request.ts';
import { asApiError } from '../engine-errors.ts';
import { findOwnMediaForUpdate, type MediaView } from '../media.sql.ts';
import { getShownMedia, ownFormat, timeLeft } from '../media.ts';
import { storeResults } from '../results.ts';
import { SWAPPED } from '../video-variant.ts';
import { type PanelVariant, sideOf } from './panel-picture.ts';
import { createSharedWork } from './shared-work.ts';
import { isVideo, makeVideoFormat } from './video.ts';

/** Retry-After while the remaining time is unknown. */
const RETRY_SECONDS = 2;

interface LinkInput extends FileOptions {
  readonly id: string;
  readonly format?: DownloadFormat | undefined;
  readonly zip?: readonly Format[] | undefined;
}

/** One format, or several in an archive. */
interface DownloadRequest {
  /** Variant of the file's asset: the formats, and the options that differ from the defaults. */
  readonly variant: string;
  readonly formats: readonly Format[];
  readonly archive: boolean;
  readonly options: StillOptions;
}

/**
 * Returns a link to a finished media in one format. A file that does not exist is made now, from the stored depth map,
 * so that all files show the same depth.
 * @param signal aborted when the caller hangs up
 * @throws ApiError see the endpoint
 */
export async function getMediaLink(
  context: Context,
  actor: Actor,
  input: LinkInput,
  signal: AbortSignal,
): Promise<OutputOf<typeof api.getMediaLink>> {
  const view = await getShownMedia(context, actor, input.id);
  if (view.media.status !== MEDIA_STATUS.finished) {
    const retryAfter = timeLeft(view, context.clock.now()) || RETRY_SECONDS;
    throw new ApiError('obj_havent_transformed_completed', [], { retryAfter });
  }
  const format = input.format ?? ownFormat(view);
  if (format === 'original' && !view.isOwn) throw new ApiError('formatNotAvailable');
  const { id, key, name, type } =
    format === 'original' && !input.zip
      ? await originalFile(context, view)
      : await convertedFile(context, view, format, input, signal);
  const expires = new Date(context.clock.now().getTime() + LIMITS.downloadLinkMinutes * MINUTE_MS);
  const url = await context.storage.presignGet(key, { mediaId: view.media.id, name, type, expires });
  return [{ id, type, url }];
}

async function originalFile({ db }: Context, { media, keys }: MediaView): Promise<DownloadFile> {
  const object = keys.original && (await findObject(db, keys.original));
  if (!object) throw new Error(`The stored media ${media.id} has no original`);
  return { id: media.id, key: object.key, name: media.name, type: object.type };
}

/**
 * Returns the file of a finished media in one format or archive. A picture's is made if it does not exist.
 * @param signal aborted when the caller hangs up
 * @throws ApiError those of `getMediaLink`
 */
export async function convertedFile(
  context: Context,
  view: MediaView,
  format: DownloadFormat,
  input: Omit<LinkInput, 'id'>,
  signal: AbortSignal,
): Promise<DownloadFile> {
  const { media } = view;
  const formats = input.zip ?? [format as Format];
  if (media.effect === 0 && formats.some((one) => one !== 'flat')) throw new ApiError('formatNotAvailable');
  const request = toDownloadRequest(view, formats, input);
  const stored = await findFile(context.db, media.id, request.variant);
  if (stored) {
    await touchFile(context.db, media.id, request.variant, context.clock.now());
    return stored;
  }
  // While a change is converted, its file would be made of one state and thrown away for the next.
  if (media.status !== MEDIA_STATUS.finished)
    throw new ApiError('obj_havent_transformed_completed', [], { retryAfter: RETRY_SECONDS });
  if (!isVideo(media)) return makeOnce(context, view, request, signal);
  if (request.archive) throw new ApiError('formatNotAvailable');
  return makeVideoFormat(context, view, request.variant);
}

/** @throws ApiError `calibrationMissing`, `calibrationInvalid`, `calibrationOfOther` */
function toDownloadRequest(
  { device }: MediaView,
  formats: readonly Format[],
  input: Omit<LinkInput, 'id'>,
): DownloadRequest {
  const { swapEyes = false, anaglyph = 'dubois' } = input;
  const chosen = [...new Set(formats)].sort();
  const native = chosen.includes('native') ? readCalibration(input.calibration, deviceProfile(device)) : null;
  const marked = (format: Format) => {
    const marks = [
      swapEyes && isSwappable(format) && SWAPPED,
      format === 'anaglyph' && anaglyph !== 'dubois' && anaglyph,
      format === 'native' && native?.mark,
    ];
    return [format, ...marks.filter(Boolean)].join('~');
  };
  return {
    variant: `${input.zip ? 'zip:' : ''}${chosen.map(marked).join('+')}`,
    formats: chosen,
    archive: input.zip !== undefined,
    options: { swapEyes, anaglyph, ...(native && { calibration: native.calibration }) },
  };
}

/** Returns the parsed calibration of a display, and a hash that identifies it. */
function readCalibration(text: string | undefined, device: DeviceProfile) {
  if (text === undefined) throw new ApiError('calibrationMissing');
  try {
    const calibration = parseCalibration(text);
    const display = otherDisplay(calibration, device);
    if (display !== null) throw new ApiError('calibrationOfOther', [], { values: { display, device: device.name } });
    const mark = createHash('sha256').update(JSON.stringify(calibration)).digest('hex').slice(0, 16);
    return { calibration, mark };
  } catch (error) {
    throw asApiError(error, api.getMediaLink);
  }
}

/**
 * Makes a file of a finished picture in the background, unless there is one.
 * @throws ApiError as getMediaLink
 */
export async function makePictureFile(
  context: Context,
  view: MediaView,
  variant: Format | PanelVariant,
  signal: AbortSignal,
): Promise<void> {
  if (await findFile(context.db, view.media.id, variant)) return;
  const longestPx = sideOf(variant);
  const request: DownloadRequest =
    longestPx === null
      ? toDownloadRequest(view, [variant as Format], {})
      : { variant, formats: ['flat'], archive: false, options: { longestPx } };
  await make(context, view, request, signal, false);
}

/** Files being made by this process. */
const share = createSharedWork<DownloadFile>();

function makeOnce(
  context: Context,
  view: MediaView,
  request: DownloadRequest,
  signal: AbortSignal,
): Promise<DownloadFile> {
  const what = `${view.media.id} ${view.media.resultRevision} ${request.variant}`;
  return share(what, signal, (ownSignal) => make(context, view, request, ownSignal, true));
}

async function make(
  context: Context,
  view: MediaView,
  request: DownloadRequest,
  signal: AbortSignal,
  interactive: boolean,
): Promise<DownloadFile> {
  const { media, keys } = view;
  const { db, storage, converter, tempDirs } = context;
  try {
    return await storeResults(context, async (results) => {
      const made = await tempDirs.use(async (folder) => {
        const input = join(folder, 'original');
        const outDir = await mkdtemp(join(folder, 'results-'));
        await fetchObject(storage, keys.original, input);
        // A flat picture has no depth.
        const depth = media.effect === 0 ? null : join(folder, 'depth');
        if (depth !== null) await fetchObject(storage, keys.depthMap, depth);
        const { archive, files } = await converter.convert(
          {
            ...toEngineRequest(view),
            input,
            outDir,
            ...request.options,
            ...(depth !== null && { depth: { path: depth, source: media.depthSource as DepthSource } }),
            formats: request.formats,
            archive: request.archive,
            archiveDate: (media.finishedAt ?? media.createdAt).getTime(),
          },
          { user: media.ownerId, isGuest: await isGuest(db, media.ownerId), signal, interactive },
        );
        const file = archive ?? files[0];
        if (!file) throw new Error(`The engine made no ${request.variant}`);
        const { name, path, type } = file;
        const { id, objectKey } = await results.add({ role: 'file', variant: request.variant, name }, path, type);
        return { id, key: objectKey, name, type };
      });
      return db.transaction(async (tx) => {
        const locked = await findOwnMediaForUpdate(tx, media.ownerId, media.id);
        if (!locked || locked.deletedAt) throw new ApiError('mediaNotFound');
        // Changed meanwhile: this file shows the previous state.
        if (locked.status !== MEDIA_STATUS.finished || locked.resultRevision !== media.resultRevision)
          throw new ApiError('obj_havent_transformed_completed', [], { retryAfter: RETRY_SECONDS });
        // If another process was faster, its file is used.
        const earlier = await findFile(tx, media.id, request.variant);
        if (!earlier) await results.save(tx, locked);
        return earlier ?? made;
      });
    });
  } catch (error) {
    throw asApiError(error, api.getMediaLink);
  }
}

async function fetchObject(storage: Storage, key: string | undefined, path: string): Promise<void> {
  if (key && (await storage.readTo(key, path))) return;
  throw new Error(`The object ${key} of a finished media is not in the store`);
}
