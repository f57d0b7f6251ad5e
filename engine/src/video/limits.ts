import { LIMITS } from '@framelift/contract/limits';

/** Limits for input videos. The operator can change them: see `ConverterOptions.video`. */
export interface VideoLimits {
  readonly maxSeconds: number;
  /** Of a frame: width times height, and the longer side. */
  readonly maxPixels: number;
  readonly maxSide: number;
  /** Tracks that are read: the pictures, audio, and subtitles that are text. */
  readonly maxStreams: number;
  /** Time limit for the work on one video, for each operation; excludes waiting. */
  readonly maxWorkMs: number;
}

export const VIDEO_LIMITS: VideoLimits = {
  maxSeconds: 20 * 60,
  // 8K UHD has 33.2 megapixels.
  maxPixels: 34_000_000,
  maxSide: 8192,
  maxStreams: 64,
  maxWorkMs: 12 * 60 * 60_000,
};

/** Smallest side of a video after cropping, in pixels. */
export const SMALLEST_VIDEO_SIDE = LIMITS.video.minCropPx;

/** Suffix of the temporary folder next to a preview; may be removed after a crash. */
export const PREVIEW_WORK = '.work';
