import sharp from 'sharp';
import { EngineError } from '../errors.ts';
import type { Rect } from '../types.ts';
import { type Damage, FrameReader, uprightFrames, type VideoFrame } from './frames.ts';
import type { Video } from './open-video.ts';
import { workingSize } from './plan-video.ts';

const QUALITY = 88;
/** If a video is shorter than its header says, the last frame is searched from this many seconds before the end. */
const TAIL_SECONDS = 5;

export interface StillOptions {
  /** In upright pixels; even numbers. */
  readonly crop: Rect;
  readonly seconds: number;
  /** Maximum width of the JPEG. */
  readonly width: number;
}

/** Writes the frame shown at the given time, or the last one, as a JPEG. */
export async function writeStill(video: Video, path: string, { crop, seconds, width }: StillOptions): Promise<void> {
  const size = workingSize(crop);
  const write = async ({ frame }: VideoFrame) => {
    const reader = new FrameReader(size, 'rgb');
    try {
      await sharp(reader.read(frame)[0], { raw: { ...size, channels: 3 } })
        .resize({ width, withoutEnlargement: true })
        .jpeg({ quality: QUALITY })
        .toFile(path);
    } finally {
      reader.free();
    }
  };
  // Tries the frame at the requested time, then the last frame near the end, then the last frame of all.
  for (const from of [seconds, video.info.seconds - TAIL_SECONDS, 0]) {
    const first = from === seconds;
    const options = {
      crop,
      size,
      pixels: 'rgb' as const,
      threads: 1,
      from: Math.max(0, from),
      tempFile: `${path}.cube`,
      maxSeconds: Number.POSITIVE_INFINITY,
    };
    let kept: VideoFrame | null = null;
    const damage: Damage = { packets: 0 };
    try {
      for await (const frame of uprightFrames(video, options, damage)) {
        kept?.frame.free();
        kept = frame;
        if (first) break;
      }
      if (kept) {
        await write(kept);
        return;
      }
    } finally {
      kept?.frame.free();
    }
  }
  throw new EngineError('filmDamaged', 'no frame could be decoded');
}
