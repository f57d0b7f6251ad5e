import { z } from 'zod';
import { announcement, CAPTCHAS, languageCode, maintenance, session, user } from './entities.ts';
import { featureSwitches } from './features.ts';
import { id, shortText, time, timeAnywhere } from './fields.ts';

/** Row of the admin's member list. Never contains credentials. */
export const memberRow = z.strictObject({
  id,
  name: z.string(),
  email: z.string(),
  createdAt: time,
  /** Last use of any open session. */
  lastSeenAt: time.nullable(),
  isConfirmed: z.boolean(),
  isRestricted: z.boolean(),
  /** Whether the membership's payment failed. */
  isSuspended: z.boolean(),
  isAdmin: z.boolean(),
  VIP: z.boolean(),
  deletionAt: time.nullable(),
});
export type MemberRow = z.output<typeof memberRow>;

/** What an admin sees of a member; pictures and videos are counted, not shown. */
export const memberDetail = memberRow.extend({
  phone: z.string(),
  language: languageCode,
  points: z.int(),
  freePoints: z.int(),
  myPlan: user.shape.myPlan,
  confirmedAt: time.nullable(),
  restrictedAt: time.nullable(),
  /** Null while `VIP` is true: unlimited. */
  vipUntil: time.nullable(),
  sessions: z.array(session.omit({ current: true })),
  uploads: z.strictObject({ pictures: z.int(), films: z.int(), converting: z.int(), failed: z.int() }),
  /** Size of all files in bytes, including results and previews. */
  storedBytes: z.int(),
});
export type MemberDetail = z.output<typeof memberDetail>;

const yesOrNo = z.enum(['yes', 'no']).optional();
/** Filter of the member list; all given conditions must hold. */
export const memberFilter = z.strictObject({
  /** Case-insensitive part of the name or email address, or a complete id. */
  q: z.string().trim().max(254).optional(),
  confirmed: yesOrNo,
  restricted: yesOrNo,
  vip: yesOrNo,
  admin: yesOrNo,
  deleting: yesOrNo,
});
export type MemberFilter = z.output<typeof memberFilter>;

/** A batch of serial codes. */
export const pinCodeBatch = z.strictObject({
  id,
  name: z.string(),
  /** Days of VIP per code; null is unlimited. */
  days: z.int().nullable(),
  createdAt: time,
  /** Name of the admin, null when the account has been removed. */
  madeBy: z.string().nullable(),
  expiresAt: time.nullable(),
  revokedAt: time.nullable(),
  count: z.int(),
  redeemed: z.int(),
});
export type PinCodeBatch = z.output<typeof pinCodeBatch>;

/** Admin actions recorded in the audit log. */
export const AUDIT_ACTIONS = [
  'user.confirmed',
  'user.restricted',
  'user.vip',
  'user.admin',
  'user.signedOut',
  'users.exported',
  'pinCodes.made',
  'pinCodes.revoked',
  'maintenance',
  'announcement',
  'features',
  'log.exported',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** One entry of the audit log. Users are null when their account has been removed. */
export const auditEntry = z.strictObject({
  id,
  at: time,
  /** One of `AUDIT_ACTIONS`, or an action of an earlier version. */
  action: z.string(),
  by: z.strictObject({ id, name: z.string() }).nullable(),
  subject: z.strictObject({ id, name: z.string(), email: z.string() }).nullable(),
  /** Target of the action, where it is not an account. */
  target: z.string().nullable(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  /** IP address of the request. */
  address: z.string(),
});
export type AuditEntry = z.output<typeof auditEntry>;

export const auditFilter = z.strictObject({
  action: z.enum(AUDIT_ACTIONS).optional(),
  /** The affected account. */
  subject: id.optional(),
  /** The acting admin. */
  by: id.optional(),
  /** Half-open interval: `to` is excluded. */
  from: timeAnywhere.optional(),
  to: timeAnywhere.optional(),
});
export type AuditFilter = z.output<typeof auditFilter>;

/** Reason for the action, kept in the audit log. */
export const reason = shortText.default('');

/** Site-wide settings. The announcement is included regardless of whether it is shown now. */
export const siteSettings = z.strictObject({
  maintenance,
  announcement: announcement.nullable(),
  features: featureSwitches,
});
export type SiteSettings = z.output<typeof siteSettings>;

/** Health of the site, for the admin's start page. */
export const siteStatus = z.strictObject({
  version: z.string(),
  startedAt: time,
  sandbox: z.boolean(),
  isMaintenance: z.boolean(),
  /** `builtin` needs no external service. */
  services: z.strictObject({
    database: z.enum(['builtin', 'postgres']),
    files: z.enum(['builtin', 's3']),
    mail: z.enum(['builtin', 'smtp']),
    captcha: z.enum(CAPTCHAS),
  }),
  /** Counted at most a minute ago, as are pictures, videos and bytes. */
  people: z.strictObject({
    members: z.int(),
    unconfirmed: z.int(),
    /** In the last 24 hours. */
    fresh: z.int(),
    vips: z.int(),
    restricted: z.int(),
    admins: z.int(),
    guests: z.int(),
  }),
  pictures: z.int(),
  films: z.int(),
  storedBytes: z.int(),
  conversions: z.strictObject({
    /** Time since which the oldest one has been waiting. */
    waitingSince: time.nullable(),
    /** In the last 24 hours. */
    done: z.int(),
    failed: z.int(),
  }),
  /** Of the disks of this server, the fullest. */
  room: z.strictObject({
    /** Null if the file system does not tell. */
    freeBytes: z.int().nullable(),
    /** Uploads that would leave less are refused. */
    reserveBytes: z.int(),
    /** When a write last failed for want of room, in the last 24 hours; in a bucket or the database too. */
    failedAt: time.nullable(),
  }),
  mails: z.strictObject({
    waitingSince: time.nullable(),
    /** In the last 24 hours. */
    failed: z.int(),
    /** What the mail server said of the last of them. */
    lastError: z.string().nullable(),
  }),
});
export type SiteStatus = z.output<typeof siteStatus>;
