import {
  ApiError,
  type api,
  CONVERSION_STEPS,
  DOWNLOAD_FORMATS,
  type DownloadFormat,
  type InputOf,
  MEDIA_STATUS,
  type Media,
  type MediaDetail,
} from '@framelift/contract';
import { errorText } from '@framelift/texts/node';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Queries } from '../../platform/db/open.ts';
import { type Page, paged } from '../../platform/paging.ts';
import { getOwnAlbum } from '../album/own-album.ts';
import { presentDeviceType } from '../device-type/device-types.ts';
import { type ConversionRow, newestFormats } from './convert/conversion.sql.ts';
import { partAddress } from './deliver/asset-url.ts';
import { isVideo, presentVideo, VIDEO_DOWNLOADS, videoFormat } from './deliver/video.ts';
import { revisionSpan } from './edit/revision.sql.ts';
import { findOwnMedia, listMedia, type MediaRow, type MediaView } from './media.sql.ts';
import { listFiles, type MediaFileRow } from './object.sql.ts';
import { secondsLeft } from './time-left.ts';

/**
 * The caller's own media. That of another member, an unknown and a deleted one are the same to them.
 * @throws ApiError `mediaNotFound`
 */
export async function getOwn(db: Queries, actor: Actor, id: string): Promise<MediaView> {
  const view = await findOwnMedia(db, signedIn(actor).userId, id);
  if (!view || view.media.status === MEDIA_STATUS.deleted) throw new ApiError('mediaNotFound');
  return view;
}

/** One media of the caller. @throws ApiError `mediaNotFound` */
export async function getMedia(context: Context, actor: Actor, { id }: { readonly id: string }): Promise<MediaDetail> {
  const { db } = context;
  const view = await getOwn(db, actor, id);
  const videos = isVideo(view.media);
  const beside = {
    revisions: await revisionSpan(db, id),
    files: videos ? await listFiles(db, id) : [],
    formats: videos ? await newestFormats(db, id) : [],
  };
  return presentDetail(context, actor, view, beside);
}

/** A page of the caller's pictures and videos, newest first. @throws ApiError `invalidInput` for a cursor not of ours; `albumNotFound` */
export async function listVideos(
  context: Context,
  actor: Actor,
  input: InputOf<typeof api.videos>,
): Promise<Page<Media>> {
  if (input.album) await getOwnAlbum(context.db, actor, input.album);
  const { userId } = signedIn(actor);
  const filter = { orderType: input.type === 'all' ? null : Number(input.type), albumId: input.album ?? null };
  return paged({
    cursor: input.page,
    read: (request) => listMedia(context.db, userId, { ...filter, ...request }),
    positionOf: ({ media }) => media,
    present: (views) => views.map(presentMedia),
  });
}

/** A media as lists show it. What is deleted has no picture any more. */
export function presentMedia({ media, conversion }: MediaView): Media {
  const processing = media.status === MEDIA_STATUS.processing;
  const coverKey = media.status === MEDIA_STATUS.deleted ? null : media.coverKey;
  return {
    id: media.id,
    name: media.name,
    status: media.status as Media['status'],
    cover: partAddress(media.id, 'cover', coverKey),
    date: media.createdAt.toISOString(),
    finish_time: (processing ? null : media.finishedAt?.toISOString()) ?? null,
    type: media.orderType as Media['type'],
    media_type: media.mediaType as Media['media_type'],
    device_type_id: media.deviceTypeId,
    effect: media.effect,
    progress: media.status === MEDIA_STATUS.finished ? 100 : Math.floor(99 * (conversion?.progress ?? 0)),
  };
}

/** What is read beside a media to show everything about it. */
interface Beside {
  readonly revisions: { readonly first: number; readonly last: number };
  /** Of videos. */
  readonly files: readonly MediaFileRow[];
  readonly formats: readonly ConversionRow[];
}

/** Everything about a media, sentences in the caller's language. */
function presentDetail(context: Context, actor: Actor, view: MediaView, beside: Beside): MediaDetail {
  const { media, device } = view;
  const now = context.clock.now();
  const stored = media.uploadState === 'stored';
  const { sourceWidth: width, sourceHeight: height, failureCode: code } = media;
  return {
    ...presentMedia(view),
    uploaded: stored,
    step: stepOf(view),
    timeLeft: timeLeft(view, now),
    failure: code ? { code, message: errorText(code, actor.language) } : null,
    depthSource: media.effect === 0 ? null : media.depthSource,
    comfort: media.comfort,
    convergence: media.convergence,
    strokes: media.strokes.length,
    canUndo: stored && media.revision > beside.revisions.first,
    canRedo: stored && media.revision < beside.revisions.last,
    whole: stored ? partAddress(media.id, 'whole', media.originalKey) : null,
    film: presentVideo(view, { ...beside, preview: partAddress(media.id, 'film', videoPart(media)) }, actor, now),
    crop: media.crop,
    source: width && height ? { width, height } : null,
    deviceType: presentDeviceType(device),
    preview: presentPreview(media),
    formats: availableFormats(view),
  };
}

function presentPreview({ id, preview }: MediaRow): MediaDetail['preview'] {
  if (!preview) return null;
  const { colour, depth, background, backgroundDepth } = preview;
  return {
    colour: partAddress(id, 'colour', colour),
    depth: partAddress(id, 'depth', depth),
    background: partAddress(id, 'background', background),
    backgroundDepth: partAddress(id, 'backgroundDepth', backgroundDepth),
  };
}

/** The format that is meant when none is named. */
export function ownFormat(view: MediaView): DownloadFormat {
  const { media, device } = view;
  if (isVideo(media)) return videoFormat(view);
  return media.effect === 0 ? 'flat' : (device.format as DownloadFormat);
}

/** What getMediaLink gives now, the device's own format first; what is not stored is made when asked for. */
function availableFormats(view: MediaView): DownloadFormat[] {
  if (view.media.status !== MEDIA_STATUS.finished) return [];
  if (view.media.effect === 0) return ['flat', 'original'];
  const own = ownFormat(view);
  const all = isVideo(view.media) ? VIDEO_DOWNLOADS : DOWNLOAD_FORMATS;
  return [own, ...all.filter((format) => format !== own)];
}

function stepOf({ media, conversion }: MediaView): MediaDetail['step'] {
  if (media.status === MEDIA_STATUS.finished) return 'done';
  return CONVERSION_STEPS.find((step) => step === conversion?.step) ?? 'waiting';
}

/** Whole seconds until a media is done; null while nothing can be said. */
export function timeLeft({ media, conversion }: MediaView, now: Date): number | null {
  return media.status === MEDIA_STATUS.processing && conversion ? secondsLeft(conversion, now) : null;
}

/** Key of the video as browsers play it. */
export function videoPart({ video, originalKey, videoKey }: MediaRow): string | null {
  return video?.playable ? originalKey : videoKey;
}
