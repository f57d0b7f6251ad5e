/**
 * FFmpeg by its own functions (node-av's low level). The high level of the same package is not used: it needs
 * `Promise.withResolvers`, which Node 20 lacks, and then ends without a frame and without an error.
 */
import { AV_LOG_FATAL, AV_NOPTS_VALUE, AVERROR_EAGAIN, AVERROR_ENOMEM, AVERROR_EOF } from 'node-av/constants';
import { Dictionary, FFmpegError, Log } from 'node-av/lib';
import { EngineError } from '../errors.ts';

// Damaged videos would fill the server's log; what matters comes back as a code.
Log.setLevel(AV_LOG_FATAL);

export const NO_TIME = AV_NOPTS_VALUE;

/** A fraction of a second, as streams count their time in. */
export interface TimeBase {
  readonly num: number;
  readonly den: number;
}

class AvError extends Error {
  readonly code: number;
  constructor(code: number, what: string) {
    super(`${what}: ${FFmpegError.strerror(code)}`);
    this.code = code;
  }
}

/** @throws for FFmpeg's negative codes */
export function must(code: number, what: string): number {
  if (code < 0) throw new AvError(code, what);
  return code;
}

/** Where a video is read, FFmpeg's refusals are about the video; a full disk and the like stay what they are. */
export function asDamage(error: unknown): unknown {
  if (!(error instanceof AvError) || error.code === AVERROR_ENOMEM) return error;
  return new EngineError('filmDamaged', error.message, { cause: error });
}

/** True when there is a result, false when there is none (yet); other codes are errors. */
export function ready(code: number, what: string): boolean {
  if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return false;
  return must(code, what) >= 0;
}

export async function withOptions<T>(
  values: Readonly<Record<string, string | number>>,
  use: (options: Dictionary) => Promise<T>,
): Promise<T> {
  const options = Dictionary.fromObject(values);
  try {
    return await use(options);
  } finally {
    options.free();
  }
}

export function inSeconds(time: bigint, { num, den }: TimeBase): number {
  return (Number(time) * num) / den;
}
