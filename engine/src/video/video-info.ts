import type { LIMITS } from '@framelift/contract/limits';
import type { Size } from '../types.ts';

/** Kinds of video that are read, by content: what the specification names. */
export type VideoType = (typeof LIMITS.video.extensions)[number];

/** What a video file is. Width and height are those of the upright picture as it is shown, with square pixels. */
export interface VideoInfo extends Size {
  readonly type: VideoType;
  readonly seconds: number;
  /** Frames a second on average; the frames themselves may come at any time. */
  readonly fps: number;
  /** Frames in all, as announced or from the duration: an estimate. */
  readonly frames: number;
  /** Short names of codecs, e.g. `h264`, `aac`. */
  readonly video: string;
  readonly audio: readonly { readonly codec: string; readonly channels: number }[];
  /** Quarter turns clockwise that make the stored picture upright, times 90. */
  readonly rotation: 0 | 90 | 180 | 270;
  readonly hdr: boolean;
  readonly interlaced: boolean;
  /** True when browsers play the file as it is: MP4 or MOV with 8-bit H.264 in 4:2:0 and AAC, MP3 or no sound. */
  readonly playable: boolean;
}
