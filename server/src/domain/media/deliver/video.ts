import {
  ApiError,
  type DownloadFormat,
  defaultVideoFormat,
  type Format,
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
import { type ConversionRow, newestFormats } from '../convert/conversion.sql.ts';
import { startConversion } from '../convert/start-conversion.ts';
import { lockOwnMedia, type MediaRow, type MediaView } from '../media.sql.ts';
import { secondsLeft } from '../time-left.ts';

/** When to ask again while nothing is known about the end. */
const RETRY_SECONDS = 5;

/** Formats that a finished video can be downloaded in. */
export const VIDEO_DOWNLOADS: readonly DownloadFormat[] = [...VIDEO_FORMATS, 'original'];

export function isVideo({ mediaType }: MediaRow): boolean {
  return mediaType === MEDIA_TYPE.video;
}

/** What a video becomes when no format is named. */
export function videoFormat({ media, device }: MediaView): VideoFormat {
  return defaultVideoFormat(media.effect, device.format);
}

/** What only videos have, sentences in the caller's language. */
export function presentVideo(
  { media, conversion }: MediaView,
  beside: {
    readonly files: readonly { readonly format: string }[];
    readonly formats: readonly ConversionRow[];
    readonly preview: string | null;
  },
  actor: Actor,
  now: Date,
): Video | null {
  if (!media.video) return null;
  const { files, formats, preview } = beside;
  const { seconds, notes } = media.video;
  const finished = media.status === MEDIA_STATUS.finished;
  const frames = finished ? media.video.frames : (conversion?.frames ?? media.video.frames);
  const making = formats.filter(({ state }) => state === 'waiting' || state === 'running' || state === 'failed');
  return {
    ...{ seconds, frames, notes: [...notes] },
    frame: finished ? frames : (conversion?.frame ?? 0),
    preview,
    ready: finished ? files.map(({ format }) => format as DownloadFormat) : [],
    making: finished ? making.map((row) => presentMaking(row, actor, now)) : [],
  };
}

function presentMaking(row: ConversionRow, actor: Actor, now: Date): Video['making'][number] {
  const code = row.state === 'failed' ? (row.failureCode ?? 'conversionFailed') : null;
  return {
    format: row.format as DownloadFormat,
    progress: Math.floor(99 * row.progress),
    frame: row.frame ?? 0,
    timeLeft: secondsLeft(row, now),
    failure: code && isErrorCode(code) ? { code, message: errorText(code, actor.language) } : null,
  };
}

/**
 * Lets a further format of a finished video be made, unless it is being made already.
 * @throws ApiError `formatBeingMade` with the seconds to wait, always; `formatNotAvailable` where videos have no such format
 */
export async function makeVideoFormat(context: Context, { media }: MediaView, format: Format): Promise<never> {
  if (!isVideoFormat(format)) throw new ApiError('formatNotAvailable');
  const now = context.clock.now();
  const running = await context.db.transaction(async (tx) => {
    const locked = await lockOwnMedia(tx, media.ownerId, media.id);
    if (locked?.status !== MEDIA_STATUS.finished) throw new ApiError('mediaNotFound');
    const newest = (await newestFormats(tx, media.id)).find((row) => row.format === format);
    if (newest?.state === 'waiting' || newest?.state === 'running') return newest;
    await startConversion(context, tx, locked, now, format);
    return null;
  });
  context.changes.changed(media.id);
  const retryAfter = (running && secondsLeft(running, now)) || RETRY_SECONDS;
  throw new ApiError('formatBeingMade', [], { retryAfter });
}
