import { createHmac } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { isIPv6 } from 'node:net';
import { LIMITS } from '@framelift/contract';
import { type Converter, createConverter, EngineError, fetchedBytes } from '@framelift/engine';
import packageInfo from '../package.json' with { type: 'json' };
import { type AppOptions, createApp } from './app.ts';
import { type Config, ConfigError, dataPaths, readConfig } from './config.ts';
import type { CaptchaSettings, Context } from './context.ts';
import { seedSamples } from './domain/catalogue/samples/seed-samples.ts';
import { keepDepthModel } from './domain/depth-model/keep-depth-model.ts';
import { seedDevices } from './domain/device-type/seed-device-types.ts';
import { seedLiveDemo } from './domain/live/demo.ts';
import { seedPlans } from './domain/membership/seed-plans.ts';
import { keepRoomWatched } from './domain/notification/room-watch.ts';
import { seedFaq, seedLocations } from './domain/site/seed-entries.ts';
import { createFirstAccounts } from './domain/user/first-accounts.ts';
import { fingerprints } from './fingerprints.ts';
import { createHandlers } from './handlers.ts';
import { type EarlyServer, listenEarly } from './http/early-server.ts';
import { PAYPAL_WEBHOOK_PATH } from './http/payments.ts';
import { builtPages } from './http/static.ts';
import { createCapabilities } from './platform/capabilities.ts';
import { openChangeFeed } from './platform/change-feed.ts';
import { openCountries } from './platform/countries.ts';
import { checkFolders } from './platform/data-folder.ts';
import { lockFolder } from './platform/db/lock.ts';
import { migrate, type Opened, openEmbedded, openPostgres } from './platform/db/open.ts';
import { createEncryption } from './platform/encryption.ts';
import { openQueue } from './platform/jobs/queue.ts';
import { startWorker } from './platform/jobs/worker.ts';
import { createLog, type Log } from './platform/log.ts';
import { createOutbox } from './platform/mail/outbox.ts';
import { createSmtp } from './platform/mail/smtp.ts';
import { createPayPal, type PayPalAccount } from './platform/payments/paypal/paypal.ts';
import {
  createSunPay,
  readMerchant,
  SUNPAY_CALLBACK_PATH,
  SUNPAY_RETURN_PATH,
} from './platform/payments/sunpay/client.ts';
import { createRecaptcha } from './platform/recaptcha.ts';
import { openRoom } from './platform/room.ts';
import { readSigningKey } from './platform/signing-key.ts';
import { createSources } from './platform/sources.ts';
import { openDiskStorage } from './platform/storage/disk.ts';
import { openPersistentDirs } from './platform/storage/persistent-dirs.ts';
import { openS3Storage, type S3Settings } from './platform/storage/s3.ts';
import { openTempDirs } from './platform/storage/temp-dirs.ts';
import { systemClock, systemIds } from './platform/system.ts';
import { PAYPAL_SANDBOX } from './sandbox/paypal/paypal-sandbox.ts';
import { SUNPAY_SANDBOX_PATH, sunPaySandboxAccount } from './sandbox/sunpay/sandbox.ts';
import { createShutdown, type Shutdown } from './shutdown.ts';
import { explainStartFailure } from './start-failure.ts';
import { firstAccountsNotice, startupBanner } from './startup-banner.ts';

/** Time for running requests to end when the server stops. */
const REQUEST_GRACE_MS = 10_000;
/** Far more than 100 megapixels need on a slow machine. */
const CONVERSION_LIMITS = { memoryLimitMb: 2048, timeLimitMs: 5 * 60_000 } as const;
/** A terminal, npm and the start script may each forward one Ctrl-C: signals within this time count as one. */
const REPEATED_SIGNAL_MS = 1_000;

