import type { ENVIRONMENTS, FeatureSwitches } from '@framelift/contract';
import type { Converter, VideoTier } from '@framelift/engine';
import type { Capabilities } from './platform/capabilities.ts';
import type { ChangeFeed } from './platform/change-feed.ts';
import type { Countries } from './platform/countries.ts';
import type { Db } from './platform/db/open.ts';
import type { Encryption } from './platform/encryption.ts';
import type { Jobs } from './platform/jobs/job.ts';
import type { Log } from './platform/log.ts';
import type { Mailer } from './platform/mail/mailer.ts';
import type { PayPal } from './platform/payments/paypal/paypal.ts';
import type { SunPay } from './platform/payments/sunpay/client.ts';
import type { Recaptcha } from './platform/recaptcha.ts';
import type { Room } from './platform/room.ts';
import type { Sources } from './platform/sources.ts';
import type { PersistentDirs } from './platform/storage/persistent-dirs.ts';
import type { Storage } from './platform/storage/storage.ts';
import type { TempDirs } from './platform/storage/temp-dirs.ts';

export interface Clock {
  now(): Date;
  /** Milliseconds since some moment, for durations: unlike `now`, nobody can set it back. */
  elapsedMs(): number;
}

/** The only source of randomness, so that tests can replace it. */
export interface Ids {
  uuid(): string;
  /** 32 random bytes in base64url, for tokens and codes. */
  secret(): string;
}

/** The part of the configuration that domains may read. */
export interface Settings {
  readonly version: string;
  readonly environment: (typeof ENVIRONMENTS)[number];
  /** Public origin without a trailing slash. Links in emails begin with it, never with a Host header. */
  readonly publicUrl: string;
  /** External pages instead of /player and /about. */
  readonly playerUrl: string | null;
  readonly aboutUrl: string | null;
  /** Emails and payments stay on this machine. */
  readonly sandbox: boolean;
  /** Providers whose payments move no money: local ones, and their own test hosts. */
  readonly testPayments: readonly ('paypal' | 'sunpay')[];
  /** Defaults; operators can change them at run time. */
  readonly features: FeatureSwitches;
  /** `builtin` services need no other program. */
  readonly services: {
    readonly database: 'builtin' | 'postgres';
    readonly files: 'builtin' | 's3';
    readonly mail: 'builtin' | 'smtp';
  };
  readonly startedAt: Date;
  /** `maxSeconds` is the longest video of a member whose plan does not allow a longer one. */
  readonly video: { readonly tier: VideoTier; readonly maxSeconds: number };
  /** The neural model that workers fetch and use; null: basic depth. `bytes` is the size of the download. */
  readonly depthModel: {
    readonly id: string;
    readonly name: string;
    readonly licence: string;
    readonly bytes: number;
  } | null;
  /** Limit for the total size of what one member has sent, in bytes. */
  readonly storageBytes: number;
  /** Share of each member for what is made from it; files that can be made again are evicted beyond it. */
  readonly resultBytes: number;
  /** Whether the sources of live events may lie in private networks. */
  readonly privateSources: boolean;
  /** Null turns captchas off. */
  readonly captcha: CaptchaSettings | null;
}

export type CaptchaSettings = ProofOfWork | ({ readonly kind: 'recaptcha' } & Recaptcha);

/** Solving takes `cost` hashes for each of a random number of attempts in the range `counter`. */
export interface ProofOfWork {
  readonly kind: 'altcha';
  readonly secret: string;
  readonly cost: number;
  readonly counter: { readonly from: number; readonly to: number };
}

/** Everything from outside that domains use. Built by main.ts, and by tests from the same parts. */
export interface Context {
  readonly db: Db;
  readonly storage: Storage;
  /** Makes and checks the tokens of public links. */
  readonly capabilities: Capabilities;
  /** Encrypts the tokens that charge stored cards; the record is the member whose card it is. */
  readonly cardTokens: Encryption;
  /** Seals the links of live playlists and segments; the record is the view and the file. */
  readonly liveLinks: Encryption;
  readonly countries: Countries;
  /** Reads from broadcasters. */
  readonly sources: Sources;
  readonly room: Room;
  readonly tempDirs: TempDirs;
  readonly jobs: Jobs;
  /** Working files of videos, which outlive a restart; one folder per conversion. */
  readonly videoDirs: PersistentDirs;
  readonly converter: Omit<Converter, 'close'>;
  /** Notifies watchers of the progress of a media. */
  readonly changes: ChangeFeed;
  readonly mailer: Mailer;
  /** The card provider; null if cards are not offered. */
  readonly sunpay: SunPay | null;
  /** Null: not offered. */
  readonly paypal: PayPal | null;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly settings: Settings;
}
