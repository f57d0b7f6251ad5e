import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../errors.ts';
import type { CallHooks } from '../process/calls.ts';
import type { Size } from '../types.ts';
import { ahead } from './ahead.ts';
import { encoderSettings, pixelsFor, SegmentEncoder } from './encode.ts';
import { joinVideo } from './finish.ts';
import { type Damage, FrameReader, uprightFrames } from './frames.ts';
import { PREVIEW_WORK, type VideoLimits } from './limits.ts';
import { lookOf } from './look.ts';
import type { Video } from './open-video.ts';
import { wholeFrame } from './plan-video.ts';
import { openSegments } from './segments.ts';
import { openSides } from './sound.ts';
import { clockFor } from './times.ts';

/** Short side of a preview at most. */
const SHORT_SIDE = 720;
const DECODED_AHEAD = 3;

/** Writes the whole video, upright and small, as H.264 with AAC: what every browser plays. */
export async function writePreview(
  video: Video,
  path: string,
  { threads, limits }: { readonly threads: number; readonly limits: VideoLimits },
  { signal }: Pick<CallHooks, 'signal'> = {},
): Promise<void> {
  const crop = wholeFrame(video.pictures.shown);
  const size = previewSize(crop);
  const timing = { fps: video.info.fps, ticks: clockFor(video.pictures.timeBase), threads };
  const settings = encoderSettings(size, 'flat', timing);
  const work = `${path}${PREVIEW_WORK}`;
  try {
    const segments = await openSegments(work, 'preview');
    const encoder = await SegmentEncoder.open(segments.nextFile(), settings);
    const pixels = pixelsFor(settings);
    const reader = new FrameReader(size, pixels);
    const damage: Damage = { packets: 0 };
    const tempFile = join(work, 'colours.cube');
    const options = { crop, size, pixels, threads, tempFile, maxSeconds: limits.maxSeconds };
    let lastTime = 0;
    let look: number[] = [];
    try {
      for await (const { frame, time } of ahead(uprightFrames(video, options, damage), DECODED_AHEAD, (one) =>
        one.frame.free(),
      )) {
        try {
          if (signal?.aborted) throw new EngineError('conversionCancelled', 'cancelled');
          if (look.length === 0) look = lookOf(reader.read(frame)[0] as Uint8Array, size);
          await encoder.add(frame, time);
        } finally {
          frame.free();
        }
        lastTime = time;
      }
      const { packets, extradata } = await encoder.finish();
      const header = extradata.toString('base64');
      await segments.add(
        { packets, extradata: header, lastTime, look, damagedPackets: damage.packets },
        new Uint8Array(0),
      );
    } finally {
      reader.free();
      await encoder.close();
    }
    const sides = await openSides(video);
    try {
      await joinVideo(path, segments, settings, sides, () => {});
    } finally {
      await sides.close();
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function previewSize({ width, height }: Size): Size {
  const scale = Math.min(1, SHORT_SIDE / Math.min(width, height));
  const even = (n: number) => Math.max(2, 2 * Math.round((n * scale) / 2));
  return { width: even(width), height: even(height) };
}
