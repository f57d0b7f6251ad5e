import {
  API_BASE,
  ApiError,
  api,
  type DownloadFormat,
  fillPath,
  type ParamsOf,
  type SharedFormat,
  type SharedMedia,
} from '@framelift/contract';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { listFileVariants } from '../media/asset.sql.ts';
import { type OpenAsset, openObject } from '../media/deliver/asset.ts';
import { convertedFile } from '../media/deliver/download.ts';
import { publicVideo } from '../media/deliver/public-video.ts';
import { isVideo } from '../media/deliver/video.ts';
import { findMedia, type MediaRow, type MediaView } from '../media/media.sql.ts';
import { availableFormats, playableKey } from '../media/media.ts';
import { countView, findOpenShare } from './share.sql.ts';
import { idOf } from './share-address.ts';

type Part = ParamsOf<typeof api.sharedPart>['part'];

interface ByToken {
  readonly token: string;
}

/** Number of views in the sweep for a frame without a quilt. */
const USUAL_VIEWS = 48;

/**
 * Returns what everybody with the link may see. A token that was never made, a revoked or expired link, a deleted picture
 * and an account that is restricted or about to be removed are all the same: null.
 */
async function findShared(context: Context, token: string) {
  const id = idOf(context, token);
  const share = id === null ? undefined : await findOpenShare(context.db, id, context.clock.now());
  const view = share && (await findMedia(context.db, share.mediaId));
  return share && view ? { share, view } : null;
}

/** @throws ApiError `shareNotFound` */
async function openShare(context: Context, token: string) {
  const found = await findShared(context, token);
  if (!found) throw new ApiError('shareNotFound');
  return found;
}

/** Returns the picture or video of a public link, and counts the visit unless it is its owner's. */
export async function getSharedMedia(context: Context, actor: Actor, { token }: ByToken): Promise<SharedMedia> {
  const { share, view } = await openShare(context, token);
  const { media, device, keys } = view;
  const { colour, depth, background, backgroundDepth } = keys;
  const part = (name: Part, key: string) => partUrl(token, name, key);
  const video = videoKey(view);
  const answer: SharedMedia = {
    name: media.name,
    media_type: media.mediaType as SharedMedia['media_type'],
    size: shownSize(media),
    effect: media.effect,
    budget: device.disparityBudget,
    convergence: media.convergence,
    views: device.quilt ? device.quilt.columns * device.quilt.rows : USUAL_VIEWS,
    preview:
      colour && depth && background && backgroundDepth
        ? {
            colour: part('colour', colour),
            depth: part('depth', depth),
            background: part('background', background),
            backgroundDepth: part('backgroundDepth', backgroundDepth),
          }
        : null,
    picture: pictureUrl(token, view),
    film: video ? part('film', video) : null,
    files: share.download ? await filesOf(context, token, view) : [],
  };
  if (actor.userId !== share.ownerId) await countView(context.db, share.id);
  return answer;
}

/**
 * Opens a file that the page of a public link shows.
 * @param signal aborted when the caller hangs up
 * @throws ApiError `shareNotFound`, also for a part that this media does not have; `conversionFailed`
 */
export async function openSharedPart(
  context: Context,
  { token, part }: ByToken & { readonly part: Part },
  signal: AbortSignal,
): Promise<OpenAsset> {
  const { view } = await openShare(context, token);
  return openObject(context, await keyOf(context, view, part, signal), 'shareNotFound');
}

async function keyOf(context: Context, view: MediaView, part: Part, signal: AbortSignal): Promise<string | undefined> {
  if (part === 'picture') return pictureKey(view);
  if (part === 'film') return (isVideo(view.media) && (await publicVideo(context, view, signal))) || undefined;
  if (part !== 'wiggle') return view.keys[part];
  if (!hasDepth(view)) return undefined;
  return (await convertedFile(context, view, 'wiggle_mp4', {}, signal)).key;
}

/**
 * Opens a file to download, with its name.
 * @param signal aborted when the caller hangs up
 * @throws ApiError `shareNotFound`, also where downloads are not allowed; `formatNotAvailable`; see `getMediaLink`
 */
export async function openSharedFile(
  context: Context,
  { token, format }: ByToken & { readonly format: SharedFormat },
  signal: AbortSignal,
): Promise<OpenAsset & { readonly name: string }> {
  const { share, view } = await openShare(context, token);
  if (!share.download) throw new ApiError('shareNotFound');
  const formats = await sharedFormats(context, view);
  if (!formats.includes(format)) throw new ApiError('formatNotAvailable');
  const { key, name } = await convertedFile(context, view, format, {}, signal);
  return { ...(await openObject(context, key, 'shareNotFound')), name };
}

/** What a preview of the link in a message shows. */
export interface SharedCard {
  readonly name: string;
  readonly isVideo: boolean;
  readonly hasDepth: boolean;
  /** Paths on this server; null for what there is not. */
  readonly picture: string | null;
  readonly video: string | null;
}

/** Returns what a preview of the link shows; null for a link that does not open. */
export async function getSharedCard(context: Context, { token }: ByToken): Promise<SharedCard | null> {
  const view = (await findShared(context, token))?.view;
  if (!view) return null;
  const video = videoKey(view);
  return {
    name: view.media.name,
    isVideo: isVideo(view.media),
    hasDepth: hasDepth(view),
    picture: pictureUrl(token, view),
    video: video
      ? partUrl(token, 'film', video)
      : hasDepth(view)
        ? partUrl(token, 'wiggle', view.keys.colour ?? '')
        : null,
  };
}

/** Returns the ratio of what is shown. A result always has a crop. */
export const shownSize = ({ crop }: Pick<MediaRow, 'crop'>): SharedMedia['size'] =>
  crop ? { width: crop.width, height: crop.height } : { width: 3, height: 4 };

/** Returns whether the media is a picture that moves. */
const hasDepth = ({ media, keys }: MediaView): boolean => !isVideo(media) && Boolean(keys.depth);

/** Returns the key of the video that browsers play. It is not the file that is sent: see `publicVideo`. */
const videoKey = (view: MediaView): string | undefined =>
  isVideo(view.media) ? (view.keys.video ?? playableKey(view)) : undefined;

/** Returns the key of the largest picture that shows nothing outside of the crop. */
const pictureKey = ({ keys }: MediaView): string | undefined => keys.colour ?? keys.cover;

function pictureUrl(token: string, view: MediaView): string | null {
  const key = pictureKey(view);
  return key ? partUrl(token, 'picture', key) : null;
}

function partUrl(token: string, part: Part, key: string): string {
  // A key ends with the hash of its content.
  return `${API_BASE}${fillPath(api.sharedPart.path, { token, part })}?v=${key.slice(-12)}`;
}

async function filesOf(context: Context, token: string, view: MediaView): Promise<SharedMedia['files']> {
  const formats = await sharedFormats(context, view);
  return formats.map((format) => ({
    format,
    url: API_BASE + fillPath(api.sharedFile.path, { token, format }),
  }));
}

/** Returns the formats that everybody may download: of a picture all but two, of a video those that were made. */
async function sharedFormats({ db }: Context, view: MediaView): Promise<SharedFormat[]> {
  const made = isVideo(view.media) ? await listFileVariants(db, view.media.id) : null;
  const isShared = (format: DownloadFormat): format is SharedFormat =>
    format !== 'original' && format !== 'native' && (made === null || made.includes(format));
  return availableFormats(view).filter(isShared);
}
