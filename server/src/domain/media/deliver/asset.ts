import type { Readable } from 'node:stream';
import { ApiError } from '@framelift/contract';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { ByteRange } from '../../../platform/storage/storage.ts';
import type { MediaView } from '../media.sql.ts';
import { getOwn, videoPart } from '../media.ts';
import { findObject } from '../object.sql.ts';
import type { MediaPart } from './asset-url.ts';
import { wholePicture } from './uncropped-preview.ts';

export interface OpenPart {
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  /** @throws ApiError `mediaNotFound` when it was purged meanwhile */
  read(range?: ByteRange): Promise<Readable>;
}

/**
 * One part of the caller's media, of those that are shown on our own pages.
 * @throws ApiError `mediaNotFound`
 */
export async function openPart(
  context: Context,
  actor: Actor,
  { id, part }: { readonly id: string; readonly part: MediaPart },
): Promise<OpenPart> {
  const key = await keyOf(context, await getOwn(context.db, actor, id), part);
  const object = key && (await findObject(context.db, key));
  if (!object) throw new ApiError('mediaNotFound');
  const { type, size, sha256 } = object;
  return {
    // Browsers that play what a .mov holds do not all know its type.
    type: part === 'film' ? 'video/mp4' : type,
    size,
    sha256,
    async read(range) {
      const stream = await context.storage.openRead(object.key, range);
      if (!stream) throw new ApiError('mediaNotFound');
      return stream;
    },
  };
}

async function keyOf(context: Context, view: MediaView, part: MediaPart): Promise<string | null | undefined> {
  const { media } = view;
  if (part === 'cover') return media.coverKey;
  if (part === 'film') return videoPart(media);
  if (part === 'whole') return wholePicture(context, view);
  return media.preview?.[part];
}
