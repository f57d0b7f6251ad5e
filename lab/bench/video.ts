import { mkdtemp } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { VideoFormat } from '@framelift/contract/formats';
import { AV_PICTURE_TYPE_NONE } from 'node-av/constants';
import { Packet } from 'node-av/lib';
import sharp from 'sharp';
import { DEVICES } from '../../engine/src/formats/index.ts';
import { createConverter } from '../../engine/src/process/converter.ts';
import { chance } from '../../engine/src/testing/video-frames.ts';
import { writeVideo } from '../../engine/src/testing/videos.ts';
import type { DeviceProfile, Size, Step, VideoTier } from '../../engine/src/types.ts';
import { must, ready } from '../../engine/src/video/av.ts';
import { decodedFrames, openDecoder } from '../../engine/src/video/decode.ts';
import { encoderSettings, openEncoder } from '../../engine/src/video/encode.ts';
import { VIDEO_LIMITS } from '../../engine/src/video/limits.ts';
import { examineVideo, reading } from '../../engine/src/video/open-video.ts';
import { prefetch } from '../../engine/src/video/prefetch.ts';
import { clockFor } from '../../engine/src/video/timestamps.ts';
import { median } from './median.ts';

/** One conversion: frames per second, total milliseconds, and milliseconds per step. */
export interface VideoRun {
  readonly fps: number;
  readonly ms: number;
  readonly steps: Partial<Record<Step, number>>;
  readonly rssMb: number;
}

export interface VideoTierFigures extends VideoRun {
  /** Frames per second relative to a plain transcode of the same video with the same encoder settings. */
  readonly overTranscode: number;
}

export interface Video720Figures {
  readonly frames: number;
  readonly transcodeFps: number;
  /** Same decoding and encoding through the product, without depth. */
  readonly identity: VideoRun;
  readonly fast: VideoTierFigures;
  readonly best: VideoTierFigures;
}

export interface VideoLengthFigures {
  readonly seconds: number;
  readonly ms: number;
  readonly rssMb: number;
}

const HD: Size = { width: 1280, height: 720 };
const SECONDS = 10;
/** Conversions per tier. */
const RUNS = 3;
const FPS = 30;
const SMALL: Size = { width: 256, height: 144 };
const SMALL_FPS = 10;
const LENGTHS = [10, 60, 600];
const DECODED_AHEAD = 4;
const LIMITS = { processes: 1, memoryLimitMb: 4096, timeLimitMs: 1_800_000 };

const television = DEVICES.find(({ slug }) => slug === '3d-tv') as DeviceProfile;

/**
 * Measures a 720p video to half side by side in both tiers, relative to plain transcodes before and after each
 * conversion, so that background load affects both about equally. Uses the conversion with the median ratio.
 */
export async function measureVideo720(photo: string, scratch: string): Promise<Video720Figures> {
  const path = join(scratch, 'video720.mp4');
  const frames = SECONDS * FPS;
  await writeVideo(path, {
    ...HD,
    fps: FPS,
    frames,
    draw: await panOver(photo, HD),
    options: { preset: 'fast', crf: 20 },
  });
  const warmUp = join(scratch, 'short720.mp4');
  await writeVideo(warmUp, { ...HD, fps: FPS, frames: FPS, draw: await panOver(photo, HD) });

  const converter = createConverter(LIMITS);
  const plain: number[] = [];
  const transcode = async () => {
    const started = performance.now();
    const count = await transcodePlainly(path);
    const fps = (1000 * count) / (performance.now() - started);
    plain.push(fps);
    return fps;
  };
  const run = async (input: string, tier: VideoTier, format: VideoFormat): Promise<VideoRun> => {
    const started = performance.now();
    const result = await converter.convert(await requestFor(input, tier, format, scratch));
    const ms = performance.now() - started;
    return { ms, fps: (1000 * result.frames) / ms, steps: result.times, rssMb: result.peakRssMb };
  };
  const tierFigures = async (tier: VideoTier): Promise<VideoTierFigures> => {
    await run(warmUp, tier, 'hsbs');
    const runs: VideoTierFigures[] = [];
    let before = await transcode();
    while (runs.length < RUNS) {
      const figures = await run(path, tier, 'hsbs');
      const after = await transcode();
      runs.push({ ...figures, overTranscode: figures.fps / ((before + after) / 2) });
      before = after;
    }
    const sorted = runs.sort((a, b) => a.overTranscode - b.overTranscode);
    return sorted[RUNS >> 1] as VideoTierFigures;
  };
  try {
    await transcodePlainly(warmUp);
    const fast = await tierFigures('fast');
    const best = await tierFigures('best');
    const identity = await run(path, 'fast', 'flat');
    return { frames, transcodeFps: median(plain), identity, fast, best };
  } finally {
    await converter.close();
  }
}