/** Opens everything in order; `shutdown` closes it in reverse, also if a later step fails. */
async function start(config: Config, log: Log, shutdown: Shutdown): Promise<void> {
  const paths = dataPaths(config.dataDir);
  const { version } = packageInfo;
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  // Without the folder of the models there is basic depth.
  const { models, ...needed } = paths;
  checkFolders(config.dataDir, Object.values(needed));

  // Both checks run before the database is touched. A worker may use the folder of its web server.
  if (!config.databaseUrl && config.role !== 'worker') {
    const lock = lockFolder(paths.lock);
    shutdown.add('lock', () => lock.release());
  }
  const early = config.role === 'worker' ? null : await listenEarly(config.host, config.port);
  if (early) shutdown.add('server', () => early.close(REQUEST_GRACE_MS));

  const opened = await openDatabase(config, paths.database, log);
  shutdown.add('database', () => opened.close());
  const parts = { db: opened.db, clock: systemClock, ids: systemIds };
  await migrate(opened, async () => {
    await seedDevices(opened.db, systemClock);
    await seedPlans(opened.db, systemClock);
    await seedFaq(parts);
    const notice = firstAccountsNotice(await createFirstAccounts(parts, config));
    // Printed immediately: a later failure must not lose the passwords.
    if (notice) process.stdout.write(notice);
  });

  const secret = Buffer.from(config.signingSecret ?? readSigningKey(paths.signingKey));
  const { now } = systemClock;
  const s3 = s3Settings(config);
  const storage = s3
    ? await openS3Storage(s3, secret, now)
    : await openDiskStorage({ root: paths.objects, secret, now });
  shutdown.add('storage', () => storage.close());
  const { smtpUrl, from } = config.mail;
  const mailer = smtpUrl ? createSmtp(smtpUrl, from) : createOutbox(paths.outbox, from);
  shutdown.add('mailer', () => mailer.close());
  const handlers = createHandlers(config.converters, config.video.converters);
  const queue = await openQueue(opened, handlers, log);
  shutdown.add('queue', () => queue.close());
  const { depth, video } = config;
  const converter = createConverter({
    ...CONVERSION_LIMITS,
    processes: config.converters,
    videoProcesses: video.converters,
    video: {
      maxSeconds: Math.max(video.maxMinutes * 60, LIMITS.shop.videoSeconds),
      maxWorkMs: video.timeLimitMinutes * 60_000,
    },
    ...(depth.model && { neuralDir: models }),
    ...(depth.model && depth.isFixed && { neuralModel: depth.model.id }),
    device: depth.device,
  });
  shutdown.add('converter', () => converter.close());
  const changes = await openChangeFeed(opened.pool, {
    fingerprints: (ids) => fingerprints(opened.db, ids, systemClock.now()),
    log,
  });
  shutdown.add('changes', () => changes.close());
  const sources = createSources(config.privateSources ? () => true : undefined);
  shutdown.add('sources', () => sources.close());
  const { publicUrl, sandbox, features } = config;
  const sunpay = await openSunPay(config, { ...parts, log });
  const account = paypalAccount(config, secret);
  const context: Context = {
    ...parts,
    storage,
    capabilities: createCapabilities(secret),
    cardTokens: createEncryption(secret, 'card token'),
    liveLinks: createEncryption(secret, 'live link', { repeatable: true }),
    countries: openCountries(config.localCountry),
    sources,
    room: openRoom([config.dataDir, paths.work], config.reserveBytes),
    tempDirs: await openTempDirs(paths.work),
    videoDirs: await openPersistentDirs(paths.videos),
    converter,
    changes,
    jobs: queue,
    mailer,
    sunpay: sunpay.client,
    paypal:
      account &&
      createPayPal({ ...account, apiBase: () => account.apiBase, brandName: 'Framelift', log, clock: systemClock }),
    log,
    settings: {
      version,
      environment: config.environment,
      publicUrl,
      playerUrl: config.playerUrl,
      aboutUrl: config.aboutUrl,
      sandbox,
      testPayments: testPayments(config),
      features,
      video: { tier: video.tier, maxSeconds: video.maxMinutes * 60 },
      privateSources: config.privateSources,
      depthModel: depth.model && {
        id: depth.model.id,
        name: depth.model.name,
        licence: depth.model.licence,
        bytes: fetchedBytes(depth.model),
      },
      storageBytes: config.storageBytes,
      resultBytes: config.resultBytes,
      services: {
        database: config.databaseUrl ? 'postgres' : 'builtin',
        files: config.s3 ? 's3' : 'builtin',
        mail: smtpUrl ? 'smtp' : 'builtin',
      },
      startedAt: systemClock.now(),
      captcha: captchaSettings(config, secret, log),
    },
  };
  // The shop is there without them.
  if (config.samples) await seedSamples(context).catch((err) => log.error({ err }, 'The samples were not added'));
  if (config.samples) await seedLocations(context).catch((err) => log.error({ err }, 'The places were not added'));
  if (config.liveDemo)
    await seedLiveDemo(context).catch((err) => log.error({ err }, 'The live demonstration was not added'));
  shutdown.add('room', keepRoomWatched(context));
  const sandboxes = {
    outbox: sandbox && !smtpUrl ? paths.outbox : null,
    sunpaySandbox: sunpay.sandbox,
    paypalSandbox:
      account && config.paypal?.sandbox ? { ...account, webhookUrl: PAYPAL_WEBHOOK_PATH, publicUrl } : null,
  };
  const closeApp = early && (await serve(early, context, config, sandboxes));
  // Now, because jobs call the local sandboxes, which this server serves.
  if (config.role !== 'web') {
    const worker = await startWorker(queue, handlers, context);
    shutdown.add('worker', () => worker.stop());
    if (depth.model) {
      const store = { folder: models, model: depth.model, source: depth.source };
      shutdown.add('depth model', keepDepthModel(context, store));
    }
  }
  // Added last: the other parts stay open until the last request has ended.
  if (closeApp) shutdown.add('app', closeApp);
  process.stdout.write(startupBanner(config, version, paths));
  log.info({ version, role: config.role, database: context.settings.services.database }, 'ready');
  void tryDepthEngine(converter, log);
}

