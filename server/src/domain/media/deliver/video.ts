import {
  ApiError,
  type DownloadFormat,
  defaultVideoFormat,
  isErrorCode,
  isVideoFormat,
  MEDIA_STATUS,
  MEDIA_TYPE,
  VIDEO_FORMATS,
  type Video,
  type VideoFormat,
} from '@framelift/contract';
import { errorText } from '@framelift/texts/node';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../platform/db/open.ts';
import type { VideoColumn } from '../../../platform/db/schema.ts';
import { listFileVariants } from '../asset.sql.ts';
import { type ConversionRow, newestFormats } from '../convert/conversion.sql.ts';
import { secondsLeft } from '../convert/progress.ts';
import { startConversion } from '../convert/start-conversion.ts';
import { findOwnMediaForUpdate, type MediaRow, type MediaView } from '../media.sql.ts';
import { parseVideoVariant } from '../video-variant.ts';

/** Retry-After while the remaining time is unknown. */
const RETRY_SECONDS = 5;

/** Formats in which a finished video can be downloaded. */
export const VIDEO_DOWNLOADS: readonly DownloadFormat[] = [...VIDEO_FORMATS, 'original'];

export function isVideo({ mediaType }: MediaRow): boolean {
  return mediaType === MEDIA_TYPE.video;
}

/** Returns the default format of a video. */
export function videoFormat({ media, device }: MediaView): VideoFormat {
  return defaultVideoFormat(media.effect, device.format);
}

/** Returns the fields that only videos have, with texts in the caller's language. */
export async function presentVideo(
  db: Queries,
  { media, conversion }: MediaView,
  video: VideoColumn,
  actor: Actor,
  now: Date,
): Promise<Omit<Video, 'preview'>> {
  const { seconds, notes } = video;
  const finished = media.status === MEDIA_STATUS.finished;
  const frames = finished ? video.frames : (conversion?.frames ?? video.frames);
  const pending = (finished ? await newestFormats(db, media.id) : []).filter(
    ({ state }) => state === 'waiting' || state === 'running' || state === 'failed',
  );
  return {
    seconds,
    frames,
    notes: [...notes],
    frame: finished ? frames : (conversion?.frame ?? 0),
    ready: finished ? (await listFileVariants(db, media.id)).filter(isVideoFormat) : [],
    making: pending.flatMap((row) => presentPending(row, actor, now)),
  };
}

function presentPending(row: ConversionRow, actor: Actor, now: Date): Video['making'] {
  const wanted = parseVideoVariant(row.format ?? '');
  if (!wanted) return [];
  const code = row.state === 'failed' ? (row.failureCode ?? 'conversionFailed') : null;
  return [
    {
      ...wanted,
      progress: Math.floor(99 * row.progress),
      frame: row.frame ?? 0,
      timeLeft: secondsLeft(row, now),
      failure: code && isErrorCode(code) ? { code, message: errorText(code, actor.language) } : null,
    },
  ];
}

/**
 * Starts the conversion of a finished video to an additional format, unless it is already running.
 * @throws ApiError always: `formatBeingMade` with the seconds to wait, or `formatNotAvailable` for a format of pictures
 *   only
 */
export async function makeVideoFormat(context: Context, { media }: MediaView, variant: string): Promise<never> {
  if (!parseVideoVariant(variant)) throw new ApiError('formatNotAvailable');
  const running = await startVideoFormat(context, media, variant);
  const retryAfter = (running && secondsLeft(running, context.clock.now())) || RETRY_SECONDS;
  throw new ApiError('formatBeingMade', [], { retryAfter });
}

/**
 * Starts the conversion of a finished video to an additional format. Returns the conversion that is already running, if
 * there is one.
 * @throws ApiError `mediaNotFound` if the video is not finished any more
 */
export async function startVideoFormat(
  context: Context,
  media: Pick<MediaRow, 'id' | 'ownerId'>,
  variant: string,
): Promise<ConversionRow | null> {
  const now = context.clock.now();
  const running = await context.db.transaction(async (tx) => {
    const locked = await findOwnMediaForUpdate(tx, media.ownerId, media.id);
    if (locked?.status !== MEDIA_STATUS.finished || locked.deletedAt) throw new ApiError('mediaNotFound');
    const newest = (await newestFormats(tx, media.id)).find((row) => row.format === variant);
    if (newest?.state === 'waiting' || newest?.state === 'running') return newest;
    await startConversion(context, tx, locked, now, variant);
    return null;
  });
  context.changes.changed(media.id);
  return running;
}
