import {
  API_BASE,
  ApiError,
  api,
  CONVERSION_STEPS,
  DOWNLOAD_FORMATS,
  type DownloadFormat,
  errorText,
  fillPath,
  LIMITS,
  MEDIA_STATUS,
  type Media,
  type MediaDetail,
  type ParamsOf,
} from '@framelift/contract';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/open.ts';
import { type Actor, signedIn } from '../actor.ts';
import { presentDeviceType } from '../device/device.ts';
import { findOwnMedia, type ListPosition, listMedia, type MediaView } from './media.sql.ts';

export type MediaPart = ParamsOf<typeof api.mediaPart>['part'];

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
  return presentDetail(context, actor, await getOwn(context.db, actor, id));
}

/** A page of the caller's pictures and films, newest first. @throws ApiError `invalidInput` for a cursor not of ours */
export async function listVideos(
  context: Context,
  actor: Actor,
  input: { readonly page?: string | undefined; readonly type: 'all' | '0' | '1' | '2' },
): Promise<{ items: Media[]; next: string | null }> {
  const views = await listMedia(context.db, signedIn(actor).userId, {
    orderType: input.type === 'all' ? null : Number(input.type),
    after: input.page === undefined ? null : readCursor(input.page),
    limit: LIMITS.pageSize + 1,
  });
  const page = views.slice(0, LIMITS.pageSize);
  const last = views.length > page.length ? page.at(-1) : undefined;
  return { items: page.map(present), next: last ? writeCursor(last.media) : null };
}

function writeCursor({ createdAt, id }: ListPosition): string {
  return Buffer.from(`${createdAt.toISOString()} ${id}`).toString('base64url');
}

function readCursor(cursor: string): ListPosition {
  const match = /^(\S{24}) ([0-9a-f-]{36})$/.exec(Buffer.from(cursor, 'base64url').toString());
  const createdAt = new Date(match?.[1] ?? '');
  if (!match?.[2] || Number.isNaN(createdAt.getTime())) throw new ApiError('invalidInput', ['page: not a cursor']);
  return { createdAt, id: match[2] };
}

function present({ media, conversion }: MediaView): Media {
  return {
    id: media.id,
    name: media.name,
    status: media.status as Media['status'],
    cover: media.coverKey ? partAddress(media.id, 'cover') : null,
    date: media.createdAt.toISOString(),
    finish_time: media.finishedAt?.toISOString() ?? null,
    type: media.orderType as Media['type'],
    media_type: media.mediaType as Media['media_type'],
    device_type_id: media.deviceTypeId,
    effect: media.effect,
    progress: media.status === MEDIA_STATUS.finished ? 100 : Math.floor(99 * (conversion?.progress ?? 0)),
  };
}

/** Everything about a media, sentences in the caller's language. */
export function presentDetail(context: Context, actor: Actor, view: MediaView): MediaDetail {
  const { media, device } = view;
  const { sourceWidth: width, sourceHeight: height, failureCode: code } = media;
  return {
    ...present(view),
    uploaded: media.uploadState === 'stored',
    step: stepOf(view),
    timeLeft: timeLeft(view, context.clock.now()),
    failure: code ? { code, message: errorText(code, actor.language) } : null,
    depthSource: media.depthSource,
    comfort: media.comfort,
    convergence: null,
    strokes: 0,
    canUndo: false,
    canRedo: false,
    whole: null,
    film: null,
    crop: media.crop,
    source: width && height ? { width, height } : null,
    deviceType: presentDeviceType(device),
    preview: media.preview
      ? {
          colour: partAddress(media.id, 'colour'),
          depth: partAddress(media.id, 'depth'),
          background: partAddress(media.id, 'background'),
          backgroundDepth: partAddress(media.id, 'backgroundDepth'),
        }
      : null,
    formats: availableFormats(view),
  };
}

/** The format that is meant when none is named. */
export function ownFormat({ media, device }: MediaView): DownloadFormat {
  return media.effect === 0 ? 'flat' : (device.format as DownloadFormat);
}

/** What getMediaLink gives now, the device's own format first; what is not stored is made when asked for. */
export function availableFormats(view: MediaView): DownloadFormat[] {
  if (view.media.status !== MEDIA_STATUS.finished) return [];
  if (view.media.effect === 0) return ['flat', 'original'];
  const own = ownFormat(view);
  return [own, ...DOWNLOAD_FORMATS.filter((format) => format !== own)];
}

function stepOf({ media, conversion }: MediaView): MediaDetail['step'] {
  if (media.status === MEDIA_STATUS.finished) return 'done';
  return CONVERSION_STEPS.find((step) => step === conversion?.step) ?? 'waiting';
}

/** Below this share of the work an estimate would jump about. */
const FIRST_ESTIMATE = 0.1;

/** Whole seconds until a conversion is done, from its pace so far; null while nothing can be said. */
export function timeLeft({ media, conversion }: MediaView, now: Date): number | null {
  if (media.status !== MEDIA_STATUS.processing || conversion?.state !== 'running') return null;
  const { startedAt, progress } = conversion;
  if (!startedAt || progress < FIRST_ESTIMATE) return null;
  const elapsed = (now.getTime() - startedAt.getTime()) / 1000;
  return Math.max(0, Math.ceil((elapsed * (1 - progress)) / progress));
}

/** Address of one part of a media on our own origin. */
function partAddress(id: string, part: MediaPart): string {
  return API_BASE + fillPath(api.mediaPart.path, { id, part });
}
