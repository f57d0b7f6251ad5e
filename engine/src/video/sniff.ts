import { type FileHandle, open } from 'node:fs/promises';
import { isAnimation, mayBeAnimated } from '@framelift/contract/animation';
import { FILE_TYPES, SNIFFED_BYTES, sniffFile } from '@framelift/contract/file-types';
import type { VideoType } from './video-info.ts';

/**
 * Returns the type of a video or animation by its content, `empty` for an empty file, null for anything else: playlists,
 * image sequences, other containers and stills never reach a demuxer.
 */
export async function videoTypeOf(path: string): Promise<VideoType | 'empty' | null> {
  const file = await open(path);
  try {
    const bytes = await readBytes(file, 0, SNIFFED_BYTES);
    if (bytes.length === 0) return 'empty';
    const type = sniffFile(bytes);
    if (type === null) return null;
    if (mayBeAnimated(type))
      return (await isAnimation((from, length) => readBytes(file, from, length), type)) ? type : null;
    return FILE_TYPES[type].kind === 'video' ? (type as VideoType) : null;
  } finally {
    await file.close();
  }
}

/** Ogg, RealMedia, MXF and MPEG video without a container. */
const OTHER_VIDEOS = ['4f676753', '2e524d46', '060e2b34', '000001b3'];

/** Returns whether a file is a video of a type that is not supported, so that a refusal speaks of videos. */
export async function isOtherVideo(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    return OTHER_VIDEOS.includes((await readBytes(file, 0, 4)).toString('hex'));
  } finally {
    await file.close();
  }
}

async function readBytes(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, from);
  return buffer.subarray(0, bytesRead);
}
