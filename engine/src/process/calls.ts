import type { PairChoice } from '@framelift/contract/formats';
import type { PictureInfo } from '../decode/probe.ts';
import type { EngineStatus } from '../depth/neural/status.ts';
import type { RasterizeFiles } from '../encode/rasterize.ts';
import type { ShrinkFiles } from '../encode/shrink.ts';
import type { EngineErrorCode } from '../errors.ts';
import type { ConvertRequest, ConvertResults, Progress } from '../types.ts';
import type { DemoLoop } from '../video/demo/draw-loop.ts';
import type { VideoInfo } from '../video/video-info.ts';
import type { ImportedDepth } from './import-depth.ts';

export interface CallHooks {
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A video file, the name that people gave it, which may say how it is packed (`Film_LR.mp4`), what they say that it is, and
 * the colour behind transparent parts.
 */
export interface NamedVideo {
  readonly path: string;
  readonly name?: string;
  readonly pair?: PairChoice;
  readonly ground?: string;
}

/**
 * Calls of the engine: in this process (`createEngine`), or in a forked process (`createConverter`), which exchanges
 * inputs and results as JSON.
 */
export interface EngineCalls {
  /**
   * Converts a picture or a video. On failure the caller must empty `outDir`; a video's `workDir` keeps the finished
   * segments, from which the same request resumes.
   *
   * @throws {EngineError} any of its codes
   */
  convert<R extends ConvertRequest>(request: R, hooks?: CallHooks): Promise<ConvertResults[R['kind']]>;
  /**
   * Returns type and upright size of a picture file, from its headers.
   *
   * @throws {EngineError} `fileEmpty`, `notAPicture`, `pictureDamaged`, `pictureTooLarge`
   */
  probe(path: string): Promise<PictureInfo>;
  /**
   * Converts a depth map supplied by a member to the engine's 16-bit format. Returns the size of the supplied
   * file and notes for the user.
   *
   * @throws {EngineError} `fileEmpty`, `notAPicture`, `pictureDamaged`, `pictureTooLarge`, `depthMapTooLarge`
   */
  depthMap(files: { readonly path: string; readonly outPath: string }): Promise<ImportedDepth>;
  /** Writes a smaller copy of a picture of this engine. */
  shrink(files: ShrinkFiles): Promise<void>;
  /** Writes a drawing of this program as a picture. */
  rasterize(files: RasterizeFiles): Promise<void>;
  /**
   * Returns the properties of a video file, from its headers and its first frames.
   *
   * @throws {EngineError} `fileEmpty`, `notAFilm`, `filmDamaged`, `filmWithoutPictures`, `filmTooLarge`, `filmTooLong`
   */
  probeVideo(source: string | NamedVideo): Promise<VideoInfo>;
  /**
   * Writes the upright frame shown at `seconds` (the last one if the video is shorter) as a JPEG of at most 1920 px.
   *
   * @throws {EngineError} as `probeVideo`
   */
  videoStill(still: NamedVideo & { readonly seconds: number; readonly outPath: string }): Promise<void>;
  /**
   * Writes the whole video as a small MP4 (H.264 and AAC, at most 720 px on the short side) for browsers that cannot play
   * the file itself. With `copy`, for a video that they can play, copies its pictures and sound and nothing else.
   *
   * @throws {EngineError} as `convert`
   */
  videoPreview(
    files: NamedVideo & { readonly outPath: string; readonly copy?: boolean },
    hooks?: CallHooks,
  ): Promise<void>;
  /** Draws the scene of the demonstration event as a recording of one camera. */
  drawLoop(loop: DemoLoop, hooks?: CallHooks): Promise<void>;
  /** Returns the active depth engine and the result of its self-test with a small picture. */
  status(): Promise<EngineStatus>;
}

export type CallName = keyof EngineCalls;

/** Any call in the form sent to the fork: one input, hooks, one result. */
export type AnyCall = (input?: unknown, hooks?: CallHooks) => Promise<unknown>;

/** Parent → child. The child runs one call at a time; ids distinguish a late cancel from a current one. */
export type Order =
  | { readonly id: number; readonly call: CallName; readonly input: unknown }
  | { readonly id: number; readonly cancel: true };

/** File descriptor of the child to which it writes its signs of life. See `pulse.ts`. */
export const PULSE_FD = 4;

/** Child → parent. Each call is answered by any number of `progress` reports and one `result` or `error`. */
export type Report =
  | { readonly id: number; readonly progress: Progress }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: { readonly code: EngineErrorCode; readonly message: string } };
