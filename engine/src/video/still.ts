import sharp from 'sharp';
import { EngineError } from '../errors.ts';
import type { Rect } from '../types.ts';
import type { Damage } from './decode.ts';
import { canSeek, FrameReader, uprightFrames } from './frames.ts';
import type { Video } from './open-video.ts';
import { workingSize } from './plan-video.ts';

const QUALITY = 88;
/** If a video is shorter than its header says, the last frame is searched from this many seconds before the end. */
const TAIL_SECONDS = 5;
/** Smallest standard deviation of the brightness (0 … 255) of a frame that shows something. */
const CONTRAST = 8;
/** Frames searched one by one after a frame that shows nothing; then key frames at so many places of the video. */
const FRAMES_SEARCHED = 100;
const PLACES_SEARCHED = 30;

export interface StillOptions {
  /** In upright pixels; even numbers. */
  readonly crop: Rect;
  readonly seconds: number;
  /** Maximum width of the JPEG. */
  readonly width: number;
}

interface Candidate {
  readonly rgb: Buffer;
  readonly contrast: number;
}

/**
 * Writes the frame shown at the given time, or the last one, as a JPEG. If that frame is black or otherwise uniform, the
 * next frame that shows something is searched, first after it, then over the whole video.
 */
export async function writeStill(video: Video, path: string, { crop, seconds, width }: StillOptions): Promise<void> {
  const size = workingSize(crop);
  const reader = new FrameReader(size, 'rgb');
  const duration = video.info.seconds;
  /** Returns the first frame with contrast, else the one with the most, among `count` frames from a time on. */
  const search = async (from: number, count: number, atKeyFrame = false): Promise<Candidate | null> => {
    const tempFile = `${path}.cube`;
    const options = { crop, size, pixels: 'rgb', threads: 1, from: Math.max(0, from), atKeyFrame, tempFile } as const;
    const damage: Damage = { packets: 0 };
    let best: Candidate | null = null;
    let seen = 0;
    for await (const { frame } of uprightFrames(video, { ...options, maxSeconds: Number.POSITIVE_INFINITY }, damage)) {
      try {
        const rgb = reader.read(frame)[0] as Uint8Array;
        const contrast = contrastOf(rgb);
        if (!best || contrast > best.contrast) best = { rgb: Buffer.from(rgb), contrast };
      } finally {
        frame.free();
      }
      if (best.contrast >= CONTRAST || ++seen >= count) break;
    }
    return best;
  };
  const last = async (from: number): Promise<Candidate | null> => {
    const options = {
      crop,
      size,
      pixels: 'rgb',
      threads: 1,
      from: Math.max(0, from),
      tempFile: `${path}.cube`,
    } as const;
    const damage: Damage = { packets: 0 };
    let rgb: Buffer | null = null;
    for await (const { frame } of uprightFrames(video, { ...options, maxSeconds: Number.POSITIVE_INFINITY }, damage)) {
      rgb = Buffer.from(reader.read(frame)[0] as Uint8Array);
      frame.free();
    }
    return rgb && { rgb, contrast: contrastOf(rgb) };
  };
  try {
    // The frame at the requested time, else the last frame near the end, else the last frame of all.
    let best = (await search(seconds, FRAMES_SEARCHED)) ?? (await last(duration - TAIL_SECONDS)) ?? (await last(0));
    if (!best) throw new EngineError('filmDamaged', 'no frame could be decoded');
    const places = Array.from({ length: PLACES_SEARCHED }, (_, i) => (duration * i) / PLACES_SEARCHED);
    const others = canSeek(video)
      ? [...places.filter((at) => at > seconds), ...places.filter((at) => at <= seconds)]
      : [0];
    // A file that cannot be sought is read once, frame by frame.
    const count = canSeek(video) ? 1 : Number.POSITIVE_INFINITY;
    for (const place of others) {
      if (best.contrast >= CONTRAST) break;
      // A place that cannot be read is not the end of the search.
      const found = await search(place, count, true).catch(() => null);
      if (found && found.contrast > best.contrast) best = found;
    }
    await sharp(best.rgb, { raw: { ...size, channels: 3 } })
      .resize({ width, withoutEnlargement: true })
      .jpeg({ quality: QUALITY })
      .toFile(path);
  } finally {
    reader.free();
  }
}

/** Returns the standard deviation of green, of about ten thousand pixels. */
function contrastOf(rgb: Uint8Array): number {
  const step = 3 * Math.max(1, Math.floor(rgb.length / 3 / 10_000));
  let [count, sum, squares] = [0, 0, 0];
  for (let i = 1; i < rgb.length; i += step) {
    const value = rgb[i] as number;
    count++;
    sum += value;
    squares += value * value;
  }
  return Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
}
