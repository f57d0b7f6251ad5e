import { z } from 'zod';
import type { Actor } from './actors.ts';
import type { ErrorCode } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Base path of the API; endpoint paths are relative to it. */
export const API_BASE = '/api';

/**
 * Kind of response: `action` is `{success, message}`, `versioned` is the same with an ETag, or 304, `list` is a keyset page, `events` is a stream of server-sent
 * events whose data is `output`, `file` is the bytes of a file.
 */
export type AnswerKind = 'action' | 'versioned' | 'list' | 'events' | 'file';

/** Request body: JSON (the query string for GET), or the bytes of one file. */
export type InputKind = 'json' | 'file';

/**
 * At most `max` calls in each window of `seconds`, counted by the caller's network, by the email address in the call,
 * by both together, or by the user of the session.
 */
export interface RateLimit {
  readonly by: 'ip' | 'email' | 'ip+email' | 'user';
  readonly max: number;
  readonly seconds: number;
}

export const MINUTE_SECONDS = 60;
export const HOUR_SECONDS = 3600;
export const DAY_SECONDS = 86_400;

/** Limit of calls that ask for the password, against guessing with a stolen session. */
export const PASSWORD_TRIES: readonly RateLimit[] = [{ by: 'user', max: 10, seconds: 15 * MINUTE_SECONDS }];

export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Kind extends AnswerKind = AnswerKind,
  Takes extends InputKind = InputKind,
> {
  readonly name: string;
  readonly method: Method;
  /** Relative to the API base; parameters in braces: `/media/{id}`. */
  readonly path: string;
  readonly kind: Kind;
  readonly takes: Takes;
  readonly summary: string;
  /** Actors that may call; all others are refused before any domain code runs. */
  readonly actors: readonly Actor[];
  /** Path parameters. */
  readonly params: Params;
  /** Query of a GET, JSON body of the others. Unknown keys are refused. */
  readonly input: Input;
  /** `message` of an action, one item of a list, one event. */
  readonly output: Output;
  /** Errors specific to this endpoint; those of every endpoint are in `COMMON_ERRORS`. */
  readonly errors: readonly ErrorCode[];
  /** Set on calls that could be abused to guess secrets, send email or fill the disk. */
  readonly rateLimits: readonly RateLimit[];
  /** Whether callers other than administrators may use it during maintenance. */
  readonly openInMaintenance: boolean;
}

/** Errors that every endpoint may return. */
export const COMMON_ERRORS = [
  'invalidInput',
  'tokenExpired',
  'notAllowed',
  'crossSiteWrite',
  'notJson',
  'bodyTooLarge',
  'tooManyRequests',
  'systemBusy',
  'maintenance',
  'internal',
  'serverFull',
] as const satisfies readonly ErrorCode[];

const nothing = z.strictObject({});
type Nothing = typeof nothing;

type Declaration<
  P extends z.ZodType,
  I extends z.ZodType,
  O extends z.ZodType,
  K extends AnswerKind,
  T extends InputKind,
> = Pick<Endpoint<P, I, O, K, T>, 'name' | 'method' | 'path' | 'summary' | 'actors' | 'output'> & {
  kind?: K;
  takes?: T;
  params?: P;
  input?: I;
  errors?: readonly ErrorCode[];
  rateLimits?: readonly RateLimit[];
  openInMaintenance?: boolean;
};

/** Declares one endpoint as data. The server mounts it, the client and the API documentation are derived from it. */
export function defineEndpoint<
  O extends z.ZodType,
  I extends z.ZodType = Nothing,
  P extends z.ZodType = Nothing,
  K extends AnswerKind = 'action',
  T extends InputKind = 'json',
>(declaration: Declaration<P, I, O, K, T>): Endpoint<P, I, O, K, T> {
  return {
    kind: 'action' as K,
    takes: 'json' as T,
    params: nothing as unknown as P,
    input: nothing as unknown as I,
    errors: [],
    rateLimits: [],
    openInMaintenance: false,
    ...declaration,
  };
}

export type ParamsOf<E> = E extends Endpoint<infer P> ? z.output<P> : never;
export type InputOf<E> = E extends Endpoint<z.ZodType, infer I> ? z.output<I> : never;
/** Returns whether the request body is a file instead of JSON. */
export type TakesOf<E> = E extends Endpoint<z.ZodType, z.ZodType, z.ZodType, AnswerKind, infer T> ? T : never;
/** Input as the caller writes it, before defaults are applied. */
export type SentInputOf<E> = E extends Endpoint<z.ZodType, infer I> ? z.input<I> : never;
export type OutputOf<E> = E extends Endpoint<z.ZodType, z.ZodType, infer O> ? z.output<O> : never;

/** Schema of `{ success: true, message }`. */
export const successEnvelope = <T extends z.ZodType>(message: T) =>
  z.strictObject({ success: z.literal(true), message });

/**
 * Schema of a keyset page. `links.next` is the URL of the next page, null on the last one; `total` is present on lists
 * that count.
 */
export const listEnvelope = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    success: z.literal(true),
    data: z.array(item),
    meta: z.strictObject({ hasNext: z.boolean(), total: z.int().optional() }),
    links: z.strictObject({ self: z.string(), next: z.string().nullable() }),
  });

/** `code` is a key of the error table, `message` its text in the caller's language, `errors` lines of detail. */
export const failureEnvelope = z.strictObject({
  success: z.literal(false),
  code: z.string(),
  message: z.string(),
  errors: z.array(z.string()),
});

/** Returns the schema of the endpoint's successful response, or null where it is not JSON. */
export function answerSchema(endpoint: Endpoint): z.ZodType | null {
  if (endpoint.kind === 'action' || endpoint.kind === 'versioned') return successEnvelope(endpoint.output);
  if (endpoint.kind === 'list') return listEnvelope(endpoint.output);
  return null;
}

/** Returns the path with its parameters inserted and URL-encoded. */
export function fillPath(path: string, params: Readonly<Record<string, string | number>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`The path ${path} needs the parameter ${name}`);
    return encodeURIComponent(value);
  });
}
