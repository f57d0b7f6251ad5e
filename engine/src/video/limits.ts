import { LIMITS } from '@framelift/contract/limits';

/** What is read of videos at most. The operator can change it: see `ConverterOptions.video`. */
export interface VideoLimits {
  readonly maxSeconds: number;
  /** Of a frame: width times height, and the longest side. */
  readonly maxPixels: number;
  readonly maxSide: number;
  /** Tracks of all kinds: pictures, sound, subtitles, data. */
  readonly maxStreams: number;
  /** Time one video may take, in all kinds of work; waiting does not count. */
  readonly maxWorkMs: number;
}

export const VIDEO_LIMITS: VideoLimits = {
  maxSeconds: 20 * 60,
  // 8K UHD has 33.2 megapixels.
  maxPixels: 34_000_000,
  maxSide: 8192,
  maxStreams: 16,
  maxWorkMs: 12 * 60 * 60_000,
};

/** Smallest side of a video after cropping, in pixels. */
export const SMALLEST_VIDEO_SIDE = LIMITS.video.minCropPx;

/** Suffix of the temporary folder beside a preview; a leftover after a crash may be removed. */
export const PREVIEW_WORK = '.work';
