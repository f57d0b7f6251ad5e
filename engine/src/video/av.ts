/**
 * Wrappers for FFmpeg's low-level functions in node-av. The package's high-level API is not used: it needs
 * `Promise.withResolvers`, which Node 20 lacks, and then ends without a frame and without an error.
 */
import { AV_LOG_FATAL, AV_NOPTS_VALUE, AVERROR_EAGAIN, AVERROR_ENOMEM, AVERROR_EOF } from 'node-av/constants';
import { Dictionary, FFmpegError, Log } from 'node-av/lib';
import { EngineError } from '../errors.ts';

// Damaged videos would flood the server's log; relevant errors are returned as codes.
Log.setLevel(AV_LOG_FATAL);

export const NO_TIME = AV_NOPTS_VALUE;

/** Time unit of a stream as a fraction of a second. */
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

/**
 * Returns a code of FFmpeg.
 * @throws for negative codes
 */
export function must(code: number, what: string): number {
  if (code < 0) throw new AvError(code, what);
  return code;
}

/**
 * Maps FFmpeg errors while reading a video to `filmDamaged`; other errors (out of memory, a full disk) stay unchanged.
 */
export function asDamage(error: unknown): unknown {
  if (!(error instanceof AvError) || error.code === AVERROR_ENOMEM) return error;
  return new EngineError('filmDamaged', error.message, { cause: error });
}

/**
 * Returns true if a result is available, false if there is none (yet).
 * @throws for other negative codes
 */
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
