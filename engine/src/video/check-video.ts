import { EngineError } from '../errors.ts';
import type { Size } from '../types.ts';
import type { Damage } from './decode.ts';
import { FrameReader, uprightFrames } from './frames.ts';
import { VIDEO_LIMITS } from './limits.ts';
import { countFrames, examineVideo } from './open-video.ts';
import type { Pixels } from './planes.ts';
import { sameThumbprint, thumbprintOf } from './thumbprint.ts';

export interface VideoExpectation {
  readonly size: Size;
  /** Size of the frames before they were encoded, if it is another. */
  readonly drawn?: Size;
  readonly pixels: Pixels;
  readonly frames: number;
  /** Number of audio tracks. */
  readonly sound: number;
  /** Thumbprint of the first frame, see `thumbprintOf`. */
  readonly thumbprint: readonly number[];
  /** Presentation time of the last frame, in seconds. */
  readonly lastTime: number;
}

/** Output videos may exceed the limits for uploads. */
const NO_LIMITS = {
  ...VIDEO_LIMITS,
  maxSeconds: Number.POSITIVE_INFINITY,
  maxPixels: Number.POSITIVE_INFINITY,
  maxSide: Number.POSITIVE_INFINITY,
};

/**
 * Opens a finished video and verifies size, frames, tracks and duration, that it is upright, and that the first frame
 * shows what was rendered.
 *
 * @returns its duration in seconds
 * @throws {EngineError} `conversionFailed`: such a video is not delivered; `filmDamaged` if the upload has a single frame
 * that can be decoded, which makes no video
 */
export async function checkVideo(path: string, expected: VideoExpectation): Promise<number> {
  if (expected.frames < 2) throw new EngineError('filmDamaged', 'a single frame could be decoded');
  const wrong = (what: string, options?: ErrorOptions) =>
    new EngineError('conversionFailed', `the finished video is wrong: ${what}`, options);
  // Whole frames, also of pairs. The engine wrote this video, so a read error is not the fault of the upload.
  const video = await examineVideo(path, NO_LIMITS, { pair: 'flat' }).catch((cause: Error) => {
    throw wrong(cause.message, { cause });
  });
  const { info, pictures } = video;
  const { width, height } = expected.size;
  if (info.width !== width || info.height !== height) throw wrong(`${info.width} x ${info.height} pixels`);
  if (pictures.turn.filters.length > 0) throw wrong('it is turned');
  // Empty tracks may be present or absent.
  if (info.audio.length < expected.sound) throw wrong(`${info.audio.length} tracks of sound`);
  const frames = await countFrames(video);
  if (frames !== expected.frames) throw wrong(`${frames} frames instead of ${expected.frames}`);
  if (info.seconds < expected.lastTime) throw wrong(`${info.seconds} s`);
  if (!sameThumbprint(expected.thumbprint, await firstThumbprint())) throw wrong('the first frame is another');
  return info.seconds;

  async function firstThumbprint(): Promise<number[]> {
    const crop = { x: 0, y: 0, width, height };
    const { size: whole, drawn: size = whole, pixels } = expected;
    const options = { crop, size, pixels, threads: 1, tempFile: '', maxSeconds: Number.POSITIVE_INFINITY };
    const damage: Damage = { packets: 0 };
    const reader = new FrameReader(size, pixels);
    try {
      for await (const { frame } of uprightFrames(video, options, damage)) {
        try {
          return thumbprintOf(reader.read(frame)[0] as Uint8Array, size);
        } finally {
          frame.free();
        }
      }
      return [];
    } finally {
      reader.free();
    }
  }
}
