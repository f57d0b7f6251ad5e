import {
  ApiError,
  type api,
  CONVERSION_STEPS,
  DOWNLOAD_FORMATS,
  type DownloadFormat,
  type ErrorCode,
  type InputOf,
  LIMITS,
  MEDIA_STATUS,
  type Media,
  type MediaDetail,
  type OutputOf,
} from '@framelift/contract';
import { errorText } from '@framelift/texts/node';
import type { SQL } from 'drizzle-orm';
import { DateTime } from 'luxon';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Queries } from '../../platform/db/open.ts';
import { type Page, paged, pagedByName } from '../../platform/paging.ts';
import { zoneName } from '../../platform/time.ts';
import { neuralDepthInUse } from '../depth-model/depth-model.ts';
import { presentDeviceType } from '../device-type/device-types.ts';
import { listProductsOf } from '../membership/entitlement.sql.ts';
import { presentOfProduct } from '../membership/of-product.ts';
import { secondsLeft } from './convert/progress.ts';
import { assetUrl } from './deliver/asset-url.ts';
import { isVideo, presentVideo, VIDEO_DOWNLOADS, videoFormat } from './deliver/video.ts';
import { revisionSpan } from './edit/revision.sql.ts';
import {
  countMediaByQuarterHour,
  findOwnMedia,
  findShownMedia,
  listMediaByName,
  listMediaKinds,
  listNewestMedia,
  listOldestMedia,
  type MediaFilter,
  type MediaView,
} from './media.sql.ts';
import { hasWorseDepth } from './worse-depth.ts';

/**
 * Returns the caller's own media. Another member's, an unknown and a deleted one cause the same error.
 * @throws ApiError `mediaNotFound`
 */
export async function getOwnMedia(db: Queries, actor: Actor, id: string): Promise<MediaView> {
  const view = await findOwnMedia(db, signedIn(actor).userId, id);
  if (!view || view.media.deletedAt) throw new ApiError('mediaNotFound');
  return view;
}

/** A media that the caller may look at. What is not their own belongs to a product, and they may not change it. */
export interface ShownMedia extends MediaView {
  readonly isOwn: boolean;
}

/**
 * Returns a media of the caller, or of a product that they have. Any other causes the same error as an unknown one.
 * @throws ApiError `mediaNotFound`
 */
export async function getShownMedia(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  id: string,
): Promise<ShownMedia> {
  const { userId } = signedIn(actor);
  const view = await findShownMedia(db, userId, id, clock.now());
  if (!view) throw new ApiError('mediaNotFound');
  return { ...view, isOwn: view.media.ownerId === userId };
}

/**
 * Returns all details of one media of the caller, or of a product that they have, with texts in their language. Of the
 * latter nothing is told that only its owner can use: the upload, and the steps of its edit.
 * @throws ApiError `mediaNotFound`
 */
export async function getMedia(context: Context, actor: Actor, { id }: { readonly id: string }): Promise<MediaDetail> {
  const view = await getShownMedia(context, actor, id);
  const detail = await presentDetail(context, actor, view);
  if (view.isOwn) return detail;
  const { sent_by: _, ...rest } = detail;
  const [product] = await listProductsOf(context.db, signedIn(actor).userId, context.clock.now(), id);
  return {
    ...rest,
    strokes: 0,
    betterDepth: false,
    canUndo: false,
    canRedo: false,
    whole: null,
    formats: detail.formats.filter((format) => format !== 'original'),
    ...(product && { product: presentOfProduct(product, actor.language) }),
  };
}

async function presentDetail(context: Context, actor: Actor, view: MediaView): Promise<MediaDetail> {
  const { db, clock } = context;
  const { media, device, keys } = view;
  const { id } = media;
  const now = clock.now();
  const stored = media.uploadState === 'stored';
  const { first, last } = await revisionSpan(db, id);
  const { sourceWidth: width, sourceHeight: height } = media;
  const code = media.failureCode ?? delayOf(view);
  return {
    ...presentMedia(view),
    uploaded: stored,
    step: stepOf(view),
    timeLeft: timeLeft(view, now),
    failure: code ? { code, message: errorText(code, actor.language) } : null,
    depthSource: media.effect === 0 ? null : media.depthSource,
    betterDepth: hasWorseDepth(media, (await neuralDepthInUse(context)) ?? 'basic', context.settings.video.tier),
    comfort: media.comfort,
    convergence: media.convergence,
    ground: media.ground,
    pair: media.pair,
    notes: [...media.notes],
    strokes: media.strokes.length,
    canUndo: stored && media.revision > first,
    canRedo: stored && media.revision < last,
    whole: stored ? assetUrl(id, 'whole', keys.original) : null,
    film: media.video && {
      ...(await presentVideo(db, view, media.video, actor, now)),
      preview: assetUrl(id, 'film', playableKey(view)),
    },
    crop: media.crop,
    source: width && height ? { width, height } : null,
    deviceType: presentDeviceType(device),
    preview: presentPreview(view),
    picture: assetUrl(id, 'colour', keys.colour),
    formats: availableFormats(view),
  };
}

type Filter = Omit<InputOf<typeof api.videosSummary>, 'album' | 'time_zone'>;

const filterOf = ({ type, media_type, search }: Filter, where?: SQL): MediaFilter => ({
  orderType: type === 'all' ? null : Number(type),
  mediaType: media_type ?? null,
  search: search ?? null,
  where,
});

/** Which media are listed: those of an owner that meet a condition on the table `media`. */
export interface MediaScope {
  readonly ownerId: string;
  readonly where?: SQL | undefined;
}

