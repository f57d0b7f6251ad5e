import type { z } from 'zod';
import {
  type Endpoint,
  failureEnvelope,
  fillPath,
  type OutputOf,
  type ParamsOf,
  type SentInputOf,
  type TakesOf,
} from './endpoint.ts';
import { type Api, api, type EndpointName } from './endpoints.ts';
import type { ErrorCode } from './errors.ts';

/** Errors for responses that are not the server's, and for no response. */
export type ClientErrorCode = 'networkError' | ForeignErrorCode;
export type ForeignErrorCode = Extract<
  ErrorCode,
  'serverFull' | 'tooLargeForProxy' | 'tooManyRequests' | 'serverUnavailable' | 'unexpectedAnswer'
>;

/** English messages of `ClientErrorCode`, for clients without texts. */
const MESSAGES: Record<ClientErrorCode, string> = {
  networkError: 'Network Error / Please check your network quality',
  tooLargeForProxy: 'The request is larger than the server in front of Framelift allows.',
  tooManyRequests: 'Too many requests.',
  serverFull: 'The server has no room left.',
  serverUnavailable: 'The server does not answer.',
  unexpectedAnswer: 'Something other than Framelift has answered.',
};

/** Returns the error for a response that is not Framelift's: of a proxy, a firewall, or the login page of a network. */
export function foreignAnswer(status: number): ForeignErrorCode {
  if (status === 413) return 'tooLargeForProxy';
  if (status === 429) return 'tooManyRequests';
  // Of a bucket, to which browsers send their files directly.
  if (status === 507) return 'serverFull';
  return status >= 500 ? 'serverUnavailable' : 'unexpectedAnswer';
}

/** An error response of the API or of something in front of it; `networkError` when no response arrived. */
export class CallError extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: readonly string[];
  /** Value of the Retry-After header in seconds, if present. */
  readonly retryAfter: number | undefined;
  constructor(code: string, message: string, status: number, details: readonly string[], retryAfter?: number) {
    super(message);
    this.name = 'CallError';
    this.code = code;
    this.status = status;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

export interface Page<T> {
  readonly data: readonly T[];
  readonly hasNext: boolean;
  /** Query of the next page. */
  readonly next: string | null;
  /** Number of rows on all pages, for lists that count them. */
  readonly total: number | undefined;
}

export interface ClientOptions {
  /** API base, e.g. `/api` or `https://host/api`. */
  readonly base: string;
  readonly fetch?: typeof fetch;
  /** Sent as `Authorization: Bearer`. The web app omits it and uses its cookie. */
  readonly token?: () => string | undefined;
  readonly language?: () => string;
  /** Returns the message for an error that the server did not word, in the language of the user. */
  readonly messageOf?: (code: ClientErrorCode) => string;
  /** Parses every response with the endpoint's output schema. Used in tests, not in the browser. */
  readonly parse?: (schema: z.ZodType, value: unknown) => unknown;
}

type Empty = Record<string, never>;
type Arguments<E> = (ParamsOf<E> extends Empty ? { params?: undefined } : { params: ParamsOf<E> }) &
  (SentInputOf<E> extends Empty ? { input?: undefined } : { input: SentInputOf<E> }) &
  (TakesOf<E> extends 'file' ? { file: Blob } : { file?: undefined }) & { signal?: AbortSignal };
type Answer<E> = E extends Endpoint<z.ZodType, z.ZodType, z.ZodType, 'list'> ? Page<OutputOf<E>> : OutputOf<E>;
/** Names of the endpoints that return JSON. */
type Callable = {
  [N in EndpointName]: Api[N]['kind'] extends 'action' | 'versioned' | 'list' ? N : never;
}[EndpointName];
type Optional<A> =
  Empty extends Omit<A, 'signal'>
    ? [A?]
    : { [K in keyof A]: undefined extends A[K] ? never : K }[keyof A] extends never
      ? [A?]
      : [A];

export interface Client {
  /** Calls one endpoint. @throws CallError */
  call<N extends Callable>(name: N, ...args: Optional<Arguments<Api[N]>>): Promise<Answer<Api[N]>>;
}

/** Creates the typed API client derived from the contract. */
export function createClient(options: ClientOptions): Client {
  const send = options.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args));
  const foreign = (code: ClientErrorCode, response?: Response) =>
    new CallError(
      code,
      options.messageOf?.(code) ?? MESSAGES[code],
      // The status of another server says nothing about the call: its 401 ends no session.
      response && code !== 'unexpectedAnswer' ? response.status : 0,
      [],
      response && secondsToWait(response),
    );
  return {
    async call(name, ...[args]) {
      const endpoint: Endpoint = api[name];
      const given: {
        params?: object | undefined;
        input?: object | undefined;
        file?: Blob | undefined;
        signal?: AbortSignal;
      } = args ?? {};
      const headers: Record<string, string> = { accept: 'application/json' };
      const token = options.token?.();
      if (token) headers.authorization = `Bearer ${token}`;
      const language = options.language?.();
      if (language) headers['accept-language'] = language;
      const path = fillPath(endpoint.path, (given.params ?? {}) as Record<string, string>);
      const init: RequestInit = { method: endpoint.method, headers, credentials: 'same-origin' };
      if (given.signal) init.signal = given.signal;
      let query = '';
      if (endpoint.method === 'GET') {
        const pairs = Object.entries(given.input ?? {}).filter(([, value]) => value !== undefined);
        if (pairs.length > 0)
          query = `?${new URLSearchParams(Object.fromEntries(pairs.map(([key, value]) => [key, String(value)])))}`;
      } else if (given.file) {
        headers['content-type'] = given.file.type || 'application/octet-stream';
        init.body = given.file;
      } else {
        headers['content-type'] = 'application/json';
        init.body = JSON.stringify(given.input ?? {});
      }

      let response: Response;
      let text: string;
      try {
        response = await send(`${options.base}${path}${query}`, init);
        text = await response.text();
      } catch (error) {
        if (given.signal?.aborted) throw error;
        throw foreign('networkError');
      }
      const body = parseJson(text);
      const failure = failureEnvelope.safeParse(body);
      if (failure.success) {
        const { code, message, errors } = failure.data;
        throw new CallError(code, message, response.status, errors, secondsToWait(response));
      }
      if (!response.ok || !isSuccess(body)) throw foreign(foreignAnswer(response.status), response);
      const answer = body as {
        message?: unknown;
        data?: unknown[];
        meta?: { hasNext: boolean; total?: number };
        links?: { next: string | null };
      };
      const read = (value: unknown) => (options.parse ? options.parse(endpoint.output, value) : value);
      const result =
        endpoint.kind === 'list'
          ? {
              data: (answer.data ?? []).map(read),
              hasNext: answer.meta?.hasNext ?? false,
              next: answer.links?.next ?? null,
              total: answer.meta?.total,
            }
          : read(answer.message);
      return result as never;
    },
  };
}

/** Returns undefined for anything but JSON, such as the HTML of a proxy. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isSuccess(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'success' in body && body.success === true;
}

/** Returns the seconds of a Retry-After header, which may also be a date. */
function secondsToWait({ headers }: Response): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = Number(value);
  const left = Number.isNaN(seconds) ? Math.ceil((Date.parse(value) - Date.now()) / 1000) : seconds;
  return left > 0 ? left : undefined;
}
