import { ApiError, ERRORS, type ErrorCode } from '@framelift/contract';
import { EngineError } from '@framelift/engine';

/** Whether the uploaded file itself is the reason, so that another try would fail the same way. */
export function isFileFault(error: unknown): error is EngineError {
  return error instanceof EngineError && ERRORS[error.code].concerns === 'file';
}

/**
 * Translates a failure of the engine for the caller of an endpoint: its own code where the endpoint declares it, else
 * `conversionFailed`. Returns any other error as it is.
 */
export function asApiError(error: unknown, { errors }: { readonly errors: readonly ErrorCode[] }): unknown {
  if (!(error instanceof EngineError)) return error;
  return new ApiError(errors.includes(error.code) ? error.code : 'conversionFailed', [], { cause: error });
}
