import { ApiError, ERRORS, type ErrorCode } from '@framelift/contract';
import { EngineError } from '@framelift/engine';

const ruleOf = (code: ErrorCode): { readonly concerns?: 'file' } => ERRORS[code];

/** Returns whether the uploaded file itself caused the error, so that a retry would fail in the same way. */
export function isFileFault(error: unknown): boolean {
  return (error instanceof EngineError || error instanceof ApiError) && ruleOf(error.code).concerns === 'file';
}

/**
 * Converts an engine error for the caller of an endpoint: to its own code if the endpoint declares it, else to
 * `conversionFailed`. Returns any other error unchanged.
 */
export function asApiError(error: unknown, { errors }: { readonly errors: readonly ErrorCode[] }): unknown {
  if (!(error instanceof EngineError)) return error;
  // The same call will probably succeed in another process.
  if (error.code === 'conversionInterrupted') return new ApiError('systemBusy', [], { cause: error });
  const isDeclared = errors.includes(error.code) || error.code === 'serverFull';
  return new ApiError(isDeclared ? error.code : 'conversionFailed', [], { cause: error });
}
