import { open } from 'node:fs/promises';
import type { VideoType } from './video-info.ts';

/** Major brands of the ISO media family for stills, camera raw files or audio. */
const NOT_VIDEOS = new Set([
  'heic',
  'heix',
  'heim',
  'heis',
  'hevc',
  'hevx',
  'mif1',
  'msf1',
  'miaf',
  'avif',
  'avis',
  'crx ',
]);
/** First boxes of old QuickTime files. */
const QUICKTIME_BOXES = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot']);
const SNIFFED_BYTES = 4096;

/** Returns the type of a video file, `empty` for an empty file, null for anything else. */
export async function videoTypeOf(path: string): Promise<VideoType | 'empty' | null> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0);
    return bytesRead === 0 ? 'empty' : sniffVideo(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/**
 * Detects the video type from the first bytes, never from the file name; null for anything else. Playlists, image
 * sequences, other containers and stills never reach a demuxer.
 */
function sniffVideo(bytes: Uint8Array): VideoType | null {
  if (text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === 'AVI ') return 'avi';
  if (bytes[0] === 0x1a && bytes[1] === 0x45 && bytes[2] === 0xdf && bytes[3] === 0xa3)
    return docType(bytes) === 'matroska' ? 'mkv' : null;
  const box = text(bytes, 4, 8);
  if (box === 'ftyp') {
    const brand = text(bytes, 8, 12);
    if (NOT_VIDEOS.has(brand)) return null;
    return brand === 'qt  ' ? 'mov' : 'mp4';
  }
  return QUICKTIME_BOXES.has(box) ? 'mov' : null;
}

/** Returns the DocType element (0x4282) of an EBML header: `matroska`, `webm` or other. */
function docType(bytes: Uint8Array): string | null {
  for (let at = 4; at + 3 < Math.min(bytes.length, 64); at++) {
    if (bytes[at] !== 0x42 || bytes[at + 1] !== 0x82) continue;
    const length = (bytes[at + 2] as number) & 0x7f;
    return text(bytes, at + 3, at + 3 + length).replace(/\0+$/, '');
  }
  return null;
}

function text(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}
