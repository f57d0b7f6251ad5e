import { z } from 'zod';
import { announcement, CAPTCHAS, deviceType, languageCode, maintenance, orderType, session, user } from './entities.ts';
import { featureSwitches } from './features.ts';
import { id, shortText, smallId, time, timeAnywhere } from './fields.ts';
import { FORMAT_NAMES } from './formats.ts';
import { FRAME_PROBLEMS, frameScreen } from './frames.ts';
import { LIMITS, ORDER_TYPE } from './limits.ts';
import { currencyCode, moneyAmount } from './money.ts';

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

/** Formats that a device type can play; `native` is made for one calibrated panel. */
export const DEVICE_FORMATS = FORMAT_NAMES.filter((format) => format !== 'native');

/** Two whole numbers, as in `ratio` ('width,height') and `extendResolution` ('height,width'). */
const numberPair = z.string().regex(/^[1-9]\d{0,4},[1-9]\d{0,4}$/, 'must be two whole numbers with a comma');
const pairOf = (text: string): [number, number] => text.split(',').map(Number) as [number, number];

/** Size of a quilt file and its grid. Pixels that the grid does not divide stay unused at the top and right. */
export const quiltGrid = z.strictObject({
  columns: z.int().min(1).max(LIMITS.quilt.grid),
  rows: z.int().min(1).max(LIMITS.quilt.grid),
  /** Pixels. */
  width: z.int().min(LIMITS.quilt.least).max(LIMITS.quilt.most),
  height: z.int().min(LIMITS.quilt.least).max(LIMITS.quilt.most),
});

/** A device type as the operator edits it. */
const deviceTypeFields = z.strictObject({
  name: z.string().normalize('NFC').trim().min(1).max(LIMITS.deviceTypeName),
  note: shortText,
  /** 'width,height' of the crop. */
  ratio: numberPair,
  /** 'height,width' of the panel in pixels. */
  extendResolution: numberPair,
  is_actived: z.boolean(),
  format: z.enum(DEVICE_FORMATS),
  quilt: quiltGrid.nullable(),
  disparityBudget: z.number().gt(0).max(100),
});

/** Panel sizes are whole pixels: the panel may differ from the ratio of the crop by this share. */
const RATIO_TOLERANCE = 0.01;

/** Input of a new device type (`id` null) or of a change. */
export const deviceTypeInput = deviceTypeFields
  .extend({ id: smallId.nullable() })
  .superRefine(({ ratio, extendResolution, format, quilt }, { addIssue }) => {
    const [width, height] = pairOf(ratio);
    const [panelHeight, panelWidth] = pairOf(extendResolution);
    // The grid decides the file of a light field, whose lens may show another ratio than its panel has.
    const agrees =
      format === 'quilt'
        ? Math.sign(panelWidth - panelHeight) === Math.sign(width - height)
        : Math.abs((panelWidth * height) / (panelHeight * width) - 1) <= RATIO_TOLERANCE;
    if (!agrees) addIssue({ code: 'custom', path: ['extendResolution'], message: 'must have the ratio' });
    if ((format === 'quilt') !== (quilt !== null))
      addIssue({ code: 'custom', path: ['quilt'], message: 'belongs to the format quilt, and to no other' });
  });
export type DeviceTypeInput = z.output<typeof deviceTypeInput>;

/** A device type in the operator's list, with the number of pictures and videos made for it. */
export const managedDeviceType = deviceType.omit({ quilt: true }).extend({
  quilt: quiltGrid.nullable(),
  media: z.int(),
});
export type ManagedDeviceType = z.output<typeof managedDeviceType>;

/** A member as other lists of the administration name them. */
const memberName = z.strictObject({ id, name: z.string(), email: z.string() });

/** A paired frame in the operator's list. */
export const managedFrame = z.strictObject({
  id,
  name: z.string(),
  /** What the frame says of its browser. */
  kind: z.string(),
  screen: frameScreen,
  owner: memberName,
  pairedAt: time,
  lastSeenAt: time.nullable(),
  online: z.boolean(),
  /** Version of its page. */
  version: z.string().nullable(),
  /** What it reported last, newest first, without the names of the items. */
  problems: z.array(z.strictObject({ at: time, code: z.enum(FRAME_PROBLEMS), detail: z.string() })),
});
export type ManagedFrame = z.output<typeof managedFrame>;

const memberSearch = z.strictObject({
  /** Case-insensitive part of the member's name or address, or the member's complete id. */
  q: z.string().trim().max(254).optional(),
});

export const managedFrameFilter = memberSearch;
export type ManagedFrameFilter = z.output<typeof managedFrameFilter>;

/** Bytes; limits are whole mebibytes in the interface. */
export const storageLimit = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** What a member has stored, in bytes. */
export const memberStorage = memberName.extend({
  used: z.int(),
  limit: z.int(),
  /** Limit of this member alone; null follows the limit of all. */
  ownLimit: storageLimit.nullable(),
});
export type MemberStorage = z.output<typeof memberStorage>;

/** Limit of all members without one of their own, in bytes. */
export const storageDefault = z.strictObject({
  /** Set by an operator; null follows the setting STORAGE_LIMIT_MB. */
  limit: storageLimit.nullable(),
});

/** A member's order in the operator's list, without the pictures, which are the member's own. */
export const managedOrder = z.strictObject({
  id,
  name: z.string(),
  type: orderType,
  createdAt: time,
  member: memberName,
  media: z.int(),
  /** Of these, those that are converted. */
  finished: z.int(),
});
export type ManagedOrder = z.output<typeof managedOrder>;

export const managedOrderFilter = memberSearch.extend({
  kind: z.enum(Object.keys(ORDER_TYPE) as (keyof typeof ORDER_TYPE)[]).optional(),
});
export type ManagedOrderFilter = z.output<typeof managedOrderFilter>;

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
  'notification.sent',
  'notification.withdrawn',
  'features',
  'deviceType',
  'effect',
  'frame.unpaired',
  'frames.exported',
  'storage.default',
  'storage.member',
  'order.onSite',
  'store',
  'product',
  'plan',
  'offer',
  'user.plan',
  'media.remade',
  'depthModel.asked',
  'depthModel.removed',
  'points.corrected',
  'conversion.price',
  'ads',
  'liveEvent',
  'liveEvent.deleted',
  'liveEvent.restored',
  'liveSettings',
  'faq',
  'faq.moved',
  'faq.deleted',
  'faq.restored',
  'location',
  'location.moved',
  'location.deleted',
  'location.restored',
  'legalText',
  'legalText.withdrawn',
  'payments.exported',
  'payment.repaired',
  'payment.closed',
  'payment.refunded',
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
  storage: storageDefault.extend({
    /** Bytes of the setting STORAGE_LIMIT_MB. */
    builtin: z.int(),
  }),
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
  payments: z.strictObject({
    /** With a problem that nobody has dealt with. */
    problems: z.int(),
    /** Paid, and for minutes not granted, without a known problem. */
    ungranted: z.int(),
    /** Under way, but the provider has told nothing for an hour. */
    unanswered: z.int(),
    /** What came and went back since the first of the month in Asia/Taipei, in minor units. Counted at most a minute ago. */
    takings: z.array(z.strictObject({ currency: currencyCode, paid: moneyAmount, refunded: moneyAmount })),
  }),
});
export type SiteStatus = z.output<typeof siteStatus>;