/** The first page comes quickly; whoever goes through thousands needs few calls. */
const FURTHER_PAGE_SIZE = 100;

/**
 * Returns a page of the caller's pictures and videos.
 * @param scope other media that the caller may look at
 * @throws ApiError `invalidInput` for an invalid cursor, also one of another order
 */
export async function listMedia(
  context: Context,
  actor: Actor,
  { page: cursor, sort, ...input }: Omit<InputOf<typeof api.videos>, 'album'>,
  { ownerId: userId, where }: MediaScope = { ownerId: signedIn(actor).userId },
): Promise<Page<Media>> {
  const { db } = context;
  const filter = filterOf(input, where);
  const isOwn = userId === actor.userId;
  const present = (views: MediaView[]) => views.map((view) => presentMedia(isOwn ? view : withoutSender(view)));
  const size = cursor === undefined ? LIMITS.pageSize : FURTHER_PAGE_SIZE;
  if (sort === 'name')
    return pagedByName({
      cursor,
      size,
      read: (request) => listMediaByName(db, userId, { ...filter, ...request }),
      positionOf: ({ media }) => ({ name: media.sortName, id: media.id }),
      present,
    });
  const list = sort === 'newest' ? listNewestMedia : listOldestMedia;
  return paged({
    cursor,
    size,
    read: (request) => list(db, userId, { ...filter, ...request }),
    positionOf: ({ media }) => media,
    present,
  });
}

const withoutSender = (view: MediaView): MediaView => ({ ...view, media: { ...view.media, senderName: null } });

/**
 * Counts the caller's pictures and videos by month, and returns the kinds that exist regardless of the filter.
 * @param scope other media that the caller may look at, for the kinds as well
 */
export async function summarizeMedia(
  context: Context,
  actor: Actor,
  { time_zone, ...input }: Omit<InputOf<typeof api.videosSummary>, 'album'>,
  { ownerId: userId, where }: MediaScope = { ownerId: signedIn(actor).userId },
): Promise<OutputOf<typeof api.videosSummary>> {
  const zone = zoneName(time_zone);
  const months = new Map<string, number>();
  for (const { from, count } of await countMediaByQuarterHour(context.db, userId, filterOf(input, where))) {
    const month = DateTime.fromJSDate(from, { zone }).toFormat('yyyy-MM');
    months.set(month, (months.get(month) ?? 0) + count);
  }
  const kinds = await listMediaKinds(context.db, userId, filterOf({ type: 'all' }, where));
  const unique = (values: number[]) => [...new Set(values)].sort((a, b) => a - b);
  return {
    total: [...months.values()].reduce((sum, count) => sum + count, 0),
    months: [...months].map(([month, count]) => ({ month, count })),
    types: unique(kinds.map(({ orderType }) => orderType)) as Media['type'][],
    media_types: unique(kinds.map(({ mediaType }) => mediaType)) as Media['media_type'][],
  };
}

/** Converts a media to a list item; a deleted one has no cover. */
export function presentMedia({ media, conversion, keys }: MediaView): Media {
  const status = (media.deletedAt ? MEDIA_STATUS.deleted : media.status) as Media['status'];
  return {
    id: media.id,
    name: media.name,
    status,
    cover: media.deletedAt ? null : assetUrl(media.id, 'cover', keys.cover),
    date: media.createdAt.toISOString(),
    finish_time: status === MEDIA_STATUS.processing ? null : (media.finishedAt?.toISOString() ?? null),
    type: media.orderType as Media['type'],
    media_type: media.mediaType as Media['media_type'],
    device_type_id: media.deviceTypeId,
    effect: media.effect,
    ...(media.senderName !== null && { sent_by: media.senderName }),
    progress: status === MEDIA_STATUS.finished ? 100 : Math.floor(99 * (conversion?.progress ?? 0)),
  };
}

function presentPreview({ media: { id }, keys }: MediaView): MediaDetail['preview'] {
  const { colour, depth, background, backgroundDepth } = keys;
  if (!colour || !depth || !background || !backgroundDepth) return null;
  return {
    colour: assetUrl(id, 'colour', colour),
    depth: assetUrl(id, 'depth', depth),
    background: assetUrl(id, 'background', background),
    backgroundDepth: assetUrl(id, 'backgroundDepth', backgroundDepth),
  };
}

/** Returns the default format of a media. */
export function ownFormat(view: MediaView): DownloadFormat {
  const { media, device } = view;
  if (isVideo(media)) return videoFormat(view);
  return media.effect === 0 ? 'flat' : (device.format as DownloadFormat);
}

/**
 * Returns the formats that getMediaLink accepts, the device's native one first; files that do not exist are made on
 * request.
 */
export function availableFormats(view: MediaView): DownloadFormat[] {
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

/** Returns the code of trouble on the server's side that holds up a conversion, or null. */
function delayOf({ media, conversion }: MediaView): ErrorCode | null {
  const delayed = media.status === MEDIA_STATUS.processing && conversion?.failureCode === 'conversionDelayed';
  return delayed ? 'conversionDelayed' : null;
}

/** Returns the whole seconds until a media is finished, or null while unknown. */
export function timeLeft({ media, conversion }: MediaView, now: Date): number | null {
  return media.status === MEDIA_STATUS.processing && conversion ? secondsLeft(conversion, now) : null;
}

/** Returns the key of the version of the video that browsers can play. */
export function playableKey({ media, keys }: MediaView): string | undefined {
  return media.video?.playable ? keys.original : keys.video;
}
