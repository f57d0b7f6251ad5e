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
import { type Credentials, credentialsOf } from './credentials.ts';
import { invalidInput } from './errors.ts';
import { languageOf } from './language.ts';
import type { RateLimiter } from './rate-limit.ts';
import { refuseCrossSiteWrite } from './same-origin.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the endpoint's verb runs. */
    actor: Actor | null;
  }
}

/** One call, parsed and allowed. */
export interface Call<E> {
  readonly context: Context;
  readonly actor: Actor;
  readonly params: ParamsOf<E>;
  readonly input: InputOf<E>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** `next` is the cursor of the next page, null on the last one. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
  /** How many there are on all pages, where the list counts them. */
  readonly total?: number;
}

type Kinded<K extends Endpoint['kind']> = Endpoint<z.ZodType, z.ZodType, z.ZodType, K>;
type AnswerOf<E> =
  E extends Kinded<'action'> ? OutputOf<E> : E extends Kinded<'list'> ? ListPage<OutputOf<E>> : FastifyReply;

/** What each endpoint of the contract does. Handlers of streams and files write their answer themselves. */
export type Handlers = {
  readonly [Name in EndpointName]: (call: Call<Api[Name]>) => Promise<AnswerOf<Api[Name]>>;
};

type AnyHandler = (call: Call<Endpoint>) => Promise<unknown>;

export interface MountOptions {
  readonly limiter: RateLimiter;
  /** Parses every answer by its schema and knows every refusal: on in tests, where a wrong answer must be seen. */
  readonly checkAnswers: boolean;
}

/** Mounts every endpoint of the contract. */
export function mountEndpoints(
  app: FastifyInstance,
  context: Context,
  handlers: Handlers,
  options: MountOptions,
): void {
  for (const name of Object.keys(api) as EndpointName[])
    mountEndpoint(app, context, api[name], handlers[name] as AnyHandler, options);
}

/** The five steps of a request, the same for every endpoint: who, may they, parse, the verb, the envelope. */
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
      // First: a foreign page must not use up the tries of whoever opens it.
      refuseCrossSiteWrite(request, context.settings.publicUrl, credentials.by);
      await options.limiter.check(endpoint, request.ip, sent);
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
      // Parsed by this endpoint's own schemas: the types of `Call` say what those give.
      const call = { context, actor, params, input, request, reply } as Call<Endpoint>;
      const result = await handler(call).catch((error: unknown) => {
        throw options.checkAnswers ? declared(endpoint, error) : error;
      });
      if (endpoint.kind === 'events' || endpoint.kind === 'file') return result;
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

/** A frame's token counts in the header alone: in a cookie a browser would send it along by itself. */
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

/** Its body is a stream of bytes of any type, which its handler reads; nothing may parse or buffer it. */
function mountFileTaker(app: FastifyInstance, route: RouteOptions): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.route(route);
  });
}

/** The refusal itself when the contract says that this call may answer it; else a fault. */
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

/** PostgreSQL can keep neither U+0000 nor one half of a surrogate pair in a text; no field needs them. */
function isStorable(value: unknown): boolean {
  // No recursion: a field that may hold anything may be nested without an end.
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string' && (next.includes('\0') || /\p{Cs}/u.test(next))) return false;
    if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) left.push(inner);
  }
  return true;
}
