import type { ENVIRONMENTS, FeatureSwitches } from '@framelift/contract';
import type { Converter, VideoTier } from '@framelift/engine';
import type { ChangeFeed } from './platform/change-feed.ts';
import type { Db } from './platform/db/open.ts';
import type { Jobs } from './platform/jobs/job.ts';
import type { Log } from './platform/log.ts';
import type { Mailer } from './platform/mail/mailer.ts';
import type { Recaptcha } from './platform/recaptcha.ts';
import type { PersistentDirs } from './platform/storage/persistent-dirs.ts';
import type { Storage } from './platform/storage/storage.ts';
import type { TempDirs } from './platform/storage/temp-dirs.ts';

export interface Clock {
  now(): Date;
}

/** The only source of chance, so that a test can decide it. */
export interface Ids {
  uuid(): string;
  /** 32 random bytes in base64url: tokens and codes of mailed links. */
  secret(): string;
}

/** What the rules of the domain may know of the configuration. */
export interface Settings {
  readonly version: string;
  readonly environment: (typeof ENVIRONMENTS)[number];
  /** Origin under which people reach us; links in mails begin with it, never with a Host header. No slash at the end. */
  readonly publicUrl: string;
  /** Pages outside that take the place of /player and /about. */
  readonly playerUrl: string | null;
  readonly aboutUrl: string | null;
  /** Mails and payments stay on this machine. */
  readonly sandbox: boolean;
  /** Until an operator chooses otherwise. */
  readonly features: FeatureSwitches;
  /** What each service is; `builtin` needs nothing beside this process. */
  readonly services: {
    readonly database: 'builtin' | 'postgres';
    readonly files: 'builtin' | 's3';
    readonly mail: 'builtin' | 'smtp';
  };
  /** When this process started. */
  readonly startedAt: Date;
  readonly video: { readonly tier: VideoTier };
  /** What the uploads of one member may take together. */
  readonly storageBytes: number;
  /** What keeps machines from sending the forms of strangers; null lets all pass. */
  readonly captcha: CaptchaSettings | null;
}

export type CaptchaSettings = ProofOfWork | ({ readonly kind: 'recaptcha' } & Recaptcha);

/** `cost` hashes for each of some `counter` tries. */
export interface ProofOfWork {
  readonly kind: 'altcha';
  readonly secret: string;
  readonly cost: number;
  readonly counter: { readonly from: number; readonly to: number };
}

/** Everything the domain may use of the world. Built once by main.ts, and by the tests from the same parts. */
export interface Context {
  readonly db: Db;
  readonly storage: Storage;
  readonly work: TempDirs;
  readonly jobs: Jobs;
  /** Work on videos that goes on after a restart, one folder for each conversion. */
  readonly videos: PersistentDirs;
  readonly converter: Omit<Converter, 'close'>;
  /** Of media: who watches one is told of its progress. */
  readonly changes: ChangeFeed;
  readonly mailer: Mailer;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly settings: Settings;
}
