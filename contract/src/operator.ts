import { z } from 'zod';
import { announcement, CAPTCHAS, maintenance, session, user } from './entities.ts';
import { featureSwitches } from './features.ts';
import { id, shortText, time, timeAnywhere } from './fields.ts';
import { LANGUAGES } from './limits.ts';

/** A member in the list of administrators. Nothing that opens an account is ever in it. */
export const memberRow = z.strictObject({
  id,
  name: z.string(),
  email: z.string(),
  createdAt: time,
  /** Of any session that has not ended. */
  lastSeenAt: time.nullable(),
  isConfirmed: z.boolean(),
  isRestricted: z.boolean(),
  /** The membership's payment failed. */
  isSuspended: z.boolean(),
  isAdmin: z.boolean(),
  VIP: z.boolean(),
  deletionAt: time.nullable(),
});
export type MemberRow = z.output<typeof memberRow>;

/** Everything that an administrator sees of a member; pictures and videos are counted, not shown. */
export const memberDetail = memberRow.extend({
  phone: z.string(),
  language: z.enum(LANGUAGES.map(({ code }) => code)),
  points: z.int(),
  freePoints: z.int(),
  myPlan: user.shape.myPlan,
  confirmedAt: time.nullable(),
  restrictedAt: time.nullable(),
  /** Null while `VIP`: without an end. */
  vipUntil: time.nullable(),
  sessions: z.array(session.omit({ current: true })),
  uploads: z.strictObject({ pictures: z.int(), films: z.int(), converting: z.int(), failed: z.int() }),
  /** Of all their files, results and previews included. */
  storedBytes: z.int(),
});
export type MemberDetail = z.output<typeof memberDetail>;

const yesOrNo = z.enum(['yes', 'no']).optional();
/** Which members: every condition that is given must hold. */
export const memberFilter = z.strictObject({
  /** Part of the name or of the address in any case, or a whole id. */
  q: z.string().trim().max(254).optional(),
  confirmed: yesOrNo,
  restricted: yesOrNo,
  vip: yesOrNo,
  admin: yesOrNo,
  deleting: yesOrNo,
});
export type MemberFilter = z.output<typeof memberFilter>;

/** Serial codes that were made together. */
export const pinCodeBatch = z.strictObject({
  id,
  name: z.string(),
  /** Days for which a code makes a VIP; null is without an end. */
  days: z.int().nullable(),
  createdAt: time,
  /** Name of the administrator, null when the account is gone. */
  madeBy: z.string().nullable(),
  expiresAt: time.nullable(),
  revokedAt: time.nullable(),
  count: z.int(),
  redeemed: z.int(),
});
export type PinCodeBatch = z.output<typeof pinCodeBatch>;

/** What administrators do that is written down. */
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

/** One line of the log. People are null when their account is gone. */
export const auditEntry = z.strictObject({
  id,
  at: time,
  /** One of `AUDIT_ACTIONS`, or what an earlier version called so. */
  action: z.string(),
  by: z.strictObject({ id, name: z.string() }).nullable(),
  subject: z.strictObject({ id, name: z.string(), email: z.string() }).nullable(),
  /** What it was about, where that is no account. */
  target: z.string().nullable(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  /** Where the call came from. */
  address: z.string(),
});
export type AuditEntry = z.output<typeof auditEntry>;

export const auditFilter = z.strictObject({
  action: z.enum(AUDIT_ACTIONS).optional(),
  /** Whose account it was about. */
  subject: id.optional(),
  /** Who did it. */
  by: id.optional(),
  /** Half open: `to` itself is not in it. */
  from: timeAnywhere.optional(),
  to: timeAnywhere.optional(),
});
export type AuditFilter = z.output<typeof auditFilter>;

/** Why something was done; kept in the log. */
export const reason = shortText.default('');

/** What operators set for the whole site. The announcement is here before, while and after it is shown. */
export const siteSettings = z.strictObject({
  maintenance,
  announcement: announcement.nullable(),
  features: featureSwitches,
});
export type SiteSettings = z.output<typeof siteSettings>;

/** Whether everything runs, for the operator's first look. */
export const siteStatus = z.strictObject({
  version: z.string(),
  startedAt: time,
  sandbox: z.boolean(),
  isMaintenance: z.boolean(),
  /** `builtin` needs nothing beside the server itself. */
  services: z.strictObject({
    database: z.enum(['builtin', 'postgres']),
    files: z.enum(['builtin', 's3']),
    mail: z.enum(['builtin', 'smtp']),
    captcha: z.enum(CAPTCHAS),
  }),
  /** As counted within the last minute, like pictures, videos and bytes. */
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
    /** Since when the one waits that has waited longest. */
    waitingSince: time.nullable(),
    /** In the last 24 hours. */
    done: z.int(),
    failed: z.int(),
  }),
  mails: z.strictObject({
    waitingSince: time.nullable(),
    /** In the last 24 hours. */
    failed: z.int(),
  }),
});
export type SiteStatus = z.output<typeof siteStatus>;
