import {
  type Api,
  ApiError,
  answerSchema,
  api,
  COMMON_ERRORS,
  type Endpoint,
  type EndpointName,
  type ErrorCode,
  type InputOf,
  type Language,
  type OutputOf,
  type ParamsOf,
} from '@framelift/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { z } from 'zod';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { isFrameToken, resolveFrame } from '../domain/frame/frame-token.ts';
import { maintenanceLeft } from '../domain/site/site.ts';
import { resolveActor } from '../domain/user/session.ts';
import { callerNetwork } from '../platform/caller.ts';
import type { Versioned } from '../platform/versioned.ts';
import { addressOf, networkOf } from './address.ts';
import { type Credentials, credentialsOf } from './credentials.ts';
import { invalidInput } from './errors.ts';
import { languageOf } from './language.ts';
import type { RateLimiter } from './rate-limit.ts';
import { refuseCrossSiteWrite } from './same-origin.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the handler runs. */
    actor: Actor | null;
  }
}

/** An authorised call with parsed parameters and input. */
export interface Call<E> {
  readonly context: Context;
  readonly actor: Actor;
  readonly params: ParamsOf<E>;
  readonly input: InputOf<E>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Aborted when the caller hangs up before the response is sent. */
  readonly signal: AbortSignal;
}

/** `next` is the cursor of the next page; null on the last one. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
  /** Number of items on all pages, if the list counts them. */
  readonly total?: number;
}

type Kinded<K extends Endpoint['kind']> = Endpoint<z.ZodType, z.ZodType, z.ZodType, K>;
type AnswerOf<E> =
  E extends Kinded<'action'>
    ? OutputOf<E>
    : E extends Kinded<'versioned'>
      ? Versioned<OutputOf<E>>
      : E extends Kinded<'list'>
        ? ListPage<OutputOf<E>>
        : FastifyReply;

/** A handler for every endpoint. Those of streams and files write their response themselves. */
export type Handlers = {
  readonly [Name in EndpointName]: (call: Call<Api[Name]>) => Promise<AnswerOf<Api[Name]>>;
};

type AnyHandler = (call: Call<Endpoint>) => Promise<unknown>;

export interface MountOptions {
  readonly limiter: RateLimiter;
  /** For tests: checks responses against their schema and errors against the endpoint's list. */
  readonly checkAnswers: boolean;
}

export function mountEndpoints(
  app: FastifyInstance,
  context: Context,
  handlers: Handlers,
  options: MountOptions,
): void {
  for (const name of Object.keys(api) as EndpointName[])
    mountEndpoint(app, context, api[name], handlers[name] as AnyHandler, options);
}

/** Mounts one endpoint. Steps of a request: identify, authorize, parse, handle, wrap the result. */
function mountEndpoint(
  app: FastifyInstance,
  context: Context,
  endpoint: Endpoint,
  handler: AnyHandler,
  options: MountOptions,
): void {
  const answer = options.checkAnswers ? answerSchema(endpoint) : null;
  const route: RouteOptions = {
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    exposeHeadRoute: false,
    async handler(request, reply) {
      const sent = endpoint.method === 'GET' ? request.query : (request.body ?? {});
      const credentials = credentialsOf(request);
      const address = addressOf(request);
      // First, so that a foreign page cannot use up the rate limits of its visitor.
      refuseCrossSiteWrite(request, context.settings.publicUrl, credentials.by);
      await options.limiter.check(endpoint, address, sent);
      const language = languageOf(request.headers['accept-language']);
      const actor = await whoCalls(context, credentials, language);
      request.actor = actor;
      if (!endpoint.actors.includes(actor.kind)) {
        throw new ApiError(actor.kind === 'visitor' ? 'tokenExpired' : 'notAllowed');
      }
      if (actor.userId) await options.limiter.checkUser(endpoint, actor.userId);
      if (actor.kind !== 'admin' && !endpoint.openInMaintenance) await refuseInMaintenance(context);

      const params = parse(endpoint.params, request.params);
      const input = parse(endpoint.input, sent);

      reply.header('cache-control', 'no-store');
      // Parsed by the endpoint's schemas, from which the types of `Call` derive.
      const call = { context, actor, params, input, request, reply, signal: hangUp(reply) } as Call<Endpoint>;
      const result = await callerNetwork
        .run(networkOf(address), () => handler(call))
        .catch((error: unknown) => {
          throw options.checkAnswers ? declared(endpoint, error) : error;
        });
      if (endpoint.kind === 'events' || endpoint.kind === 'file') return result;
      if (endpoint.kind === 'versioned') {
        const { version, read } = result as Versioned<unknown>;
        const etag = `"${version}"`;
        reply.header('etag', etag);
        // The client keeps the answer itself. Proxies may have made the ETag weak when they compressed it.
        if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
        const body = { success: true, message: await read() };
        answer?.parse(body);
        return body;
      }
      const body =
        endpoint.kind === 'list'
          ? listBody(request.url, result as ListPage<unknown>)
          : { success: true, message: result };
      answer?.parse(body);
      return body;
    },
  };
  if (endpoint.takes === 'file') mountFileTaker(app, route);
  else app.route(route);
}

/** Returns a signal that is aborted when the caller hangs up. */
function hangUp({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** Returns the caller. Frame tokens are accepted in the header only: browsers send cookies automatically. */
function whoCalls(context: Context, { token, by }: Credentials, language: Language): Promise<Actor> {
  return by === 'bearer' && isFrameToken(token)
    ? resolveFrame(context, token, language)
    : resolveActor(context, token, language);
}

/** @throws ApiError `maintenance`, with the seconds until its announced end */
async function refuseInMaintenance(context: Context): Promise<void> {
  const left = await maintenanceLeft(context);
  if (left !== undefined) throw new ApiError('maintenance', [], left === null ? {} : { retryAfter: left });
}

/** Mounts an endpoint whose handler reads the body as a stream, without any parser or buffer. */
function mountFileTaker(app: FastifyInstance, route: RouteOptions): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.route(route);
  });
}

/** Returns the error if the contract declares it for this endpoint, else an internal error. */
function declared({ name, errors }: Endpoint, error: unknown): unknown {
  const known: readonly ErrorCode[] = [...COMMON_ERRORS, ...errors];
  if (!(error instanceof ApiError) || known.includes(error.code)) return error;
  return new Error(`${name} answers ${error.code}, which the contract does not say`, { cause: error });
}

function listBody(url: string, page: ListPage<unknown>) {
  return {
    success: true,
    data: page.items,
    meta: { hasNext: page.next !== null, ...(page.total !== undefined && { total: page.total }) },
    links: { self: url, next: page.next === null ? null : withPage(url, page.next) },
  };
}

function withPage(url: string, cursor: string): string {
  const [path, query] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('page', cursor);
  return `${path}?${parameters}`;
}

function parse(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (!result.success) throw invalidInput(result.error);
  if (!isStorable(result.data)) throw new ApiError('invalidInput', ['text must not contain U+0000 or half letters']);
  return result.data;
}

/** Returns whether PostgreSQL can store a value: no U+0000 and no lone surrogates. */
function isStorable(value: unknown): boolean {
  // Not recursive: `unknown` fields may be nested very deeply.
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string' && (next.includes('\0') || /\p{Cs}/u.test(next))) return false;
    if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) left.push(inner);
  }
  return true;
}