/** Runs the depth engine's self-test once and logs the result. */
async function tryDepthEngine(converter: Converter, log: Log): Promise<void> {
  try {
    const { depth, warnings } = await converter.status();
    for (const warning of warnings) log.warn(warning);
    log[depth.selfTest === 'ok' ? 'info' : 'warn'](depth, 'depth engine');
  } catch (error) {
    // The server was stopped meanwhile.
    if (error instanceof EngineError && error.code === 'conversionCancelled') return;
    log.warn({ err: error }, 'The depth engine could not be tried');
  }
}

/** Mounts the app on the server that is already listening. Returns what closes both. */
async function serve(
  early: EarlyServer,
  context: Context,
  config: Config,
  sandboxes: Pick<AppOptions, 'outbox' | 'sunpaySandbox' | 'paypalSandbox'>,
): Promise<() => Promise<void>> {
  let listener: RequestListener | undefined;
  const app = createApp(context, {
    pages: builtPages(),
    rateLimiter: { db: config.databaseUrl ? context.db : null },
    trustProxy: config.trustProxy,
    ...sandboxes,
    // The sandbox too, for browsers that came by another name of this machine.
    formTargets: config.sunpay ? [config.sunpay.sandbox ? config.publicUrl : config.sunpay.base] : [],
    checkAnswers: false,
    serverFactory: (handler) => {
      listener = handler;
      return early.server;
    },
  });
  await app.ready();
  if (listener) early.handOver(listener);
  // In parallel, because streams end with the app.
  return async () => void (await Promise.all([early.close(REQUEST_GRACE_MS), app.close()]));
}

function openDatabase(config: Config, folder: string, log: Log): Promise<Opened> {
  if (!config.databaseUrl) return openEmbedded(folder, log);
  const { host, pathname } = new URL(config.databaseUrl);
  return openPostgres({ connectionString: config.databaseUrl }, log).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError([`DATABASE_URL: the database ${host}${pathname} does not answer: ${reason}`]);
  });
}

