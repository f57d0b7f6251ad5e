import { KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { CAPTCHAS, ENVIRONMENTS, email, type FeatureSwitches, featurePreset } from '@framelift/contract';
import {
  DEPTH_DEVICES,
  type DepthDevice,
  type ModelSource,
  NEURAL_MODELS,
  type NeuralModel,
  refusalOf,
  VIDEO_TIERS,
  type VideoTier,
} from '@framelift/engine';
import { z } from 'zod';
import { LOG_LEVELS, type LogLevel } from './platform/log.ts';
import type { SunPayMerchant } from './platform/payments/sunpay/client.ts';
import { readKey } from './platform/payments/sunpay/envelope.ts';

/** Invalid settings. The message has a line for the operator for each variable. */
export class ConfigError extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'ConfigError';
  }
}

export interface S3Config {
  readonly bucket: string;
  readonly region: string;
  /** Null is Amazon S3. */
  readonly endpoint: string | null;
  /** Origin at which browsers reach the store, if not `endpoint`. */
  readonly publicEndpoint: string | null;
  /** Null leaves it to the AWS SDK (its own variables, files, the machine's role). */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
}

export type CaptchaConfig =
  | { readonly kind: 'off' | 'altcha' }
  | { readonly kind: 'recaptcha'; readonly siteKey: string; readonly secret: string; readonly project: string | null };

/** `sandbox` is the local stand-in of this server. */
export type SunPayConfig =
  | { readonly sandbox: true }
  | { readonly sandbox: false; readonly base: string; readonly merchant: SunPayMerchant };
/** `sandbox` is the local stand-in of this server. */
export type PayPalConfig =
  | { readonly sandbox: true }
  | {
      readonly sandbox: false;
      /** Without a trailing slash. */
      readonly apiBase: string;
      readonly clientId: string;
      readonly clientSecret: string;
      readonly webhookId: string;
    };

export interface Config {
  /** Only shown by the web app; `dev` relaxes nothing on the server. */
  readonly environment: (typeof ENVIRONMENTS)[number];
  readonly port: number;
  readonly host: string;
  /** Absolute path. */
  readonly dataDir: string;
  /** Null: the embedded PostgreSQL in the data folder. */
  readonly databaseUrl: string | null;
  readonly publicUrl: string;
  /** External player; null is the page /player. */
  readonly playerUrl: string | null;
  /** External page about the company; null is the page /about. */
  readonly aboutUrl: string | null;
  readonly role: 'web' | 'worker' | 'both';
  readonly features: FeatureSwitches;
  readonly mail: { readonly smtpUrl: string | null; readonly from: string };
  /** Null: files in the data folder. */
  readonly s3: S3Config | null;
  readonly sandbox: boolean;
  /** Whether a new installation gets a small catalogue of our own drawings. */
  readonly samples: boolean;
  /** Whether a new installation gets a live event of ours. */
  readonly liveDemo: boolean;
  readonly captcha: CaptchaConfig;
  /** Null: not offered, as for PayPal. */
  readonly sunpay: SunPayConfig | null;
  /** Null: not offered, because nothing is set and this is no place for test payments. */
  readonly paypal: PayPalConfig | null;
  /** Country of callers from private networks and this machine, ISO 3166-1; null if it is not known. */
  readonly localCountry: string | null;
  /** Whether the sources of live events may lie in private networks. */
  readonly privateSources: boolean;
  readonly adminEmail: string;
  /** Number or addresses of the proxies in front, whose X-Forwarded-For and X-Forwarded-Proto are trusted. */
  readonly trustProxy: false | number | readonly string[];
  /** Concurrent conversions of pictures in this process. */
  readonly converters: number;
  readonly depth: {
    /** The neural model that workers fetch; null: basic depth. */
    readonly model: NeuralModel | null;
    /** Whether only that model may be used, and no other installed one. */
    readonly isFixed: boolean;
    readonly source: ModelSource;
    readonly device: DepthDevice;
  };
  readonly video: {
    /** Concurrent conversions of videos, in addition to pictures. */
    readonly converters: number;
    readonly tier: VideoTier;
    readonly maxMinutes: number;
    /** Time limit for one video. */
    readonly timeLimitMinutes: number;
  };
  /** Limit for the total size of what one member has sent, in bytes. */
  readonly storageBytes: number;
  /** Share of each member for what is made from it, in bytes. */
  readonly resultBytes: number;
  /** Kept free on the disks; uploads that would leave less are refused, in bytes. */
  readonly reserveBytes: number;
  readonly logLevel: LogLevel;
  /** Null: a generated key in the data folder. */
  readonly signingSecret: string | null;
}

