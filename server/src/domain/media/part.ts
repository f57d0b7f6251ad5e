import type { Readable } from 'node:stream';
import { ApiError } from '@framelift/contract';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { getOwn, type MediaPart } from './media.ts';
import { findObject } from './object.sql.ts';

export interface OpenPart {
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  /** @throws ApiError `mediaNotFound` when it was purged meanwhile */
  read(): Promise<Readable>;
}

/** The cover or one part of the preview of the caller's media. @throws ApiError `mediaNotFound` */
export async function openPart(
  context: Context,
  actor: Actor,
  { id, part }: { readonly id: string; readonly part: MediaPart },
): Promise<OpenPart> {
  const { media } = await getOwn(context.db, actor, id);
  const keys: Partial<Record<MediaPart, string | null>> = { cover: media.coverKey, ...media.preview };
  const key = keys[part];
  const object = key && (await findObject(context.db, key));
  if (!object) throw new ApiError('mediaNotFound');
  const { type, size, sha256 } = object;
  return {
    type,
    size,
    sha256,
    async read() {
      const stream = await context.storage.openRead(object.key);
      if (!stream) throw new ApiError('mediaNotFound');
      return stream;
    },
  };
}
