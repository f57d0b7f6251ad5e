import cookie from '@fastify/cookie';
import { API_BASE, ApiError, api, type Endpoint } from '@framelift/contract';
import { sql } from 'drizzle-orm';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerFactory,
  LogController,
} from 'fastify';
import type { Context } from './context.ts';
import { hasGoogleAds } from './domain/ad/ad-settings.ts';
import { isPlayed } from './domain/frame/item.sql.ts';
import { isShownAsset } from './domain/media/asset.sql.ts';
import { isUploadPending } from './domain/media/media.sql.ts';
import { uploadKeyOf } from './domain/media/upload/upload-link.ts';
import { reportFullServer } from './domain/notification/room-watch.ts';
import { trustedProxies } from './http/address.ts';
import { mountDocs } from './http/docs.ts';
import { mountEndpoints } from './http/endpoint.ts';
import { sendFailure } from './http/errors.ts';
import { mountFiles } from './http/files.ts';
import { createHandlers } from './http/handlers.ts';
import { mountHealth } from './http/health.ts';
import { sendLandingPage } from './http/landing-page.ts';
import { mountMailbox } from './http/mailbox.ts';
import { mountPaymentMessages } from './http/payments.ts';
import { createRateLimiter, type RateLimiterOptions } from './http/rate-limit.ts';
import { allowGoogleAds, mountSecurity } from './http/security.ts';
import { mountSharePages } from './http/share-page.ts';
import { asksForPage, mountStatic, type Pages, sendPage } from './http/static.ts';
import { isServerFull } from './platform/server-full.ts';
import { mountPayPalSandbox, type PayPalSandboxOptions } from './sandbox/paypal/paypal-sandbox.ts';
import { sandboxState } from './sandbox/paypal/state.ts';
import { openSandboxStore } from './sandbox/store.ts';
import { mountSunPaySandbox, openSunPayStore, type SunPaySandboxOptions } from './sandbox/sunpay/sandbox.ts';

const JSON_BYTES = 1024 * 1024;

export interface AppOptions {
  readonly pages: Pages;
  readonly rateLimiter: RateLimiterOptions;
  /** Number or addresses of the proxies in front, whose X-Forwarded-For and X-Forwarded-Proto are trusted. */
  readonly trustProxy: false | number | readonly string[];
  /** Folder of the built-in mailbox, if emails stay on this machine. */
  readonly outbox: string | null;
  /** Addresses of the stand-in for the card provider; null answers 404 there. */
  readonly sunpaySandbox: SunPaySandboxOptions['addresses'] | null;
  /** Origins of payment pages to which our forms are posted, other than our own. */
  readonly formTargets?: readonly string[];
  /** Mounts the stand-in for PayPal; null where an account of PayPal is set, or PayPal is not offered. */
  readonly paypalSandbox: Omit<PayPalSandboxOptions, 'store' | 'log' | 'now'> | null;
  /** Checks every response against the contract's schema. */
  readonly checkAnswers: boolean;
  /** Mounts the app on a server that is already listening. */
  readonly serverFactory?: FastifyServerFactory;
}

/** Creates the whole HTTP side without listening. */
export function createApp(context: Context, options: AppOptions): FastifyInstance {
  const app = fastify({
    loggerInstance: context.log as FastifyBaseLogger,
    // Replaced by the hook below, which logs no queries.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => context.ids.uuid(),
    bodyLimit: JSON_BYTES,
    trustProxy: trustedProxies(options.trustProxy),
    // Errors of the router itself, such as a badly encoded path.
    frameworkErrors: (error, request, reply) => sendFailure(error, request, reply, context.log),
    ...(options.serverFactory ? { serverFactory: options.serverFactory } : {}),
  });
  app.decorateRequest('actor', null);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    // Without the query, which contains signatures of links and codes of emails, and without the tokens of public links.
    const path = request.url.split('?', 1)[0]?.replace(/^(\/s|\/embed|\/u|\/api\/shared)\/[^/]+/i, '$1/…');
    const { statusCode: status, elapsedTime } = reply;
    const line = { requestId: request.id, method: request.method, path, status, ms: Math.round(elapsedTime) };
    context.log[status >= 500 ? 'warn' : 'debug'](line, 'request');
  });
  app.setErrorHandler((error, request, reply) => {
    // One that we refuse beforehand is no write that failed.
    if (isServerFull(error instanceof ApiError ? error.cause : error)) reportFullServer(context);
    return sendFailure(error, request, reply, context.log);
  });

  const { captcha, publicUrl } = context.settings;
  const script = captcha?.kind === 'recaptcha' ? captcha.script : null;
  mountSecurity(app, context.storage.origins, publicUrl.startsWith('https:'), script, options.formTargets);
  app.register(cookie);
  mountHealth(app, context.settings.version, context.log, {
    database: () => context.db.execute(sql`select 1`),
    storage: (signal) => context.storage.check(signal),
  });
  mountDocs(app, API_BASE, context.settings.version);
  mountStatic(app, options.pages);
  mountSharePages(app, context, options.pages);
  const { storage } = context;
  mountFiles(app, storage, {
    isExpected: (key) => isUploadPending(context.db, uploadKeyOf(key)),
    isShown: (key, mediaId) => isShownAsset(context.db, key, mediaId),
    isPlayed: (key, mediaId, frameId) => isPlayed(context.db, { key, mediaId, frameId }, context.clock.now()),
  });
  mountPaymentMessages(app, context);
  const { sunpaySandbox: addresses } = options;
  mountSunPaySandbox(
    app,
    addresses && { store: openSunPayStore(context.db), clock: context.clock, log: context.log, addresses },
  );
  if (options.outbox) mountMailbox(app, options.outbox, context.settings.publicUrl);
  if (options.paypalSandbox) {
    const { db, log, clock } = context;
    const store = openSandboxStore(db, 'paypal', sandboxState);
    mountPayPalSandbox(app, { store, log, now: () => clock.now(), ...options.paypalSandbox });
  }

  app.register(
    async (scope) => {
      scope.removeContentTypeParser('text/plain');
      const limiter = createRateLimiter(options.rateLimiter);
      mountEndpoints(scope, context, createHandlers(scope), { limiter, checkAnswers: options.checkAnswers });
    },
    { prefix: API_BASE },
  );

  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    const inApi = path === API_BASE || path.startsWith(`${API_BASE}/`);
    // Stand-ins that are not mounted are no pages of the web app.
    const inSandbox = path.startsWith('/sandbox/');
    const isFrame = /^\/frame(\/|$)/.test(path);
    const showsAds = !inApi && !inSandbox && !isFrame && asksForPage(request, path);
    if (showsAds && (await hasGoogleAds(context))) allowGoogleAds(reply);
    if (await sendLandingPage(context, request, reply, options.pages)) return reply;
    if (!inApi && !inSandbox && sendPage(request, reply, options.pages)) return reply;
    const { error, allow } = noSuchCall(inApi ? path.slice(API_BASE.length) : '');
    if (allow.length > 0) reply.header('allow', allow.join(', '));
    return sendFailure(error, request, reply, context.log);
  });
  return app;
}

const routes = (Object.values(api) as Endpoint[]).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
}));

/**
 * Returns the error for a path below the API base without an endpoint; distinguishes a wrong method from an unknown
 * path.
 */
function noSuchCall(path: string): { readonly error: ApiError; readonly allow: readonly string[] } {
  const allow = routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  return { error: new ApiError(allow.length > 0 ? 'methodNotAllowed' : 'notFound'), allow };
}