const url = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol.slice(0, -1)), {
    error: `must be an address beginning with ${protocols.map((name) => `${name}://`).join(' or ')}`,
    abort: true,
  });
const integer = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= from && value <= to, `must be ${from} to ${to}`);
/** Scheme, host and port only. */
const origin = url('http', 'https')
  .refine((text) => new URL(text).pathname === '/' && !/[?#]/.test(text), 'must have no path')
  .transform((text) => new URL(text).origin);

/** URL of an external page; it is public, so credentials are rejected. */
const outside = url('http', 'https').refine((text) => {
  const { username, password } = new URL(text);
  return !username && !password;
}, 'must have no name and no password');

/** A PEM, whose line breaks may be written as \\n. Errors never repeat it. */
const rsaKey = (kind: 'public' | 'private') =>
  z.string().transform((text, context) => {
    try {
      const key = readKey(text, kind);
      if (key.asymmetricKeyType === 'rsa') return key;
    } catch {
      // Told below.
    }
    context.addIssue({ code: 'custom', message: `must be an RSA ${kind} key in PEM, with \\n for its line breaks` });
    return z.NEVER;
  });

/** All settings. An empty variable counts as not set. */
const variables = z.object({
  ENVIRONMENT: z.enum(ENVIRONMENTS).default('production'),
  PORT: integer(1, 65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: url('postgres', 'postgresql').optional(),
  PUBLIC_URL: origin.optional(),
  PLAYER_URL: outside.optional(),
  ABOUT_URL: outside.optional(),
  ROLE: z.enum(['web', 'worker', 'both']).default('both'),
  FEATURES: z.enum(['full', 'literal']).default('full'),
  SMTP_URL: url('smtp', 'smtps').optional(),
  MAIL_FROM: z
    .string()
    .regex(/@[^@\s<>]+>?\s*$/, 'must end with an address, like Framelift <no-reply@example.com>')
    .optional(),
  S3_ENDPOINT: url('http', 'https').optional(),
  S3_PUBLIC_ENDPOINT: url('http', 'https').optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_BUCKET: z.string().min(3).optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  SANDBOX: z.enum(['on', 'off']).optional(),
  SAMPLES: z.enum(['on', 'off']).optional(),
  CAPTCHA: z.enum(CAPTCHAS).optional(),
  RECAPTCHA_SITE_KEY: z.string().optional(),
  RECAPTCHA_SECRET: z.string().optional(),
  RECAPTCHA_PROJECT: z
    .string()
    .regex(/^[a-z\d-]+$/, 'must be the id of a project')
    .optional(),
  SUNPAY_BASE: origin.refine(isSecureOrigin, 'must begin with https://').optional(),
  SUNPAY_WEB: z
    .string()
    .regex(/^[A-Za-z\d]{1,32}$/, 'must be a merchant code, like MC31793850')
    .optional(),
  SUNPAY_PUBLIC_KEY: rsaKey('public').optional(),
  SUNPAY_SECRET: z.string().min(16, 'must be the SHA2 key of the merchant, which is longer').optional(),
  SUNPAY_PRIVATE_KEY: rsaKey('private').optional(),
  PAYPAL_API_BASE: url('https', 'http')
    .refine((text) => !/[?#]/.test(text), 'must have no query')
    .transform((text) => text.replace(/\/+$/, ''))
    .optional(),
  PAYPAL_CLIENT_ID: z.string().optional(),
  PAYPAL_CLIENT_SECRET: z.string().optional(),
  PAYPAL_WEBHOOK_ID: z.string().optional(),
  DEV_GEO_COUNTRY: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be a code of two capital letters, like TW')
    .optional(),
  LIVE_DEMO: z.enum(['on', 'off']).optional(),
  LIVE_PRIVATE_SOURCES: z.enum(['on', 'off']).default('off'),
  ADMIN_EMAIL: email.default('admin@framelift.local'),
  TRUST_PROXY: z.string().optional(),
  CONVERTERS: integer(1, 64).optional(),
  DEPTH_MODEL: z.string().default('auto'),
  DEPTH_MODEL_FROM: outside.optional(),
  DEPTH_MODEL_SHA256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must have 64 hexadecimal digits')
    .optional(),
  DEPTH_DEVICE: z.enum(DEPTH_DEVICES).default('auto'),
  VIDEO_CONVERTERS: integer(1, 64).default(1),
  VIDEO_TIER: z.enum(VIDEO_TIERS).default('best'),
  VIDEO_MAX_MINUTES: integer(1, 24 * 60).default(20),
  VIDEO_TIME_LIMIT_MINUTES: integer(1, 7 * 24 * 60).default(12 * 60),
  DISK_RESERVE_MB: integer(0, 100_000_000).default(1024),
  STORAGE_LIMIT_MB: integer(50, 100_000_000).default(5 * 1024),
  RESULTS_LIMIT_MB: integer(50, 100_000_000).optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
  SIGNING_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
});
type Variables = z.output<typeof variables>;

const KNOWN = Object.keys(variables.shape);
/** Prefixes reserved for Framelift: an unknown variable with one of them is an error. */
const OWN_PREFIXES = [
  'FRAMELIFT_',
  'S3_',
  'SMTP_',
  'MAIL_',
  'VIDEO_',
  'DEPTH_',
  'RECAPTCHA_',
  'SUNPAY_',
  'PAYPAL_',
  'LIVE_',
];

/**
 * Reads the settings from the environment.
 * @throws ConfigError naming every variable that is invalid, missing or misspelt
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== '');
  const misspelt = given.flatMap(([name]) => misspelling(name));
  const parsed = variables.safeParse(Object.fromEntries(given.filter(([name]) => KNOWN.includes(name))));
  const wrong = parsed.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
  const conflicts = parsed.success ? conflictsIn(parsed.data) : [];
  const lines = [...misspelt, ...wrong, ...conflicts];
  if (lines.length > 0 || !parsed.success) throw new ConfigError(lines);
  return deepFreeze(assemble(parsed.data));
}

function assemble(set: Variables): Config {
  const sandbox = isSandbox(set);
  const samples = set.SAMPLES ? set.SAMPLES === 'on' : sandbox;
  return {
    environment: set.ENVIRONMENT,
    port: set.PORT,
    host: set.HOST,
    dataDir: resolve(set.DATA_DIR),
    databaseUrl: set.DATABASE_URL ?? null,
    publicUrl: set.PUBLIC_URL ?? `http://localhost:${set.PORT}`,
    playerUrl: set.PLAYER_URL ?? null,
    aboutUrl: set.ABOUT_URL ?? null,
    role: set.ROLE,
    features: featurePreset(set.FEATURES),
    mail: { smtpUrl: set.SMTP_URL ?? null, from: set.MAIL_FROM ?? `Framelift <no-reply@${hostOf(set)}>` },
    s3: s3Of(set),
    sandbox,
    samples,
    liveDemo: set.LIVE_DEMO ? set.LIVE_DEMO === 'on' : samples,
    captcha: captchaOf(set),
    sunpay: sunpayOf(set),
    paypal: paypalOf(set),
    localCountry: set.DEV_GEO_COUNTRY ?? (isOurs(set) ? 'TW' : null),
    privateSources: set.LIVE_PRIVATE_SOURCES === 'on',
    adminEmail: set.ADMIN_EMAIL,
    trustProxy: trustOf(set.TRUST_PROXY),
    converters: set.CONVERTERS ?? Math.max(1, Math.floor(cpus().length / 2)),
    depth: depthOf(set),
    video: {
      converters: set.VIDEO_CONVERTERS,
      tier: set.VIDEO_TIER,
      maxMinutes: set.VIDEO_MAX_MINUTES,
      timeLimitMinutes: set.VIDEO_TIME_LIMIT_MINUTES,
    },
    storageBytes: set.STORAGE_LIMIT_MB * 1024 * 1024,
    resultBytes: (set.RESULTS_LIMIT_MB ?? set.STORAGE_LIMIT_MB) * 1024 * 1024,
    reserveBytes: set.DISK_RESERVE_MB * 1024 * 1024,
    logLevel: set.LOG_LEVEL,
    signingSecret: set.SIGNING_SECRET ?? null,
  };
}

const PAYPAL = ['PAYPAL_API_BASE', 'PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID'] as const;

function conflictsIn(set: Variables): string[] {
  const lines: string[] = [];
  const { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_ENDPOINT, S3_PUBLIC_ENDPOINT } = set;
  if (!set.S3_BUCKET && [S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_ENDPOINT, S3_PUBLIC_ENDPOINT].some(Boolean)) {
    lines.push('S3_BUCKET: is needed together with the other S3_ settings');
  }
  for (const [name, value, other] of [
    ['S3_ACCESS_KEY_ID', S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY],
    ['S3_SECRET_ACCESS_KEY', S3_SECRET_ACCESS_KEY, S3_ACCESS_KEY_ID],
  ] as const) {
    if (other && !value) lines.push(`${name}: is needed together with the other half of the key`);
  }
  const models = NEURAL_MODELS.map(({ id }) => id as string);
  if (!['auto', 'basic', ...models].includes(set.DEPTH_MODEL)) {
    lines.push(`DEPTH_MODEL: ${refusalOf(set.DEPTH_MODEL) ?? `must be auto, basic or ${models.join(', ')}`}`);
  }
  if (set.DEPTH_MODEL_SHA256 && !set.DEPTH_MODEL_FROM) {
    lines.push('DEPTH_MODEL_FROM: is needed together with DEPTH_MODEL_SHA256');
  }
  if (set.SMTP_URL && !set.MAIL_FROM) lines.push('MAIL_FROM: is needed together with SMTP_URL');
  if (set.SMTP_URL && set.SANDBOX === 'on') {
    lines.push('SANDBOX: on keeps all mails on this machine and cannot go together with SMTP_URL');
  }
  for (const [name, value, other] of [
    ['RECAPTCHA_SITE_KEY', set.RECAPTCHA_SITE_KEY, set.RECAPTCHA_SECRET ?? set.RECAPTCHA_PROJECT],
    ['RECAPTCHA_SECRET', set.RECAPTCHA_SECRET, set.RECAPTCHA_SITE_KEY ?? set.RECAPTCHA_PROJECT],
  ] as const) {
    if (!value && (other || set.CAPTCHA === 'recaptcha')) lines.push(`${name}: is needed for reCAPTCHA`);
  }
  const sunpay = ['SUNPAY_BASE', 'SUNPAY_WEB', 'SUNPAY_PUBLIC_KEY', 'SUNPAY_SECRET'] as const;
  if (set.SUNPAY_PRIVATE_KEY || sunpay.some((name) => set[name])) {
    for (const name of sunpay) {
      if (!set[name]) lines.push(`${name}: is needed together with the other SUNPAY_ settings`);
    }
  }
  const paypal = PAYPAL.filter((name) => !set[name]);
  if (paypal.length < PAYPAL.length) {
    lines.push(...paypal.map((name) => `${name}: is needed together with the other PAYPAL_ settings`));
  }
  if (set.CAPTCHA === 'altcha' && !isSecure(set)) {
    lines.push('CAPTCHA: altcha needs a PUBLIC_URL of https, for browsers do its work nowhere else');
  }
  if (set.TRUST_PROXY && set.TRUST_PROXY !== 'off' && !trustOf(set.TRUST_PROXY)) {
    lines.push('TRUST_PROXY: must be on, off, a number of proxies, or addresses like 10.0.0.0/8,127.0.0.1');
  }
  return lines;
}

function depthOf(set: Variables): Config['depth'] {
  const { DEPTH_MODEL: name, DEPTH_MODEL_FROM: address, DEPTH_MODEL_SHA256: sha256, DEPTH_DEVICE: device } = set;
  const model = name === 'auto' ? NEURAL_MODELS[0] : NEURAL_MODELS.find(({ id }) => id === name);
  const source = { address, sha256: sha256?.toLowerCase() };
  return { model: model ?? null, isFixed: name !== 'auto', source, device };
}

function s3Of(set: Variables): S3Config | null {
  if (!set.S3_BUCKET) return null;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = set;
  return {
    bucket: set.S3_BUCKET,
    region: set.S3_REGION,
    endpoint: set.S3_ENDPOINT ?? null,
    publicEndpoint: set.S3_PUBLIC_ENDPOINT ?? null,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null,
  };
}

/** Keys enable reCAPTCHA. Otherwise the proof of work is enabled if browsers can compute it. */
function captchaOf(set: Variables): CaptchaConfig {
  const { RECAPTCHA_SITE_KEY: siteKey, RECAPTCHA_SECRET: secret, RECAPTCHA_PROJECT: project = null } = set;
  const kind = set.CAPTCHA ?? (siteKey ? 'recaptcha' : isSecure(set) ? 'altcha' : 'off');
  if (kind !== 'recaptcha') return { kind };
  return { kind, siteKey: siteKey ?? '', secret: secret ?? '', project };
}

function sunpayOf(set: Variables): SunPayConfig | null {
  const { SUNPAY_BASE: base, SUNPAY_WEB: web, SUNPAY_PUBLIC_KEY: publicKey, SUNPAY_SECRET: secret } = set;
  if (!base || !web || !publicKey || !secret) return hasStandIns(set) ? { sandbox: true } : null;
  return {
    sandbox: false,
    base,
    merchant: { web, publicKey, secret, callbackKey: set.SUNPAY_PRIVATE_KEY ?? publicKey },
  };
}

function isSandbox(set: Variables): boolean {
  return set.SANDBOX ? set.SANDBOX === 'on' : !set.SMTP_URL && isOurs(set);
}

function paypalOf(set: Variables): PayPalConfig | null {
  const { PAYPAL_API_BASE: apiBase, PAYPAL_CLIENT_ID: clientId, PAYPAL_CLIENT_SECRET: clientSecret } = set;
  const { PAYPAL_WEBHOOK_ID: webhookId } = set;
  if (apiBase && clientId && clientSecret && webhookId) {
    return { sandbox: false, apiBase, clientId, clientSecret, webhookId };
  }
  return hasStandIns(set) ? { sandbox: true } : null;
}

/**
 * Returns whether providers without an account are replaced by local ones, where everybody pays without money: never
 * beside the account of another provider, and for strangers only with SANDBOX=on.
 */
function hasStandIns(set: Variables): boolean {
  return isSandbox(set) && !set.PAYPAL_CLIENT_ID && !set.SUNPAY_WEB;
}

/** Returns the host of a sender that is not set: that of the site, if others can reach it. */
function hostOf({ PUBLIC_URL }: Variables): string {
  const hostname = PUBLIC_URL && new URL(PUBLIC_URL).hostname;
  return hostname && !isLoopback(hostname) && isIP(hostname.replace(/^\[|\]$/g, '')) === 0
    ? hostname
    : 'framelift.local';
}

/** Returns whether browsers offer the Web Crypto API: over HTTPS and on this machine. */
function isSecure({ PUBLIC_URL, HOST }: Variables): boolean {
  if (!PUBLIC_URL) return isLoopback(HOST);
  const { protocol, hostname } = new URL(PUBLIC_URL);
  return protocol === 'https:' || isLoopback(hostname);
}

/**
 * Returns whether, according to the settings, only this machine can reach the server: the mailbox of the sandbox shows
 * all emails. A local proxy looks like a local browser, so operators with a proxy must set PUBLIC_URL.
 */
function isOurs({ PUBLIC_URL, HOST }: Variables): boolean {
  return isLoopback(HOST) && (!PUBLIC_URL || isLoopback(new URL(PUBLIC_URL).hostname));
}

/**
 * Parses TRUST_PROXY; `on` is one proxy. Trusting any number of proxies would mean trusting headers that callers forge.
 */
function trustOf(text: string | undefined): false | number | string[] {
  if (!text || text === 'off') return false;
  if (text === 'on') return 1;
  if (/^[1-9]$/.test(text)) return Number(text);
  const addresses = text.split(',').map((part) => part.trim());
  return addresses.every(isNetwork) ? addresses : false;
}

/** Returns whether a text is an address or a network like 10.0.0.0/8. */
function isNetwork(text: string): boolean {
  const [address = '', prefix = '0', ...rest] = text.split('/');
  const version = isIP(address);
  return version > 0 && rest.length === 0 && /^\d+$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}

/** Returns whether payments may be sent there: over HTTPS, or to this machine. */
function isSecureOrigin(text: string): boolean {
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || isLoopback(hostname);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host);
}

/** Returns an error line for an unknown variable that resembles a setting. */
function misspelling(name: string): string[] {
  if (KNOWN.includes(name)) return [];
  const nearest = KNOWN.find((known) => known.length >= 7 && isSlip(name, known));
  const meantForUs = OWN_PREFIXES.some((prefix) => name.startsWith(prefix));
  if (nearest) return [`${name}: is no setting; did you mean ${nearest}?`];
  return meantForUs ? [`${name}: is no setting. Settings that begin so: ${settingsLike(name)}`] : [];
}

function settingsLike(name: string): string {
  const prefix = OWN_PREFIXES.find((start) => name.startsWith(start)) ?? '';
  return KNOWN.filter((known) => known.startsWith(prefix)).join(', ') || `none; the settings are ${KNOWN.join(', ')}`;
}

/** Returns whether names differ only in case, underscores, or one wrong, missing, extra or swapped letter. */
function isSlip(name: string, known: string): boolean {
  const a = name.toUpperCase().replaceAll('_', '');
  const b = known.replaceAll('_', '');
  if (a === b) return true;
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [inA, inB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return (inA.length <= 1 && inB.length <= 1) || (inA.length === 2 && inA === [...inB].reverse().join(''));
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !(value instanceof KeyObject)) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}

/** Returns the paths inside the data folder. */
export function dataPaths(dataDir: string) {
  return {
    lock: join(dataDir, 'framelift.lock'),
    database: join(dataDir, 'postgres'),
    objects: join(dataDir, 'objects'),
    work: join(dataDir, 'work'),
    videos: join(dataDir, 'videos'),
    /** Neural depth models installed by `npm run model`. */
    models: join(dataDir, 'models'),
    outbox: join(dataDir, 'outbox'),
    signingKey: join(dataDir, 'secret.key'),
  } as const;
}
