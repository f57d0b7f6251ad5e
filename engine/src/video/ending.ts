import { open } from 'node:fs/promises';
import type { Note } from '@framelift/contract';
import type { Video } from './open-video.ts';
import type { Segments } from './segments.ts';
import type { VideoType } from './video-info.ts';

/** Missing seconds from which a video counts as cut short; headers round by a frame or two. */
const MISSING_SECONDS = 0.1;
/** A last frame shorter than this, in seconds, has no duration of its own: many writers store 0 or 1 tick. */
const SHORTEST_FRAME = 0.001;

/** The end of a video's pictures. */
export interface Ending {
  /** End of the last frame in ticks, as far as the file tells. */
  readonly end: number;
  readonly note: Extract<Note, { code: 'filmCutShort' }> | null;
}

/**
 * Determines how long the last picture lasts, and whether the file was cut short. A header that promises more than
 * there is means a still picture at the end (screen recordings, slideshows) if the file is complete, otherwise a cut.
 */
export async function endingOf(video: Video, segments: Segments, ticks: number): Promise<Ending> {
  const { path, type, info } = video;
  const promised = type === 'avi' ? Math.max(video.promised, await aviSeconds(path)) : video.promised;
  const damaged = segments.finished.some(({ damagedPackets }) => damagedPackets > 0);
  const end = endOfFrames(segments, ticks, info.fps);
  if (promised * ticks <= end + MISSING_SECONDS * ticks) return { end, note: null };
  if (!damaged && !(await isCutOff(path, type))) {
    // The duration of the container has passed the limits.
    const shown = Math.min(video.promised, info.seconds);
    return { end: Math.max(end, Math.round(shown * ticks)), note: null };
  }
  return { end, note: { code: 'filmCutShort', seconds: end / ticks, promised } };
}

/** Returns the end of the last frame: by its own duration, else it lasts as long as the one before, at most a second. */
function endOfFrames({ finished }: Segments, ticks: number, fps: number): number {
  const [last, before] = finished
    .slice(-2)
    .flatMap(({ packets }) => packets.map(({ pts }) => pts))
    .sort((a, b) => b - a);
  if (last === undefined) return 0;
  const own = finished.at(-1)?.lastDuration ?? 0;
  if (own > SHORTEST_FRAME * ticks) return last + own;
  return last + (before === undefined ? Math.round(ticks / fps) : Math.min(last - before, ticks));
}

const AVI_HEADER_BYTES = 65_536;

/** Returns the duration in the header of an AVI: FFmpeg gives what a file without its index can hold instead. */
async function aviSeconds(path: string): Promise<number> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(AVI_HEADER_BYTES), 0, AVI_HEADER_BYTES, 0);
    const at = buffer.indexOf('strh\x38\0\0\0vids', 0, 'latin1');
    if (at < 0 || at + 44 > AVI_HEADER_BYTES) return 0;
    const [scale, rate, length] = [28, 32, 40].map((field) => buffer.readUInt32LE(at + field)) as [
      number,
      number,
      number,
    ];
    return rate > 0 ? (length * scale) / rate : 0;
  } finally {
    await file.close();
  }
}

/** Bytes at the end of a file that are all zero if a download reserved the space but never filled it. */
const TAIL_BYTES = 4096;
/** Parts of a file that are visited: a fragmented MP4 has two per fragment. */
const MOST_PARTS = 100_000;

/** Reads the structure of containers that state the sizes of their parts; the others may end anywhere. */
const PARTS: Partial<Record<VideoType, typeof endOfBox>> = {
  mp4: endOfBox,
  mov: endOfBox,
  '3gp': endOfBox,
  mkv: endOfElement,
  webm: endOfElement,
  avi: endOfChunk,
};

/** Returns whether bytes are missing at the end of a file, by the sizes that its own structure states. */
async function isCutOff(path: string, type: VideoType): Promise<boolean> {
  const file = await open(path);
  try {
    const endOfPart = PARTS[type];
    if (!endOfPart) return false;
    const { size } = await file.stat();
    const bytesAt = async (at: number, length: number) => (await file.read(Buffer.alloc(length), 0, length, at)).buffer;
    if (size > TAIL_BYTES && (await bytesAt(size - TAIL_BYTES, TAIL_BYTES)).every((byte) => byte === 0)) return true;
    let at = 0;
    for (let part = 0; part < MOST_PARTS && at < size; part++) {
      const next = endOfPart(await bytesAt(at, 16), at);
      if (next === null) return false;
      at = next;
    }
    return at > size;
  } finally {
    await file.close();
  }
}

/** Each function returns the offset after the part whose first 16 bytes are given; null if its size is not stated. */
function endOfBox(head: Buffer, at: number): number | null {
  const size = head.readUInt32BE(0);
  if (size === 1) return at + Number(head.readBigUInt64BE(8));
  return size < 8 ? null : at + size;
}

function endOfChunk(head: Buffer, at: number): number | null {
  if (head.toString('latin1', 0, 4) !== 'RIFF') return null;
  const size = head.readUInt32LE(4);
  // A chunk of odd size is followed by one byte that small writers leave out at the end.
  return size === 0 ? null : at + 8 + size;
}

function endOfElement(head: Buffer, at: number): number | null {
  const idBytes = Math.clz32((head[0] as number) << 24) + 1;
  const sizeBytes = Math.clz32((head[idBytes] as number) << 24) + 1;
  if (idBytes > 4 || sizeBytes > 8) return null;
  let size = BigInt(head[idBytes] as number) & ((1n << BigInt(8 - sizeBytes)) - 1n);
  for (let i = 1; i < sizeBytes; i++) size = (size << 8n) | BigInt(head[idBytes + i] as number);
  // All ones: a live recording whose size was never filled in.
  if (size === (1n << BigInt(7 * sizeBytes)) - 1n) return null;
  return at + idBytes + sizeBytes + Number(size);
}
