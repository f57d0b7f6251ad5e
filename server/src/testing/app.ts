import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient, featurePreset } from '@framelift/contract';
import { type ConverterOptions, createConverter } from '@framelift/engine';
import { eq } from 'drizzle-orm';
import { vi } from 'vitest';
import { type AppOptions, createApp } from '../app.ts';
import type { Context, Settings } from '../context.ts';
import { seedDevices } from '../domain/device-type/seed-device-types.ts';
import { seedPlans } from '../domain/membership/seed-plans.ts';
import { seedFaq } from '../domain/site/seed-entries.ts';
import { fingerprints } from '../fingerprints.ts';
import { createHandlers } from '../handlers.ts';
import { PAYPAL_WEBHOOK_PATH } from '../http/payments.ts';
import { createCapabilities } from '../platform/capabilities.ts';
import { openChangeFeed } from '../platform/change-feed.ts';
import { openCountries } from '../platform/countries.ts';
import type { Opened } from '../platform/db/open.ts';
import { users } from '../platform/db/schema.ts';
import { createEncryption } from '../platform/encryption.ts';
import { openQueue } from '../platform/jobs/queue.ts';
import { startWorker } from '../platform/jobs/worker.ts';
import { createLog } from '../platform/log.ts';
import { createOutbox } from '../platform/mail/outbox.ts';
import { type ReadEmail, readEmail } from '../platform/mail/read-email.ts';
import { createPayPal } from '../platform/payments/paypal/paypal.ts';
import {
  createSunPay,
  readMerchant,
  SUNPAY_CALLBACK_PATH,
  SUNPAY_RETURN_PATH,
} from '../platform/payments/sunpay/client.ts';
import { openRoom, type Room } from '../platform/room.ts';
import { createSources } from '../platform/sources.ts';
import { openDiskStorage } from '../platform/storage/disk.ts';
import { openPersistentDirs } from '../platform/storage/persistent-dirs.ts';
import type { Storage } from '../platform/storage/storage.ts';
import { openTempDirs } from '../platform/storage/temp-dirs.ts';
import { systemIds } from '../platform/system.ts';
import { PAYPAL_SANDBOX } from '../sandbox/paypal/paypal-sandbox.ts';
import { SUNPAY_SANDBOX_PATH, sunPaySandboxAccount } from '../sandbox/sunpay/sandbox.ts';
import { createTestClock, type TestClock } from './clock.ts';

interface TestMember {
  readonly token: string;
  readonly email: string;
  readonly password: string;
  readonly userId: string;
}

export interface TestApp {
  /** Origin, e.g. `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly context: Context;
  readonly clock: TestClock;
  readonly dataDir: string;
  /** Typed calls over real HTTP; every response is checked against the contract. */
  client(who?: { readonly token?: string; readonly language?: string }): Client;
  /** Sent emails, oldest first. */
  mails(): Promise<ReadEmail[]>;
  /** Waits for email number `count` (1 is the first) to this address. */
  mailTo(address: string, count?: number): Promise<ReadEmail>;
  /** Registers, confirms by email and logs in. */
  member(email?: string): Promise<TestMember>;
  /** Makes a member who is an administrator; `client` makes calls as this person. */
  admin(email?: string): Promise<TestMember & { readonly client: Client }>;
  guest(): Promise<{ token: string; userId: string }>;
  /** Stops the worker: jobs wait for a test that runs them itself. */
  stopWorker(): Promise<void>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  readonly settings?: Partial<Settings>;
  readonly app?: Partial<AppOptions>;
  readonly converter?: Partial<ConverterOptions>;
  /** Closed with the app; by default disk storage in a new folder. */
  readonly storage?: Storage;
  /** By default without a reserve. */
  readonly room?: Room;
  /** Origin at which the client of PayPal calls the local one, instead of directly. */
  readonly paypalOrigin?: string;
  /** The same for SunPay; browsers reach its pages directly. */
  readonly sunpayOrigin?: string;
  /** Receives the lines of the log, for tests that search it for secrets. */
  readonly onLog?: (line: string) => void;
}

