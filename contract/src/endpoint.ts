import { z } from 'zod';
import type { Actor } from './actors.ts';
import type { ErrorCode } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Where the server mounts the API; paths of endpoints are relative to it. */
export const API_BASE = '/api';

/**
 * What an endpoint answers: `action` is `{success, message}`, `list` is a keyset page, `events` is a stream of
 * server-sent events whose data are `output`, `file` is the bytes of a file.
 */
export type AnswerKind = 'action' | 'list' | 'events' | 'file';

/** What an endpoint takes beside its parameters: JSON (a query for GET), or the bytes of one file as the whole body. */
export type InputKind = 'json' | 'file';

/**
 * At most `max` calls in each window of so many seconds, counted by the caller's network, by the email address in the
 * call, by both together, or by the user of the session.
 */
export interface RateLimit {
  readonly by: 'ip' | 'email' | 'ip+email' | 'user';
  readonly max: number;
  readonly seconds: number;
}

export const MINUTE_SECONDS = 60;
export const HOUR_SECONDS = 3600;
export const DAY_SECONDS = 86_400;

/** Of calls that ask for the password: a thief of a session could guess at it. */
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
  /** Who may call; everybody else is refused before any rule of the domain runs. */
  readonly actors: readonly Actor[];
  /** Values of the braces in `path`. */
  readonly params: Params;
  /** Query of a GET, JSON body of the others. Unknown keys are refused. */
  readonly input: Input;
  /** `message` of an action, one item of a list, one event. */
  readonly output: Output;
  /** Errors of its own; those that every call may answer are in `COMMON_ERRORS`. */
  readonly errors: readonly ErrorCode[];
  /** On calls that a stranger could guess with, send mail with or fill the disk with. */
  readonly rateLimits: readonly RateLimit[];
  /** Whether others than administrators may call it while there is maintenance. */
  readonly openInMaintenance: boolean;
}

/** What every call may answer. */
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

/** Declares one call of the API as data. The server mounts it, the client is derived from it, the docs print it. */
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
/** Whether a call sends a file instead of JSON. */
export type TakesOf<E> = E extends Endpoint<z.ZodType, z.ZodType, z.ZodType, AnswerKind, infer T> ? T : never;
/** What a caller writes, before defaults are filled in. */
export type SentInputOf<E> = E extends Endpoint<z.ZodType, infer I> ? z.input<I> : never;
export type OutputOf<E> = E extends Endpoint<z.ZodType, z.ZodType, infer O> ? z.output<O> : never;

/** `{ success: true, message }` */
export const successEnvelope = <T extends z.ZodType>(message: T) =>
  z.strictObject({ success: z.literal(true), message });

/** A keyset page. `links.next` is the address of the next page, null on the last one; lists that count say `total`. */
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

/** The schema that an answer of this endpoint must satisfy, or null where it is not JSON. */
export function answerSchema(endpoint: Endpoint): z.ZodType | null {
  if (endpoint.kind === 'action') return successEnvelope(endpoint.output);
  if (endpoint.kind === 'list') return listEnvelope(endpoint.output);
  return null;
}

/** The path with its parameters filled in and encoded. */
export function fillPath(path: string, params: Readonly<Record<string, string | number>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`The path ${path} needs the parameter ${name}`);
    return encodeURIComponent(value);
  });
}