/** Returns the client of the card provider, and the addresses of its stand-in if there is no account. */
async function openSunPay(config: Config, parts: Pick<Context, 'db' | 'clock' | 'log'>) {
  const { sunpay, publicUrl } = config;
  if (!sunpay) return { client: null, sandbox: null };
  if (!sunpay.sandbox) {
    const { merchant, base } = sunpay;
    return { client: createSunPay({ ...parts, merchant, base: () => base }), sandbox: null };
  }
  // PUBLIC_URL may be the address of a proxy that this machine cannot reach.
  const own = ownOrigin(config);
  const [base, apiBase] = [publicUrl + SUNPAY_SANDBOX_PATH, own + SUNPAY_SANDBOX_PATH];
  const merchant = readMerchant(await sunPaySandboxAccount(parts.db));
  return {
    client: createSunPay({ ...parts, merchant, base: () => base, apiBase: () => apiBase }),
    sandbox: () => ({
      base,
      callbackUrl: own + SUNPAY_CALLBACK_PATH,
      returnUrl: publicUrl + SUNPAY_RETURN_PATH,
    }),
  };
}

/** Returns the origin at which this machine reaches this server, which may know nothing of PUBLIC_URL and its proxy. */
function ownOrigin({ host, port }: Config): string {
  const address = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : isIPv6(host) ? `[${host}]` : host;
  return `http://${address}:${port}`;
}

/** Returns the providers whose payments move no money. */
function testPayments({ paypal, sunpay }: Config): Context['settings']['testPayments'] {
  const isTest = (base: string) => /(^|\.)sandbox\.paypal\.com$|^testtrade\./.test(new URL(base).hostname);
  return [
    ...(!paypal || paypal.sandbox || isTest(paypal.apiBase) ? ['paypal' as const] : []),
    ...(!sunpay || sunpay.sandbox || isTest(sunpay.base) ? ['sunpay' as const] : []),
  ];
}

/** Returns the account of PayPal; in the sandbox of this server one that only processes with our key know. */
function paypalAccount(config: Config, secret: Buffer): PayPalAccount | null {
  const { paypal } = config;
  if (!paypal?.sandbox) return paypal;
  const own = (name: string) => createHmac('sha256', secret).update(`paypal sandbox ${name}`).digest('base64url');
  return {
    apiBase: ownOrigin(config) + PAYPAL_SANDBOX,
    clientId: own('client'),
    clientSecret: own('secret'),
    webhookId: own('webhook'),
  };
}

function captchaSettings({ captcha, publicUrl }: Config, secret: Buffer, log: Log): CaptchaSettings | null {
  switch (captcha.kind) {
    case 'off':
      return null;
    case 'altcha': {
      // Several processes with the same secret accept each other's challenges.
      const own = createHmac('sha256', secret).update('captcha').digest('base64url');
      // Takes one or two seconds of one core.
      return { kind: 'altcha', secret: own, cost: 5000, counter: { from: 200, to: 1000 } };
    }
    case 'recaptcha': {
      const { hostname } = new URL(publicUrl);
      return { kind: 'recaptcha', ...createRecaptcha({ ...captcha, hostname, origin: 'https://www.google.com', log }) };
    }
  }
}

function s3Settings({ s3 }: Config): S3Settings | null {
  if (!s3) return null;
  const { bucket, region, endpoint, publicEndpoint, credentials } = s3;
  return {
    bucket,
    region,
    endpoint: endpoint ?? undefined,
    publicEndpoint: publicEndpoint ?? undefined,
    accessKeyId: credentials?.accessKeyId,
    secretAccessKey: credentials?.secretAccessKey,
  };
}

let config: Config | null = null;

async function main(): Promise<void> {
  config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const shutdown = createShutdown(log);
  const started = start(config, log, shutdown);

  let askedAt: number | null = null;
  const stop = async (signal: NodeJS.Signals) => {
    if (askedAt !== null) {
      if (performance.now() - askedAt < REPEATED_SIGNAL_MS) return;
      process.exit(1);
    }
    askedAt = performance.now();
    log.info({ signal }, 'stopping; the same signal again ends at once');
    await started.catch(() => {});
    await shutdown.run();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);

  try {
    await started;
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${explainStartFailure(error, config)}\n`);
  process.exit(1);
});