/** Time limit for requests in progress when a test app closes. */
const GRACE_MS = 3000;
/** Account of the stand-in for PayPal, for tests that call it themselves. */
const PAYPAL = { clientId: 'client', clientSecret: 'secret', webhookId: 'webhook' };
const PASSWORD = 'Correct-Horse-7';

/**
 * Starts the whole server on a free port: the same parts as in main.ts, on the given database, with an adjustable
 * clock.
 */
export async function startTestApp(opened: Opened, options: TestAppOptions = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'framelift-test-'));
  const outbox = join(dataDir, 'outbox');
  const clock = createTestClock();
  const log = createLog('debug', { write: (line) => options.onLog?.(line) });
  await seedDevices(opened.db, clock);
  await seedPlans(opened.db, clock);
  await seedFaq({ db: opened.db, clock, ids: systemIds });
  const handlers = createHandlers(1, 1);
  const queue = await openQueue(opened, handlers, log);
  // Its processes start with the first picture, so tests without pictures do not pay for them.
  const converter = createConverter({ processes: 1, memoryLimitMb: 2000, timeLimitMs: 120_000, ...options.converter });
  const changes = await openChangeFeed(opened.pool, {
    fingerprints: (ids) => fingerprints(opened.db, ids, clock.now()),
    log,
    pollMs: 100,
  });
  const sources = createSources(options.settings?.privateSources ? () => true : undefined);
  let url = '';
  const sunpayBase = () => url + SUNPAY_SANDBOX_PATH;
  const context: Context = {
    db: opened.db,
    sunpay: createSunPay({
      merchant: readMerchant(await sunPaySandboxAccount(opened.db)),
      base: sunpayBase,
      apiBase: () => (options.sunpayOrigin ?? url) + SUNPAY_SANDBOX_PATH,
      clock,
      log,
    }),
    room: options.room ?? openRoom([dataDir], 0),
    tempDirs: await openTempDirs(join(dataDir, 'work')),
    videoDirs: await openPersistentDirs(join(dataDir, 'videos')),
    converter,
    changes,
    storage:
      options.storage ??
      (await openDiskStorage({
        root: join(dataDir, 'objects'),
        secret: Buffer.alloc(32, 'test'),
        now: () => clock.now(),
      })),
    capabilities: createCapabilities(Buffer.alloc(32, 'test')),
    cardTokens: createEncryption(Buffer.alloc(32, 'test'), 'card token'),
    liveLinks: createEncryption(Buffer.alloc(32, 'test'), 'live link', { repeatable: true }),
    countries: openCountries('TW'),
    sources,
    jobs: queue,
    mailer: createOutbox(outbox, 'Framelift <no-reply@framelift.local>'),
    paypal: createPayPal({
      ...PAYPAL,
      apiBase: () => (options.paypalOrigin ?? url) + PAYPAL_SANDBOX,
      brandName: 'Framelift',
      log,
      clock,
    }),
    clock,
    ids: systemIds,
    log,
    settings: {
      version: '0.0.0-test',
      environment: 'production',
      publicUrl: 'http://framelift.test',
      playerUrl: null,
      aboutUrl: null,
      sandbox: true,
      testPayments: ['paypal', 'sunpay'],
      features: featurePreset('full'),
      captcha: null,
      video: { tier: 'fast', maxSeconds: 20 * 60 },
      privateSources: false,
      depthModel: null,
      storageBytes: 1024 ** 3,
      resultBytes: 1024 ** 3,
      services: { database: 'builtin', files: 'builtin', mail: 'builtin' },
      startedAt: clock.now(),
      ...options.settings,
    },
  };
  const app = createApp(context, {
    pages: { web: null, frame: null },
    rateLimiter: { db: null, limitsOf: () => [] },
    trustProxy: false,
    sunpaySandbox: () => ({
      base: sunpayBase(),
      callbackUrl: url + SUNPAY_CALLBACK_PATH,
      returnUrl: url + SUNPAY_RETURN_PATH,
    }),
    outbox,
    paypalSandbox: { ...PAYPAL, webhookUrl: PAYPAL_WEBHOOK_PATH, publicUrl: null },
    checkAnswers: true,
    ...options.app,
  });
  url = await app.listen({ host: '127.0.0.1', port: 0 });
  // Periodic jobs are called by the tests: they compare the real ages of files with the test clock, which may be days
  // ahead, and would delete an object as a leftover while its upload is being stored.
  const called = handlers.filter(({ job }) => job.options.every === undefined);
  const worker = await startWorker(queue, called, context, { pollSeconds: 0.5, patience: 0 });

  const client: TestApp['client'] = ({ token, language = 'en' } = {}) =>
    createClient({
      base: `${url}/api`,
      token: () => token,
      language: () => language,
      parse: (schema, value) => schema.parse(value),
    });
  // Whole when they get their name. Parsed once each: tests ask often, and some of them send hundreds.
  const parsed = new Map<string, Promise<ReadEmail>>();
  const mails = async () => {
    const files = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml')).sort();
    for (const name of files) {
      if (!parsed.has(name)) parsed.set(name, readFile(join(outbox, name)).then(readEmail));
    }
    return Promise.all(files.map((name) => parsed.get(name) as Promise<ReadEmail>));
  };
  const mailTo: TestApp['mailTo'] = (address, count = 1) =>
    vi.waitFor(
      async () => {
        const found = (await mails()).filter(({ to }) => to === address)[count - 1];
        if (!found) throw new Error(`No mail number ${count} to ${address} yet`);
        return found;
      },
      { timeout: 15_000, interval: 50 },
    );
  let stopping: Promise<void> | null = null;
  const stopWorker = () => {
    stopping ??= worker.stop();
    return stopping;
  };
  let people = 0;
  const member: TestApp['member'] = async (email = `member${++people}@example.com`) => {
    await client().call('register', { input: registration(email) });
    const { code } = confirmationOf(await mailTo(email));
    await client().call('confirmEmail', { input: { email, code } });
    const { token, user } = await client().call('login', { input: { email, password: PASSWORD } });
    return { token, email, password: PASSWORD, userId: user.id };
  };

  return {
    url,
    context,
    clock,
    dataDir,
    client,
    mails,
    mailTo,
    member,
    async admin(email) {
      const person = await member(email);
      await opened.db.update(users).set({ isAdmin: true }).where(eq(users.id, person.userId));
      return { ...person, client: client({ token: person.token }) };
    },
    async guest() {
      const { token, user } = await client().call('guestLogin', { input: { guestId: systemIds.secret() } });
      return { token, userId: user.id };
    },
    stopWorker,
    async close() {
      // Node keeps connections that become idle only now, because the client was faster than the server, until the
      // keep-alive timeout.
      const idle = setInterval(() => app.server.closeIdleConnections(), 50);
      // A connection without any request counts as idle only after a minute. See `early-server.ts`.
      const cut = setTimeout(() => app.server.closeAllConnections(), GRACE_MS);
      await app.close();
      clearInterval(idle);
      clearTimeout(cut);
      await stopWorker();
      await queue.close();
      await converter.close();
      await changes.close();
      await sources.close();
      await context.storage.close();
      await context.mailer.close();
      await opened.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns valid input for `register`. */
export function registration(email: string) {
  return {
    name: 'Mia',
    email,
    password: PASSWORD,
    password_confirmation: PASSWORD,
    isChecked: true,
  };
}

/** Returns the values in the link of a confirmation email. */
export function confirmationOf(mail: ReadEmail): { link: URL; code: string; email: string } {
  const address = /https?:\/\/\S+\/confirmation\?\S+/.exec(mail.text)?.[0];
  if (!address) throw new Error(`No confirmation link in: ${mail.text}`);
  const link = new URL(address);
  return { link, code: link.searchParams.get('code') ?? '', email: link.searchParams.get('email') ?? '' };
}

/** Returns the values in the link of a password email. */
export function resetOf(mail: ReadEmail): { link: URL; token: string; email: string } {
  const address = /https?:\/\/\S+\/forgetPassword\?\S+/.exec(mail.text)?.[0];
  if (!address) throw new Error(`No link to choose a password in: ${mail.text}`);
  const link = new URL(address);
  return {
    link,
    token: link.searchParams.get('resetPasswordToken') ?? '',
    email: link.searchParams.get('email') ?? '',
  };
}
