import type { EngineErrorCode } from '../errors.ts';
import type { EngineStatus } from '../neural/status.ts';
import type { PictureInfo } from '../picture/probe.ts';
import type { ConversionRequest, ConversionResult, Progress } from '../types.ts';

/** What the forked process is asked to do. It does one thing at a time; the parent keeps the queue. */
export type Task =
  | { readonly kind: 'convert'; readonly request: ConversionRequest }
  | { readonly kind: 'probe'; readonly path: string }
  | { readonly kind: 'status' };

/** Parent → child. Ids tell a late cancel from one that is meant. */
export type Order =
  | { readonly kind: 'do'; readonly id: number; readonly task: Task }
  | { readonly kind: 'cancel'; readonly id: number };

/** Child → parent. Each `do` is answered by any number of `progress` and one `done` or `failed`. */
export type Report =
  | { readonly kind: 'progress'; readonly id: number; readonly progress: Progress }
  | { readonly kind: 'done'; readonly id: number; readonly result: ConversionResult | PictureInfo | EngineStatus }
  | { readonly kind: 'failed'; readonly id: number; readonly code: EngineErrorCode; readonly message: string };

/** Passed to the child as its one argument, in JSON. */
export interface ChildOptions {
  readonly threads: number;
  readonly neuralDir?: string | undefined;
}
