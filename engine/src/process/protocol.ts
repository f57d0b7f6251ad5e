import type { PictureInfo } from '../decode/probe.ts';
import type { EngineStatus } from '../depth/neural/status.ts';
import type { EngineErrorCode } from '../errors.ts';
import type { ConversionRequest, ConversionResult, Progress, Size, VideoRequest, VideoResult } from '../types.ts';
import type { VideoLimits } from '../video/limits.ts';
import type { VideoInfo } from '../video/video-info.ts';

/** What the forked process is asked to do. It does one thing at a time; the parent keeps the queue. */
export type Task =
  | { readonly kind: 'convert'; readonly request: ConversionRequest }
  | { readonly kind: 'probe'; readonly path: string }
  | { readonly kind: 'status' }
  | { readonly kind: 'depthMap'; readonly path: string; readonly outPath: string }
  | { readonly kind: 'video'; readonly request: VideoRequest }
  | { readonly kind: 'probeVideo'; readonly path: string }
  | { readonly kind: 'videoStill'; readonly path: string; readonly seconds: number; readonly outPath: string }
  | { readonly kind: 'videoPreview'; readonly path: string; readonly outPath: string };

/** Parent → child. Ids tell a late cancel from one that is meant. */
export type Order =
  | { readonly kind: 'do'; readonly id: number; readonly task: Task }
  | { readonly kind: 'cancel'; readonly id: number };

/** Child → parent. Each `do` is answered by any number of `progress` and one `done` or `failed`. */
export type Report =
  | { readonly kind: 'progress'; readonly id: number; readonly progress: Progress }
  | { readonly kind: 'done'; readonly id: number; readonly result: TaskResult }
  | { readonly kind: 'failed'; readonly id: number; readonly code: EngineErrorCode; readonly message: string };

/** Stills and previews are files; nothing is told about them. */
export type TaskResult = ConversionResult | PictureInfo | EngineStatus | VideoResult | VideoInfo | Size | null;

/** Passed to the child as its one argument, in JSON. */
export interface ChildOptions {
  readonly threads: number;
  readonly neuralDir?: string | undefined;
  readonly video?: Partial<VideoLimits> | undefined;
}
