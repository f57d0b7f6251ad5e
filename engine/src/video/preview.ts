import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../errors.ts';
import type { CallHooks } from '../process/calls.ts';
import type { Size } from '../types.ts';
import { openAudioAndSubtitles } from './audio-and-subtitles.ts';
import type { Damage } from './decode.ts';
import { encoderSettings, pixelsFor, SegmentEncoder } from './encode.ts';
import { endingOf } from './ending.ts';
import { FrameReader, uprightFrames } from './frames.ts';
import { joinVideo } from './join-video.ts';
import { PREVIEW_WORK, type VideoLimits } from './limits.ts';
import type { Video } from './open-video.ts';
import { wholeFrame } from './plan-video.ts';
import { prefetch } from './prefetch.ts';
import { openSegments } from './segments.ts';
import { thumbprintOf } from './thumbprint.ts';
import { clockFor } from './timestamps.ts';

/** Largest short side of a preview. */
const SHORT_SIDE = 720;
const DECODED_AHEAD = 3;

/** Writes the whole video, upright and downscaled, as H.264 with AAC, which every browser plays. */
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
    let lastDuration = 0;
    let thumbprint: number[] = [];
    try {
      for await (const { frame, time, duration } of prefetch(
        uprightFrames(video, options, damage),
        DECODED_AHEAD,
        (one) => one.frame.free(),
      )) {
        try {
          if (signal?.aborted) throw new EngineError('conversionCancelled', 'cancelled');
          if (thumbprint.length === 0) thumbprint = thumbprintOf(reader.read(frame)[0] as Uint8Array, size);
          await encoder.add(frame, time);
        } finally {
          frame.free();
        }
        lastTime = time;
        lastDuration = duration;
      }
      const { packets, extradata } = await encoder.finish();
      const header = extradata.toString('base64');
      await segments.add(
        { packets, extradata: header, lastTime, lastDuration, thumbprint, damagedPackets: damage.packets },
        new Uint8Array(0),
      );
    } finally {
      reader.free();
      await encoder.close();
    }
    const audioAndSubtitles = await openAudioAndSubtitles(video);
    try {
      const { end } = await endingOf(video, segments, settings.ticks);
      await joinVideo(path, segments, settings, audioAndSubtitles, end, () => {});
    } finally {
      await audioAndSubtitles.close();
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
