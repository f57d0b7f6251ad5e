import type { AnimatedType } from '@framelift/contract/animation';
import type { FileTypeOf } from '@framelift/contract/file-types';
import type { PairPlaces } from '../formats/pair-places.ts';
import type { Size } from '../types.ts';

/** Supported video types, detected by content. Pictures of these types are animations. */
export type VideoType = FileTypeOf<'video'> | AnimatedType;

/** Properties of a video file. Width and height are those of the upright picture, with square pixels. */
export interface VideoInfo extends Size {
  readonly type: VideoType;
  /** Where both eyes are in whole frames, of a video that is 3D already: width and height are those of one. */
  readonly pair: PairPlaces | null;
  readonly seconds: number;
  /** Average frames per second; the frame rate may vary. */
  readonly fps: number;
  /** Estimated number of frames, from the header or the duration. */
  readonly frames: number;
  /** Short codec names, e.g. `h264`, `aac`. */
  readonly video: string;
  readonly audio: readonly { readonly codec: string; readonly channels: number }[];
  /** Clockwise rotation in degrees that makes the stored picture upright. */
  readonly rotation: 0 | 90 | 180 | 270;
  readonly hdr: boolean;
  readonly interlaced: boolean;
  /** True if browsers play the file as it is: MP4 or MOV with 8-bit H.264 in 4:2:0 and AAC, MP3 or no audio. */
  readonly playable: boolean;
}