/** Measures time and peak memory of small videos from ten seconds to ten minutes, each in a new process. */
export async function measureVideoLengths(photo: string, scratch: string): Promise<VideoLengthFigures[]> {
  const figures: VideoLengthFigures[] = [];
  const draw = await panOver(photo, SMALL);
  for (const seconds of LENGTHS) {
    const path = join(scratch, `video-${seconds}.mp4`);
    await writeVideo(path, { ...SMALL, fps: SMALL_FPS, frames: seconds * SMALL_FPS, draw });
    const converter = createConverter(LIMITS);
    try {
      const started = performance.now();
      const result = await converter.convert(await requestFor(path, 'fast', 'hsbs', scratch));
      figures.push({ seconds, ms: performance.now() - started, rssMb: result.peakRssMb });
    } finally {
      await converter.close();
    }
  }
  return figures;
}

async function requestFor(input: string, tier: VideoTier, format: VideoFormat, scratch: string) {
  const outDir = await mkdtemp(join(scratch, 'video-'));
  const workDir = await mkdtemp(join(scratch, 'work-'));
  return {
    kind: 'video',
    input,
    device: television,
    effect: 100,
    tier,
    format,
    outDir,
    workDir,
    name: 'bench',
  } as const;
}

/**
 * Decodes and encodes only, like FFmpeg's command line.
 * @returns number of frames
 */
async function transcodePlainly(path: string): Promise<number> {
  const threads = availableParallelism();
  const video = await examineVideo(path, VIDEO_LIMITS);
  const timing = { fps: video.info.fps, ticks: clockFor(video.pictures.timeBase), threads };
  const encoder = await openEncoder(encoderSettings(video.pictures.shown, 'hsbs', timing));
  const packet = new Packet();
  packet.alloc();
  const drain = async () => {
    while (ready(await encoder.receivePacket(packet), 'encoding')) packet.unref();
  };
  let frames = 0;
  try {
    await reading(video.path, video.type, async (format) => {
      const stream = format.streams[video.pictures.track];
      if (!stream) throw new Error('the video has no pictures');
      const decoder = await openDecoder(stream, threads);
      const incoming = new Packet();
      incoming.alloc();
      try {
        const decoded = prefetch(
          decodedFrames(format, decoder, stream, incoming, { packets: 0 }),
          DECODED_AHEAD,
          (frame) => frame.free(),
        );
        for await (const frame of decoded) {
          // Resets the frame type like FFmpeg does: keeping the decoded types would save work for the encoder.
          frame.pictType = AV_PICTURE_TYPE_NONE;
          frame.pts = BigInt(Math.round((frames++ * timing.ticks) / timing.fps));
          must(await encoder.sendFrame(frame), 'encoding');
          frame.free();
          await drain();
        }
      } finally {
        incoming.free();
        decoder.freeContext();
      }
    });
    must(await encoder.sendFrame(null), 'ending the encoder');
    await drain();
  } finally {
    packet.free();
    encoder.freeContext();
  }
  return frames;
}

/** Returns a camera pan over a photograph, while part of it moves in front, with camera noise. */
async function panOver(photo: string, size: Size): Promise<(frame: number) => Uint8Array> {
  const wide = { width: 2 * size.width, height: Math.round(1.2 * size.height) };
  const source = await sharp(photo).resize(wide.width, wide.height, { fit: 'cover' }).removeAlpha().raw().toBuffer();
  const next = chance(1);
  const grain = Int8Array.from({ length: 1 << 16 }, () => Math.round(6 * (next() - 0.5)));
  const near = { width: Math.round(size.width / 5), height: Math.round(size.height / 2) };
  const row = 3 * size.width;
  return (frame) => {
    const out = new Uint8Array(row * size.height);
    const swing = (period: number) => 0.5 - 0.5 * Math.cos((2 * Math.PI * frame) / period);
    const left = Math.round(swing(700) * size.width);
    const top = Math.round(swing(410) * (wide.height - size.height));
    for (let y = 0; y < size.height; y++) {
      const from = 3 * ((top + y) * wide.width + left);
      out.set(source.subarray(from, from + row), y * row);
    }
    const nearLeft = Math.round(swing(190) * (size.width - near.width));
    const nearTop = size.height - near.height;
    for (let y = 0; y < near.height; y++) {
      const from = 3 * (y * wide.width + (wide.width >> 1));
      out.set(source.subarray(from, from + 3 * near.width), (nearTop + y) * row + 3 * nearLeft);
    }
    const offset = Math.floor(next() * grain.length);
    for (let i = 0; i < out.length; i++) {
      out[i] = Math.min(255, Math.max(0, (out[i] as number) + (grain[(i + offset) & 0xffff] as number)));
    }
    return out;
  };
}

/** Returns the peak memory of the measured lengths, in MB. */
export function videoMemory(lengths: readonly VideoLengthFigures[]): { '1min': number; '10min': number } {
  const of = (wanted: number) => lengths.find(({ seconds }) => seconds === wanted)?.rssMb ?? Number.NaN;
  return { '1min': of(60), '10min': of(600) };
}
