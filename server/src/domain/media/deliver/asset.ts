import type { Readable } from 'node:stream';
import { ApiError, type ErrorCode } from '@framelift/contract';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { ByteRange } from '../../../platform/storage/storage.ts';
import { findObject } from '../asset.sql.ts';
import { getShownMedia, playableKey, type ShownMedia } from '../media.ts';
import type { AssetName } from './asset-url.ts';
import { publicVideo } from './public-video.ts';
import { uncroppedPreview } from './uncropped-preview.ts';

export interface OpenAsset {
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  /** @throws ApiError, as `openObject`, if it was purged meanwhile */
  read(range?: ByteRange): Promise<Readable>;
}

/**
 * Opens a file of a media that the caller may look at, for display in the web app.
 * @param signal aborted when the caller hangs up
 * @throws ApiError `mediaNotFound`
 */
export async function openAsset(
  context: Context,
  actor: Actor,
  { id, part }: { readonly id: string; readonly part: AssetName },
  signal: AbortSignal,
): Promise<OpenAsset> {
  const key = await keyOf(context, await getShownMedia(context, actor, id), part, signal);
  const asset = await openObject(context, key);
  // Some browsers play the content of a .mov but do not know its type.
  return part === 'film' ? { ...asset, type: 'video/mp4' } : asset;
}

/** Opens a stored file. @throws ApiError `missing` if there is none, also from `read` */
export async function openObject(
  context: Context,
  key: string | undefined,
  missing: ErrorCode = 'mediaNotFound',
): Promise<OpenAsset> {
  const object = key && (await findObject(context.db, key));
  if (!object) throw new ApiError(missing);
  const { type, size, sha256 } = object;
  return {
    type,
    size,
    sha256,
    async read(range) {
      const stream = await context.storage.openRead(object.key, range);
      if (!stream) throw new ApiError(missing);
      return stream;
    },
  };
}

async function keyOf(
  context: Context,
  view: ShownMedia,
  part: AssetName,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { isOwn } = view;
  // The upload itself tells more than its pictures and sound.
  if (part === 'film') return isOwn ? playableKey(view) : ((await publicVideo(context, view, signal)) ?? undefined);
  if (part === 'whole') return isOwn ? uncroppedPreview(context, view, signal) : undefined;
  return view.keys[part];
}
