import { open, readFile } from 'node:fs/promises';
import { isAnimation, mayBeAnimated } from '@framelift/contract/animation';
import { FILE_TYPES, SNIFFED_BYTES, sniffFile } from '@framelift/contract/file-types';
import type { VideoType } from './video-info.ts';

/**
 * Returns the type of a video or animation by its content, `empty` for an empty file, null for anything else: playlists,
 * image sequences, other containers and stills never reach a demuxer.
 */
export async function videoTypeOf(path: string): Promise<VideoType | 'empty' | null> {
  const bytes = await firstBytes(path);
  if (bytes.length === 0) return 'empty';
  const type = sniffFile(bytes);
  if (type === null) return null;
  if (mayBeAnimated(type)) return isAnimation(await readFile(path), type) ? type : null;
  return FILE_TYPES[type].kind === 'video' ? (type as VideoType) : null;
}

/** Ogg, RealMedia, MXF and MPEG video without a container. */
const OTHER_VIDEOS = ['4f676753', '2e524d46', '060e2b34', '000001b3'];

/** Returns whether a file is a video of a type that is not supported, so that a refusal speaks of videos. */
export async function isOtherVideo(path: string): Promise<boolean> {
  return OTHER_VIDEOS.includes((await firstBytes(path)).toString('hex', 0, 4));
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
