import { ApiError, ERRORS, type ErrorCode, FALLBACK_LANGUAGE, type Language } from '@framelift/contract';
import { errorText } from '@framelift/texts/node';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { isStatementTooSlow } from '../platform/db/connection-lost.ts';
import type { Log } from '../platform/log.ts';
import { isPassingTrouble } from '../platform/passing-trouble.ts';
import { isServerFull } from '../platform/server-full.ts';
import { languageOf } from './language.ts';

/** Errors of Fastify before a handler runs. */
const FASTIFY_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'bodyTooLarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'notJson',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalidInput',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalidInput',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalidInput',
};

/** Failures that an operator has to look into. */
const FAULTS: readonly ErrorCode[] = [
  'internal',
  'updateUsernameFailed',
  'updateUserDataFailed',
  'uploadImageFailed',
  'uploadVideoFailed',
];

/** Default Retry-After in seconds. */
const RETRY_SECONDS = { wait: 60, retry: 5 } as const;

/** Maps anything thrown to an error of the contract. Unexpected errors become `internal`; details are only logged. */
function toApiError(error: unknown): ApiError {
  if (isServerFull(error)) return new ApiError('serverFull', [], { cause: error });
  // What a domain names as its own failure may be the database or the store that is away.
  const own = error instanceof ApiError ? error : null;
  const failed = own && ERRORS[own.code].status >= 500 ? own.cause : error;
  if (isPassingTrouble(failed) || isStatementTooSlow(failed)) return new ApiError('systemBusy', [], { cause: error });
  if (own) return own;
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown };
  const known = typeof code === 'string' ? FASTIFY_CODES[code] : undefined;
  if (known) return new ApiError(known, [], { cause: error });
  const refused = typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500;
  return new ApiError(refused ? 'invalidInput' : 'internal', [], { cause: error });
}

/** Sends a failure in the caller's language. */
export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  const failure = toApiError(error);
  const { status, handling } = ERRORS[failure.code];
  if (failure.code === 'serverFull') log.error({ requestId: request.id, err: error }, 'There is no room left');
  if (FAULTS.includes(failure.code)) log.error({ requestId: request.id, err: error }, 'A request failed unexpectedly');
  const wait = failure.retryAfter ?? (status === 429 || status === 503 ? RETRY_SECONDS[handling as 'wait'] : undefined);
  if (wait) reply.header('retry-after', Math.ceil(wait));
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .send({
      success: false,
      code: failure.code,
      message: errorText(failure.code, answerLanguage(request), failure.values),
      errors: failure.details,
    });
}

/** Returns the actor's language if known (English for guests), else the header's. */
function answerLanguage(request: FastifyRequest): Language {
  return request.actor?.language ?? languageOf(request.headers['accept-language']) ?? FALLBACK_LANGUAGE;
}

const MOST_LINES = 20;
const LONGEST_LINE = 200;

/** Describes where an input is invalid and why, without its values. */
export function invalidInput(error: z.ZodError): ApiError {
  const lines = error.issues.map((issue) => {
    const path = issue.path.map(String).join('.');
    return path ? `${path}: ${issue.message}` : issue.message;
  });
  return new ApiError(
    'invalidInput',
    lines.slice(0, MOST_LINES).map((line) => line.slice(0, LONGEST_LINE)),
  );
}
