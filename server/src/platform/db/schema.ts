import {
  AUDIENCES,
  BROADCAST_KINDS,
  type Currency,
  ENTRY_KINDS,
  FEATURE_STATES,
  type Format,
  type FRAME_PROBLEMS,
  type FrameOptions,
  type Language,
  LEGAL_KINDS,
  type Localized,
  type LocalizedLines,
  NOTIFICATION_KINDS,
  type Note,
  type PictureNote,
  POINT_KINDS,
  type PointReason,
  type Translated,
} from '@framelift/contract';
import type { PairChoice } from '@framelift/contract/formats';
import type { Crop, Stroke } from '@framelift/engine';
import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

/**
 * The database schema. Columns with a short list of values are `text` with a check instead of enums, so that a value
 * can be added inside a transaction. Times have millisecond precision like JavaScript's, so that a keyset cursor equals
 * its row.
 */

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });
const createdAt = () => time('created_at').notNull();

/** Returns `column in ('a', 'b')`. The values are literals of this file, never input. */
const oneOf = (column: AnyPgColumn, values: readonly string[]) =>
  sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`;

export const USER_KINDS = ['member', 'guest'] as const;

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind', { enum: USER_KINDS }).notNull(),
    name: text('name').notNull(),
    /** As the member typed it; emails are sent there. */
    email: text('email'),
    /** Makes addresses unique regardless of case [A52]. */
    emailLower: text('email_lower').unique(),
    phone: text('phone').notNull().default(''),
    passwordHash: text('password_hash'),
    /** Hash of the secret of the browser that registered last, until the address is confirmed. */
    registrationKeyHash: text('registration_key_hash'),
    confirmedAt: time('confirmed_at'),
    /**
     * Set when an administrator revoked the confirmation: unlike an unconfirmed registration, the account may have
     * content.
     */
    unconfirmedAt: time('unconfirmed_at'),
    /**
     * Set when the address was registered again with another password while the first link was valid: the owner of the
     * password is unknown.
     */
    passwordContested: boolean('password_contested').notNull().default(false),
    /** The guest who registered this address; their uploads move here when the address is confirmed. */
    claimedGuestId: uuid('claimed_guest_id').references((): AnyPgColumn => users.id, { onDelete: 'set null' }),
    /** The account is removed at this time unless the member keeps it. */
    deletionAt: time('deletion_at'),
    isAdmin: boolean('is_admin').notNull().default(false),
    vipAt: time('vip_at'),
    /** Null while `vip_at` is set: no expiry. */
    vipUntil: time('vip_until'),
    suspendedAt: time('suspended_at'),
    /** Locked by an administrator: sessions and logins are refused, and the content is kept. */
    restrictedAt: time('restricted_at'),
    points: integer('points').notNull().default(0),
    freePoints: integer('free_points').notNull().default(0),
    /** Ads watched on `adsDay`, a day in Asia/Taipei. */
    adsTimes: integer('ads_times').notNull().default(0),
    adsDay: date('ads_day', { mode: 'string' }),
    /** Storage limit in bytes, set by an operator; null follows the limit of all members. */
    storageLimit: bigint('storage_limit', { mode: 'number' }),
    /** SHA-256 of the guestId, which is a secret of the guest. */
    guestKeyHash: text('guest_key_hash').unique(),
    language: text('language').$type<Language>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('users_deletion').on(table.deletionAt).where(sql`${table.deletionAt} is not null`),
    index('users_members').on(table.createdAt.desc(), table.id.desc()).where(sql`${table.kind} = 'member'`),
    index('users_claimed_guest').on(table.claimedGuestId).where(sql`${table.claimedGuestId} is not null`),
    check('users_kind', oneOf(table.kind, USER_KINDS)),
    check('users_points', sql`${table.points} >= 0 and ${table.freePoints} >= 0`),
    check(
      'users_identity',
      sql`case ${table.kind}
        when 'member' then ${table.email} is not null and ${table.emailLower} is not null and ${table.passwordHash} is not null
        else ${table.guestKeyHash} is not null end`,
    ),
  ],
);

export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    /** SHA-256 of the token, so that read access to the database does not allow a login. */
    tokenHash: text('token_hash').notNull().unique(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
    expiresAt: time('expires_at').notNull(),
    lastSeenAt: time('last_seen_at').notNull(),
    userAgent: text('user_agent').notNull().default(''),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_expiry').on(table.expiresAt)],
);

export const MAIL_CODE_PURPOSES = ['confirm', 'reset', 'email', 'export'] as const;

/** Secrets in emailed links. A new one voids the older ones of the same user and purpose. */
export const mailCodes = pgTable(
  'mail_codes',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: text('purpose', { enum: MAIL_CODE_PURPOSES }).notNull(),
    /** The address that the code assigns to the user. */
    email: text('email'),
    codeHash: text('code_hash').notNull().unique(),
    createdAt: createdAt(),
    expiresAt: time('expires_at').notNull(),
    usedAt: time('used_at'),
    /** Set when a newer code replaces this one. */
    voidedAt: time('voided_at'),
  },
  (table) => [
    index('mail_codes_user').on(table.userId, table.purpose),
    check('mail_codes_purpose', oneOf(table.purpose, MAIL_CODE_PURPOSES)),
    check('mail_codes_email', sql`(${table.purpose} = 'email') = (${table.email} is not null)`),
  ],
);

/** Serial codes created together, and what each of them grants. */
export const pinCodeBatches = pgTable(
  'pin_code_batches',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    /** Days of VIP that a code grants; null is without expiry. */
    days: integer('days'),
    createdAt: createdAt(),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    expiresAt: time('expires_at'),
    /** From this time on the remaining codes cannot be redeemed. */
    revokedAt: time('revoked_at'),
  },
  (table) => [index('pin_code_batches_list').on(table.createdAt.desc(), table.id.desc())],
);

/** Serial codes that grant VIP, each redeemable once. */
export const pinCodes = pgTable(
  'pin_codes',
  {
    /** SHA-256 of the code, so that read access to the database does not allow redeeming it. */
    codeHash: text('code_hash').primaryKey(),
    batchId: uuid('batch_id')
      .notNull()
      .references(() => pinCodeBatches.id, { onDelete: 'cascade' }),
    redeemedAt: time('redeemed_at'),
    redeemedBy: uuid('redeemed_by').references(() => users.id, { onDelete: 'set null' }),
  },
  (table) => [
    index('pin_codes_batch').on(table.batchId),
    index('pin_codes_redeemed_by').on(table.redeemedBy).where(sql`${table.redeemedBy} is not null`),
  ],
);

/** Proofs of work that were used, kept until they expire. */
export const usedProofs = pgTable('used_proofs', {
  signature: text('signature').primaryKey(),
  expiresAt: time('expires_at').notNull(),
});

/** Counted calls per window, in the schema of rate-limiter-flexible. Used if several processes share the counts. */
export const rateLimits = pgTable('rate_limits', {
  key: text('key').primaryKey(),
  points: integer('points').notNull(),
  expire: time('expire'),
});

/** The last turn of each user in each job queue that users share. See `platform/jobs/turns.ts`. */
export const jobTurns = pgTable(
  'job_turns',
  {
    queue: text('queue').notNull(),
    user: text('user').notNull(),
    turn: integer('turn').notNull(),
  },
  (table) => [primaryKey({ columns: [table.queue, table.user] })],
);

/** Settings that operators change at run time. */
export const operatorSettings = pgTable('operator_settings', {
  name: text('name').primaryKey(),
  value: jsonb('value').notNull(),
  changedAt: time('changed_at').notNull(),
});

/**
 * What operators write for the public pages: questions with answers, and places, in the order of `position`. `texts` has the
 * fields of the kind, each by language.
 */
export const pageEntries = pgTable(
  'page_entries',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind', { enum: ENTRY_KINDS }).notNull(),
    texts: jsonb('texts').$type<Readonly<Record<string, Translated>>>().notNull(),
    /** Of a map; only for places. */
    mapUrl: text('map_url'),
    position: integer('position').notNull(),
    isActive: boolean('is_active').notNull().default(true),
    /** Grows with every change, so that no operator overwrites what another one saved unseen. */
    revision: integer('revision').notNull(),
    changedAt: time('changed_at').notNull(),
    changedBy: uuid('changed_by').references(() => users.id, { onDelete: 'set null' }),
    /** Can be undone for a limited time. */
    deletedAt: time('deleted_at'),
  },
  (table) => [
    index('page_entries_list').on(table.kind, table.position),
    check('page_entries_kind', oneOf(table.kind, ENTRY_KINDS)),
  ],
);

/** Versions of the legal texts, of which none is changed: what was in force when can be told later. */
export const legalTexts = pgTable(
  'legal_texts',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind', { enum: LEGAL_KINDS }).notNull(),
    language: text('language').$type<Language>().notNull(),
    /** From 1 in each language. */
    number: integer('number').notNull(),
    /** Null for the text of the web app. */
    content: text('content'),
    inForceFrom: time('in_force_from').notNull(),
    publishedAt: time('published_at').notNull(),
    publishedBy: uuid('published_by').references(() => users.id, { onDelete: 'set null' }),
    /** Set before it came into force: then it never does. */
    withdrawnAt: time('withdrawn_at'),
  },
  (table) => [
    unique('legal_texts_number').on(table.kind, table.language, table.number),
    check('legal_texts_kind', oneOf(table.kind, LEGAL_KINDS)),
  ],
);

/** Features that an operator switched on or off; all others follow the setting FEATURES. */
export const features = pgTable(
  'features',
  {
    name: text('name').primaryKey(),
    state: text('state', { enum: FEATURE_STATES }).notNull(),
    changedAt: time('changed_at').notNull(),
  },
  (table) => [check('features_state', oneOf(table.state, FEATURE_STATES))],
);

/**
 * Changes by administrators, written in the transaction of the change. People appear by id only, so that deleting an
 * account leaves no name here.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid('id').primaryKey(),
    createdAt: createdAt(),
    actorId: uuid('actor_id').references(() => users.id, { onDelete: 'set null' }),
    /** One of `AUDIT_ACTIONS`; rows keep actions that a later version has removed. */
    action: text('action').notNull(),
    /** The account concerned. */
    subjectId: uuid('subject_id').references(() => users.id, { onDelete: 'set null' }),
    /** What is concerned if not an account: a batch, a setting. */
    target: text('target'),
    before: jsonb('before').$type<Record<string, unknown>>(),
    after: jsonb('after').$type<Record<string, unknown>>(),
    /** IP address of the caller. */
    address: text('address').notNull(),
  },
  (table) => [
    index('audit_log_list').on(table.createdAt.desc(), table.id.desc()),
    index('audit_log_subject').on(table.subjectId, table.createdAt.desc(), table.id.desc()),
    index('audit_log_actor').on(table.actorId, table.createdAt.desc(), table.id.desc()),
  ],
);

export const MAIL_STATES = ['waiting', 'sent', 'failed'] as const;

export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey(),
    /** The account that it concerns. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    toAddress: text('to_address').notNull(),
    /** The address in lower case; rate limits count emails by it. */
    addressKey: text('address_key').notNull(),
    template: text('template').notNull(),
    language: text('language').$type<Language>().notNull(),
    /** Data of the template, including links with secrets; cleared when the email was sent or given up. */
    data: jsonb('data').$type<Record<string, unknown>>(),
    state: text('state', { enum: MAIL_STATES }).notNull().default('waiting'),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    createdAt: createdAt(),
    sentAt: time('sent_at'),
  },
  (table) => [
    index('mails_user').on(table.userId),
    index('mails_address').on(table.addressKey, table.createdAt),
    index('mails_left').on(table.state, table.createdAt).where(sql`${table.state} <> 'sent'`),
    check('mails_state', oneOf(table.state, MAIL_STATES)),
  ],
);

export interface QuiltColumn {
  readonly columns: number;
  readonly rows: number;
  readonly width: number;
  readonly height: number;
  readonly aspect: number;
}

/** Types of display frames: seeded, then edited by the operator. */
export const deviceTypes = pgTable(
  'device_types',
  {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    slug: text('slug').notNull().unique(),
    name: text('name').notNull(),
    note: text('note').notNull().default(''),
    /** 'width,height' of the crop. */
    ratio: text('ratio').notNull(),
    /** 'height,width' of the panel in pixels; the order is the reverse of `ratio`, as in the specification. */
    extendResolution: text('extend_resolution').notNull(),
    isActive: boolean('is_active').notNull().default(true),
    format: text('format').$type<Format>().notNull(),
    quilt: jsonb('quilt').$type<QuiltColumn>(),
    /** Largest comfortable disparity between the outermost views, in percent of the view's width. */
    disparityBudget: real('disparity_budget').notNull(),
    position: integer('position').notNull(),
  },
  (table) => [
    check('device_types_ratio', sql`${table.ratio} ~ '^[1-9][0-9]{0,4},[1-9][0-9]{0,4}$'`),
    check('device_types_resolution', sql`${table.extendResolution} ~ '^[1-9][0-9]{0,4},[1-9][0-9]{0,4}$'`),
    check('device_types_budget', sql`${table.disparityBudget} > 0 and ${table.disparityBudget} <= 100`),
    check('device_types_quilt', sql`(${table.format} = 'quilt') = (${table.quilt} is not null)`),
  ],
);

/** Selectable strengths. Id 0 is the 0 % of every device type and media type. */
export const effectParams = pgTable(
  'effect_params',
  {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    percent: integer('percent').notNull(),
    deviceTypeId: integer('device_type_id').references(() => deviceTypes.id, { onDelete: 'cascade' }),
    /** 0 video, 1 picture; null for both. */
    mediaType: integer('media_type'),
    isActive: boolean('is_active').notNull().default(true),
    vipRequired: boolean('vip_required').notNull().default(false),
  },
  (table) => [
    unique('effect_params_choice').on(table.deviceTypeId, table.mediaType, table.percent).nullsNotDistinct(),
    check('effect_params_percent', sql`${table.percent} between 0 and 100`),
    check('effect_params_media_type', sql`${table.mediaType} in (0, 1)`),
  ],
);

/**
 * Every change of the points of a member, in the transaction of the change. Rows are only ever added: the sum of the
 * amounts of a kind equals the balance in `users`.
 */
export const pointEntries = pgTable(
  'point_entries',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: POINT_KINDS }).notNull(),
    amount: integer('amount').notNull(),
    /** Points of this kind afterwards. */
    balance: integer('balance').notNull(),
    reason: text('reason').$type<PointReason>().notNull(),
    /** What it is about: the id of a conversion, of an ad, of a purchase. A reason counts once for it. */
    reference: text('reference').notNull(),
    /** Name of what it is about, or the reason that an operator gave. */
    note: text('note'),
    /** The administrator of a correction. */
    actorId: uuid('actor_id').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (table) => [
    unique('point_entries_once').on(table.userId, table.kind, table.reason, table.reference),
    index('point_entries_list').on(table.userId, table.createdAt.desc(), table.id.desc()),
    check('point_entries_kind', oneOf(table.kind, POINT_KINDS)),
    check('point_entries_amount', sql`${table.amount} <> 0 and ${table.balance} >= 0`),
  ],
);

export const AD_STATES = ['issued', 'playing', 'completed', 'granted'] as const;

/** The ad that a member watches, or watched last: starting one replaces it. */
export const adSessions = pgTable(
  'ad_sessions',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    id: uuid('id').notNull(),
    /** `house:` and its name, or `gpt`. */
    ad: text('ad').notNull(),
    /** Free points that it gives. */
    amount: integer('amount').notNull(),
    state: text('state', { enum: AD_STATES }).notNull().default('issued'),
    /** Reports that were accepted. The nonce of the next one is derived from it. */
    step: integer('step').notNull().default(0),
    quartile: integer('quartile').notNull().default(0),
    /** Time that it was visible, up to `visibleSince`; null while it is hidden. */
    watchedMs: integer('watched_ms').notNull().default(0),
    visibleSince: time('visible_since'),
    createdAt: createdAt(),
    completedAt: time('completed_at'),
    grantedAt: time('granted_at'),
  },
  (table) => [
    check('ad_sessions_state', oneOf(table.state, AD_STATES)),
    check('ad_sessions_quartile', sql`${table.quartile} in (0, 25, 50, 75, 100) and ${table.amount} > 0`),
  ],
);

/** Points that the first conversion of an upload costs. Without a row it is free. */
export const conversionPrices = pgTable(
  'conversion_prices',
  {
    /** Null is the price of every type of device without one of its own. */
    deviceTypeId: integer('device_type_id').references(() => deviceTypes.id, { onDelete: 'cascade' }),
    /** 0 video, 1 picture. */
    mediaType: integer('media_type').notNull(),
    points: integer('points').notNull(),
  },
  (table) => [
    unique('conversion_prices_choice').on(table.deviceTypeId, table.mediaType).nullsNotDistinct(),
    check('conversion_prices_media_type', sql`${table.mediaType} in (0, 1)`),
    check('conversion_prices_points', sql`${table.points} >= 0`),
  ],
);

/** Seeds that were applied. Each is applied once, so that later changes by an operator are kept. */
export const seeds = pgTable('seeds', {
  name: text('name').primaryKey(),
  plantedAt: time('planted_at').notNull(),
});

/** An `upload` or a member's own `depth` map was sent and counts as such; a `result` was made from them. */
export const OBJECT_PURPOSES = ['upload', 'depth', 'result'] as const;

/** Every permanent object in the storage. A job deletes objects without a row. */
export const objects = pgTable(
  'objects',
  {
    key: text('key').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id),
    purpose: text('purpose', { enum: OBJECT_PURPOSES }).notNull(),
    /** SHA-256 of the content, in hex. */
    sha256: text('sha256').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    type: text('type').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    // The same bytes uploaded twice by one member are stored once.
    uniqueIndex('objects_upload').on(table.ownerId, table.sha256).where(sql`${table.purpose} = 'upload'`),
    index('objects_owner').on(table.ownerId),
    check('objects_purpose', oneOf(table.purpose, OBJECT_PURPOSES)),
    check('objects_size', sql`${table.size} > 0`),
  ],
);

export const UPLOAD_STATES = ['pending', 'stored'] as const;

export interface ComfortColumn {
  readonly largestDisparityPercent: number;
  readonly wishedDisparityPercent: number;
  readonly clamped: boolean;
  readonly windowViolation: number;
}

export interface VideoColumn {
  readonly seconds: number;
  readonly frames: number;
  /** Whether browsers can play the uploaded file directly. */
  readonly playable: boolean;
  readonly notes: readonly Note[];
}

/** Settings of a conversion that a member can change and undo. The row of a media holds the current ones. */
const settings = () => ({
  effectParamId: integer('effect_param_id').references(() => effectParams.id, { onDelete: 'set null' }),
  /** Percent when requested, so that a later edit by an operator does not change existing results. */
  effect: integer('effect').notNull(),
  crop: jsonb('crop').$type<Crop>(),
  /** Depth in the plane of the frame; null derives it from the subject. */
  convergence: real('convergence'),
  /** Colour behind transparent parts, `#rrggbb`; null for one on which the picture can be seen. */
  ground: text('ground').$type<`#${string}`>(),
  /** Where the two eyes are in a picture of both, chosen or found by its conversion; null while unknown. */
  pair: text('pair').$type<PairChoice>(),
  /** Painted onto the depth map, in this order. */
  strokes: jsonb('strokes').$type<readonly Stroke[]>().notNull().default([]),
  depthSource: text('depth_source'),
});

/** What was ordered and its price at that time. The progress belongs to the media, which may be deleted earlier. */
export const orders = pgTable(
  'orders',
  {
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** 0 uploaded, 1 on-site, 2 purchased. */
    type: integer('type').notNull(),
    name: text('name').notNull(),
    /** In minor units of the currency; points have no minor unit. */
    costs: integer('costs').notNull(),
    /** 'points' or an ISO 4217 code. */
    currency: text('currency').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('orders_list').on(table.ownerId, table.createdAt.desc(), table.id.desc()),
    check('orders_type', sql`${table.type} in (0, 1, 2)`),
    check('orders_costs', sql`${table.costs} >= 0`),
    check('orders_currency', sql`${table.currency} ~ '^(points|[A-Z]{3})$'`),
  ],
);

/**
 * Links with which people without an account send pictures to their owner. The token of a link is derived from its id and
 * is not stored.
 */
export const uploadLinks = pgTable(
  'upload_links',
  {
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Shown to the senders. */
    name: text('name').notNull(),
    deviceTypeId: integer('device_type_id')
      .notNull()
      .references(() => deviceTypes.id),
    /** Number of pictures that may be sent, and that were received; those on their way are pending media. */
    maxUploads: integer('max_uploads').notNull(),
    received: integer('received').notNull().default(0),
    createdAt: createdAt(),
    expiresAt: time('expires_at').notNull(),
    /** Revocation can be undone for a limited time. */
    revokedAt: time('revoked_at'),
  },
  (table) => [
    index('upload_links_list').on(table.ownerId, table.createdAt.desc(), table.id.desc()),
    check('upload_links_received', sql`${table.received} >= 0 and ${table.maxUploads} > 0`),
  ],
);

export const media = pgTable(
  'media',
  {
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id),
    /** File name as uploaded or as the member renamed it, NFC. */
    name: text('name').notNull(),
    /** The name as it is searched and sorted by; see `name-keys.ts`. */
    searchName: text('search_name').notNull().default(''),
    sortName: text('sort_name').notNull().default(''),
    /** 0 video, 1 picture. */
    mediaType: integer('media_type').notNull(),
    /** 0 uploaded, 1 on-site, 2 purchased. */
    orderType: integer('order_type').notNull().default(0),
    /** Null until the upload is complete. */
    orderId: uuid('order_id').references(() => orders.id),
    deviceTypeId: integer('device_type_id')
      .notNull()
      .references(() => deviceTypes.id),
    /** Set for a picture that arrived by an upload link, with the name that its sender typed. */
    uploadLinkId: uuid('upload_link_id').references(() => uploadLinks.id, { onDelete: 'set null' }),
    senderName: text('sender_name'),
    ...settings(),
    /** Number of the current revision, which has these settings. */
    revision: integer('revision').notNull().default(1),
    /** The revision that cover, preview, comfort and files belong to; null without results. */
    resultRevision: integer('result_revision'),
    /** 0 processing, 1 finished, 2 unable. */
    status: integer('status').notNull().default(0),
    uploadState: text('upload_state', { enum: UPLOAD_STATES }).notNull().default('pending'),
    declaredSize: bigint('declared_size', { mode: 'number' }).notNull(),
    declaredType: text('declared_type').notNull(),
    /** Temporary key of the presigned PUT, until the upload is stored. */
    uploadKey: text('upload_key').unique(),
    uploadExpiresAt: time('upload_expires_at'),
    /** Where the result goes, as the upload was asked for: the id of an album, which may be gone by then. */
    destination: text('destination'),
    /** Points that its owner was told the conversion costs; null `payWith` takes free points if they suffice. */
    price: integer('price').notNull().default(0),
    payWith: text('pay_with', { enum: POINT_KINDS }),
    /** The conversion for which the price was charged and not returned, and in which kind of points. */
    paidFor: uuid('paid_for'),
    paidWith: text('paid_with', { enum: POINT_KINDS }),
    sourceWidth: integer('source_width'),
    sourceHeight: integer('source_height'),
    /** Videos only. */
    video: jsonb('video').$type<VideoColumn>(),
    comfort: jsonb('comfort').$type<ComfortColumn>(),
    /** Notes for the member about the result of a picture; those of a video are in `video`. */
    notes: jsonb('notes').$type<readonly PictureNote[]>().notNull().default([]),
    failureCode: text('failure_code'),
    /**
     * Set for a hidden copy of another media, cropped for frames of another type of device. It shares the original, follows
     * the changes of its media, and ends with it.
     */
    copyOf: uuid('copy_of').references((): AnyPgColumn => media.id, { onDelete: 'cascade' }),
    /** Hash of the settings of its media that a copy was made with. */
    copyKey: text('copy_key'),
    createdAt: createdAt(),
    finishedAt: time('finished_at'),
    deletedAt: time('deleted_at'),
  },
  (table) => [
    uniqueIndex('media_copies').on(table.copyOf, table.deviceTypeId).where(sql`${table.copyOf} is not null`),
    index('media_list').on(table.ownerId, table.createdAt.desc(), table.id.desc()),
    index('media_by_name').on(table.ownerId, table.sortName, table.id),
    index('media_pending').on(table.uploadExpiresAt).where(sql`${table.uploadState} = 'pending'`),
    index('media_deleted').on(table.deletedAt).where(sql`${table.deletedAt} is not null`),
    index('media_order').on(table.orderId),
    index('media_upload_link').on(table.uploadLinkId).where(sql`${table.uploadLinkId} is not null`),
    check('media_type_known', sql`${table.mediaType} in (0, 1)`),
    check('media_order_type', sql`${table.orderType} in (0, 1, 2)`),
    check('media_status', sql`${table.status} between 0 and 2`),
    check('media_effect', sql`${table.effect} between 0 and 100`),
    check('media_upload_state', oneOf(table.uploadState, UPLOAD_STATES)),
    check('media_price', sql`${table.price} >= 0`),
    check('media_pay_with', oneOf(table.payWith, POINT_KINDS)),
    check('media_paid', sql`(${table.paidFor} is null) = (${table.paidWith} is null)`),
    check('media_paid_with', oneOf(table.paidWith, POINT_KINDS)),
  ],
);

/** The revisions of a media that undo can return to, numbered from 1. */
export const mediaRevisions = pgTable(
  'media_revisions',
  {
    mediaId: uuid('media_id')
      .notNull()
      .references(() => media.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    ...settings(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.mediaId, table.number] }),
    check('media_revisions_effect', sql`${table.effect} between 0 and 100`),
  ],
);

export const CONVERSION_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;

export const conversions = pgTable(
  'conversions',
  {
    id: uuid('id').primaryKey(),
    mediaId: uuid('media_id')
      .notNull()
      .references(() => media.id, { onDelete: 'cascade' }),
    /** The revision of the media that it produces. */
    revision: integer('revision').notNull().default(1),
    /** The variant of an additional file of a finished video, see `parseVideoVariant`; null converts the media itself. */
    format: text('format'),
    state: text('state', { enum: CONVERSION_STATES }).notNull().default('waiting'),
    step: text('step').notNull().default('waiting'),
    /** 0 … 1 over the whole conversion. */
    progress: real('progress').notNull().default(0),
    /** Videos only: frames done, total frames and seconds left. */
    frame: integer('frame'),
    frames: integer('frames'),
    secondsLeft: real('seconds_left'),
    attempts: integer('attempts').notNull().default(0),
    failureCode: text('failure_code'),
    createdAt: createdAt(),
    startedAt: time('started_at'),
    finishedAt: time('finished_at'),
  },
  (table) => [
    index('conversions_media').on(table.mediaId, table.createdAt.desc()),
    index('conversions_ended').on(table.finishedAt).where(sql`${table.finishedAt} is not null`),
    // One at a time: a second click, worker or delivery of the same job cannot start another.
    uniqueIndex('conversions_active')
      .on(table.mediaId, sql`coalesce(${table.format}, '')`)
      .where(sql`${table.state} in ('waiting', 'running')`),
    check('conversions_state', oneOf(table.state, CONVERSION_STATES)),
    check('conversions_progress', sql`${table.progress} between 0 and 1`),
  ],
);

/** Files kept as long as the media. A depth map belongs to the revision in `variant`. */
export const LASTING_ASSETS = ['original', 'uncropped', 'video', 'depthMap'] as const;
/**
 * Files that the next conversion replaces. For a downloadable `file`, `variant` holds its format and options, for a
 * `teaser` of a product the part of the preview that it is a small copy of.
 */
export const RESULT_ASSETS = ['cover', 'colour', 'depth', 'background', 'backgroundDepth', 'teaser', 'file'] as const;

/** Objects of a media and their roles. An object without any reference is an orphan and is deleted. */
export const mediaAssets = pgTable(
  'media_assets',
  {
    id: uuid('id').primaryKey(),
    mediaId: uuid('media_id')
      .notNull()
      .references(() => media.id, { onDelete: 'cascade' }),
    role: text('role', { enum: [...LASTING_ASSETS, ...RESULT_ASSETS] }).notNull(),
    variant: text('variant').notNull().default(''),
    objectKey: text('object_key')
      .notNull()
      .references(() => objects.key, { onDelete: 'restrict' }),
    /** For a `file`: its name as the device expects it. */
    name: text('name').notNull().default(''),
    /** Made or downloaded last. Files that can be made again go in this order when a member has too many. */
    usedAt: time('used_at').notNull().defaultNow(),
  },
  (table) => [
    unique('media_assets_role').on(table.mediaId, table.role, table.variant),
    index('media_assets_object').on(table.objectKey),
  ],
);

/** Albums: a member's collections of their pictures and videos. */
export const albums = pgTable(
  'albums',
  {
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** Chosen by the member; another picture is shown while it is deleted or not in the album. */
    coverMediaId: uuid('cover_media_id').references(() => media.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    /** Deletion can be undone for a limited time. */
    deletedAt: time('deleted_at'),
  },
  (table) => [
    index('albums_list').on(table.ownerId, table.createdAt.desc(), table.id.desc()),
    index('albums_cover').on(table.coverMediaId).where(sql`${table.coverMediaId} is not null`),
    index('albums_deleted').on(table.deletedAt).where(sql`${table.deletedAt} is not null`),
  ],
);

/** Media of an album. A media can be in several albums; deleting an album keeps its media. */
export const albumMedia = pgTable(
  'album_media',
  {
    albumId: uuid('album_id')
      .notNull()
      .references(() => albums.id, { onDelete: 'cascade' }),
    mediaId: uuid('media_id')
      .notNull()
      .references(() => media.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.albumId, table.mediaId] }), index('album_media_media').on(table.mediaId)],
);

/** Public links to media. The token is derived from the id; see `platform/capabilities.ts`. */
export const shares = pgTable(
  'shares',
  {
    id: uuid('id').primaryKey(),
    mediaId: uuid('media_id')
      .notNull()
      .references(() => media.id, { onDelete: 'cascade' }),
    /** Null for no end. */
    expiresAt: time('expires_at'),
    /** Whether everybody with the link may download the files. */
    download: boolean('download').notNull(),
    /** How often others than the owner opened it. */
    views: integer('views').notNull().default(0),
    createdAt: createdAt(),
    /** Revoking can be undone for a limited time. */
    revokedAt: time('revoked_at'),
  },
  (table) => [
    index('shares_media').on(table.mediaId),
    index('shares_revoked').on(table.revokedAt).where(sql`${table.revokedAt} is not null`),
  ],
);

/** Stores, whose products members buy. */
export const stores = pgTable('stores', {
  id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
  slug: text('slug').notNull().unique(),
  name: jsonb('name').$type<Localized>().notNull(),
  /** Object with the icon; null for one without. */
  iconKey: text('icon_key').references(() => objects.key, { onDelete: 'set null' }),
  position: integer('position').notNull(),
  isActive: boolean('is_active').notNull().default(true),
  createdAt: createdAt(),
});

/** Packs of pictures and videos. What is in one is an album of an operator. */
export const products = pgTable(
  'products',
  {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    storeId: integer('store_id')
      .notNull()
      .references(() => stores.id),
    name: jsonb('name').$type<Localized>().notNull(),
    content: jsonb('content').$type<Localized>().notNull(),
    isActivated: boolean('is_activated').notNull().default(false),
    /** Members can save it without paying; then its offers are not for sale. */
    hasFree: boolean('has_free').notNull().default(false),
    /** Null before an operator chose one, and once its owner's account is gone: then the product is shown to nobody. */
    albumId: uuid('album_id').references(() => albums.id, { onDelete: 'set null' }),
    position: integer('position').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('products_store').on(table.storeId),
    index('products_album').on(table.albumId).where(sql`${table.albumId} is not null`),
  ],
);

/** Memberships and what they raise. Id 1 is that of everybody without one. */
export const plans = pgTable('plans', {
  id: integer('id').primaryKey(),
  name: jsonb('name').$type<Localized>().notNull(),
  icon: text('icon').notNull(),
  /** Benefits, one a line. */
  content: jsonb('content').$type<LocalizedLines>().notNull(),
  /** Points granted with every paid month. */
  points: integer('points').notNull().default(0),
  /** Null raises nothing. */
  storageBytes: bigint('storage_bytes', { mode: 'number' }),
  videoSeconds: integer('video_seconds'),
  /** Whether it opens the live broadcasts. */
  live: boolean('live').notNull().default(false),
  archivedAt: time('archived_at'),
});

export const OFFER_KINDS = ['product', 'plan', 'points'] as const;

/**
 * What is for sale at what price. The price of an offer never changes: a new price is a new offer, and the old one is
 * archived, so that what was paid for keeps its price. Who has an archived plan goes on renewing it.
 */
export const offers = pgTable(
  'offers',
  {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    kind: text('kind', { enum: OFFER_KINDS }).notNull(),
    productId: integer('product_id').references(() => products.id),
    planId: integer('plan_id').references(() => plans.id),
    points: integer('points'),
    /** Null for the name of its product or plan. */
    name: jsonb('name').$type<Localized>(),
    icon: text('icon').notNull().default(''),
    content: jsonb('content').$type<LocalizedLines>().notNull(),
    /** In minor units. Nothing is the price of having no plan. */
    priceUsd: integer('price_usd').notNull(),
    /** In minor units; null where the card provider cannot be used. */
    priceTwd: integer('price_twd'),
    /** Months. */
    period: integer('period'),
    position: integer('position').notNull(),
    archivedAt: time('archived_at'),
    createdAt: createdAt(),
  },
  (table) => [
    index('offers_product').on(table.productId).where(sql`${table.productId} is not null`),
    check('offers_kind', oneOf(table.kind, OFFER_KINDS)),
    check(
      'offers_target',
      sql`(${table.kind} = 'product') = (${table.productId} is not null)
        and (${table.kind} = 'plan') = (${table.planId} is not null)
        and (${table.kind} = 'points') = (${table.points} is not null)`,
    ),
    check('offers_period', sql`(${table.kind} = 'points') = (${table.period} is null) and ${table.period} > 0`),
    check('offers_points', sql`${table.points} > 0`),
    check('offers_price', sql`${table.priceUsd} >= 0 and ${table.priceTwd} > 0`),
  ],
);

export const SUBSCRIPTION_KINDS = ['plan', 'product'] as const;
export const SUBSCRIPTION_STATES = ['pending', 'active', 'suspended', 'ended'] as const;
export const PAYMENT_PROVIDERS = ['paypal', 'sunpay'] as const;

/** What a member has: one plan at most, and each product once. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: SUBSCRIPTION_KINDS }).notNull(),
    planId: integer('plan_id').references(() => plans.id),
    productId: integer('product_id').references(() => products.id),
    /** What was bought last; null for a free product and a complimentary plan. */
    offerId: integer('offer_id').references(() => offers.id),
    state: text('state', { enum: SUBSCRIPTION_STATES }).notNull(),
    /** Day of the month on which it began, in Asia/Taipei: later months end on it, or on their last day. */
    anchorDay: integer('anchor_day').notNull(),
    /** Null for no end. */
    paidUntil: time('paid_until'),
    cancelAtEnd: boolean('cancel_at_end').notNull().default(false),
    /** Whether the next month is charged by itself. */
    renews: boolean('renews').notNull().default(false),
    provider: text('provider', { enum: PAYMENT_PROVIDERS }),
    /** The subscription at PayPal. */
    providerRef: text('provider_ref'),
    /** The card at SunPay, encrypted. */
    token: text('token'),
    createdAt: createdAt(),
    endedAt: time('ended_at'),
    /** When PayPal is asked again about a renewal that is late, or to charge no more; null for as soon as it is due. */
    nextCheckAt: time('next_check_at'),
  },
  (table) => [
    uniqueIndex('subscriptions_plan')
      .on(table.userId)
      .where(sql`${table.kind} = 'plan' and ${table.state} in ('active', 'suspended')`),
    uniqueIndex('subscriptions_product')
      .on(table.userId, table.productId)
      .where(sql`${table.kind} = 'product' and ${table.state} in ('active', 'suspended')`),
    uniqueIndex('subscriptions_provider')
      .on(table.provider, table.providerRef)
      .where(sql`${table.providerRef} is not null`),
    index('subscriptions_list').on(table.userId, table.createdAt.desc(), table.id.desc()),
    index('subscriptions_due')
      .on(table.paidUntil)
      .where(sql`${table.state} in ('active', 'suspended') and ${table.paidUntil} is not null`),
    check('subscriptions_kind', oneOf(table.kind, SUBSCRIPTION_KINDS)),
    check('subscriptions_state', oneOf(table.state, SUBSCRIPTION_STATES)),
    check('subscriptions_provider_known', oneOf(table.provider, PAYMENT_PROVIDERS)),
    check(
      'subscriptions_target',
      sql`(${table.kind} = 'plan') = (${table.planId} is not null)
        and (${table.kind} = 'product') = (${table.productId} is not null)`,
    ),
    check('subscriptions_anchor', sql`${table.anchorDay} between 1 and 31`),
    check('subscriptions_ended', sql`(${table.state} = 'ended') = (${table.endedAt} is not null)`),
  ],
);

export const PAYMENT_STATES = ['created', 'pending', 'failed', 'expired', 'paid', 'granted', 'refunded'] as const;
/**
 * How money comes: `order` and `billing` are PayPal's orders and the charges of its subscriptions, `cash` and `token` the
 * two first payments by card, `charge` a renewal by card.
 */
export const PAYMENT_ROUTES = ['order', 'billing', 'cash', 'token', 'charge'] as const;

/**
 * Attempts to pay, each for one offer at its price. They outlive the account, for the books and for refunds that arrive
 * later. `td`, the number of a payment at the providers, is the id without dashes.
 */
export const payments = pgTable(
  'payments',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    orderId: uuid('order_id')
      .unique()
      .references(() => orders.id, { onDelete: 'set null' }),
    offerId: integer('offer_id')
      .notNull()
      .references(() => offers.id),
    /** What it grants or renews, once it is granted; of a renewal from its beginning. */
    subscriptionId: uuid('subscription_id').references(() => subscriptions.id, { onDelete: 'set null' }),
    /** `plan`, `product:3`, `points:7`: one of a kind may be under way. */
    target: text('target').notNull(),
    /** Chosen by the caller: a repeated call with it makes no second payment. */
    requestKey: uuid('request_key'),
    provider: text('provider', { enum: PAYMENT_PROVIDERS }).notNull(),
    route: text('route', { enum: PAYMENT_ROUTES }).notNull(),
    state: text('state', { enum: PAYMENT_STATES }).notNull(),
    /** In minor units. */
    amount: integer('amount').notNull(),
    currency: text('currency').$type<Currency>().notNull(),
    /** PayPal's order, or its subscription for the first charge. */
    providerOrderId: text('provider_order_id'),
    /** What took the money: PayPal's capture or sale, SunPay's trade. */
    providerCaptureId: text('provider_capture_id'),
    /** Where the buyer approves at PayPal. */
    approveUrl: text('approve_url'),
    /** Hash of the signed fields that were given to the buyer last and may be sent to SunPay once. */
    formHash: text('form_hash'),
    formAt: time('form_at'),
    /** The card at SunPay, encrypted for the member. */
    cardToken: text('card_token'),
    refunded: integer('refunded').notNull().default(0),
    pendingReason: text('pending_reason'),
    failureCode: text('failure_code'),
    /** What an operator has to look at. */
    problem: text('problem'),
    /** Of the buyer, for the receipt. */
    language: text('language').$type<Language>().notNull(),
    createdAt: createdAt(),
    paidAt: time('paid_at'),
    grantedAt: time('granted_at'),
    endedAt: time('ended_at'),
    /** When the provider is asked next; null for never. */
    nextCheckAt: time('next_check_at'),
    checkedAt: time('checked_at'),
    checks: integer('checks').notNull().default(0),
    /** The provider has told nothing about it, or not what became of its money, since then; null after an answer. */
    unansweredSince: time('unanswered_since'),
  },
  (table) => [
    unique('payments_request').on(table.userId, table.requestKey),
    uniqueIndex('payments_provider_order')
      .on(table.provider, table.providerOrderId)
      .where(sql`${table.providerOrderId} is not null`),
    uniqueIndex('payments_provider_capture')
      .on(table.provider, table.providerCaptureId)
      .where(sql`${table.providerCaptureId} is not null`),
    index('payments_user').on(table.userId, table.target),
    index('payments_list').on(table.createdAt.desc(), table.id.desc()),
    index('payments_subscription').on(table.subscriptionId).where(sql`${table.subscriptionId} is not null`),
    index('payments_due').on(table.nextCheckAt).where(sql`${table.nextCheckAt} is not null`),
    index('payments_unanswered').on(table.unansweredSince).where(sql`${table.unansweredSince} is not null`),
    check('payments_provider', oneOf(table.provider, PAYMENT_PROVIDERS)),
    check('payments_route', oneOf(table.route, PAYMENT_ROUTES)),
    check('payments_state', oneOf(table.state, PAYMENT_STATES)),
    check('payments_amount', sql`${table.amount} > 0 and ${table.refunded} between 0 and ${table.amount}`),
    // Nothing is granted that was not paid, and nothing is paid without a trace of the money.
    check(
      'payments_paid',
      sql`(${table.state} in ('paid', 'granted', 'refunded'))
        = (${table.paidAt} is not null and ${table.providerCaptureId} is not null)`,
    ),
    check('payments_granted', sql`${table.state} <> 'granted' or ${table.grantedAt} is not null`),
    check('payments_refunded', sql`(${table.state} = 'refunded') = (${table.refunded} = ${table.amount})`),
  ],
);

/**
 * What providers told us and what operators did. Bodies hold ids, amounts and states: neither secrets nor names. The id
 * of an event of a provider is its own, so that a repeated one is not handled twice.
 */
export const paymentEvents = pgTable(
  'payment_events',
  {
    id: text('id').primaryKey(),
    paymentId: uuid('payment_id').references(() => payments.id, { onDelete: 'cascade' }),
    type: text('type').notNull(),
    body: jsonb('body').$type<Record<string, unknown>>().notNull(),
    receivedAt: time('received_at').notNull(),
    /** Null: not handled to the end, so that a repeated delivery is. */
    handledAt: time('handled_at'),
  },
  (table) => [index('payment_events_payment').on(table.paymentId, table.receivedAt)],
);

export const REFUND_STATES = ['pending', 'completed', 'failed'] as const;

/** Money that went back, or is on its way. The sum of those that did not fail never exceeds what was paid. */
export const refunds = pgTable(
  'refunds',
  {
    id: uuid('id').primaryKey(),
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => payments.id, { onDelete: 'cascade' }),
    amount: integer('amount').notNull(),
    state: text('state', { enum: REFUND_STATES }).notNull(),
    providerRefundId: text('provider_refund_id').unique(),
    reason: text('reason').notNull(),
    failureCode: text('failure_code'),
    /** The administrator; null for one that the provider or this server began. */
    actorId: uuid('actor_id').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    endedAt: time('ended_at'),
    /** When PayPal is asked again about a pending one; null once an operator has to look at it. */
    nextCheckAt: time('next_check_at'),
  },
  (table) => [
    index('refunds_payment').on(table.paymentId),
    index('refunds_pending').on(table.nextCheckAt).where(sql`${table.state} = 'pending'`),
    check('refunds_state', oneOf(table.state, REFUND_STATES)),
    check('refunds_amount', sql`${table.amount} > 0`),
  ],
);

/** The plan at PayPal of an offer, made when it is first bought there. */
export const paypalPlans = pgTable('paypal_plans', {
  offerId: integer('offer_id')
    .primaryKey()
    .references(() => offers.id),
  planId: text('plan_id').notNull(),
  createdAt: createdAt(),
});

/** Mails about the end of a paid period that were sent, each once. */
export const subscriptionReminders = pgTable(
  'subscription_reminders',
  {
    subscriptionId: uuid('subscription_id')
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
    kind: text('kind').notNull(),
    /** The end that it is about. */
    paidUntil: time('paid_until').notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.subscriptionId, table.kind, table.paidUntil] })],
);

/** Notifications of operators, whose texts are the same for all who got them. */
export const broadcasts = pgTable(
  'broadcasts',
  {
    id: uuid('id').primaryKey(),
    audience: text('audience', { enum: AUDIENCES }).notNull(),
    /** The receiver, for the audience `one`. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: BROADCAST_KINDS }).notNull(),
    title: jsonb('title').$type<Localized>().notNull(),
    content: jsonb('content').$type<Localized>().notNull(),
    /** Path of a page of the web app. */
    link: text('link'),
    releaseAt: time('release_at').notNull(),
    withdrawnAt: time('withdrawn_at'),
    createdAt: createdAt(),
  },
  (table) => [
    index('broadcasts_list').on(table.releaseAt.desc(), table.id.desc()),
    index('broadcasts_user').on(table.userId).where(sql`${table.userId} is not null`),
    check('broadcasts_audience', oneOf(table.audience, AUDIENCES)),
    check('broadcasts_kind', oneOf(table.kind, BROADCAST_KINDS)),
  ],
);

/**
 * Notifications in the app. A row records the event; the text is created on reading, in the language of the reader.
 * Rows about a media are deleted with it.
 */
export const notifications = pgTable(
  'notifications',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: NOTIFICATION_KINDS }).notNull(),
    /** A key of `NOTIFICATION_TEXTS`. */
    code: text('code').notNull(),
    data: jsonb('data').$type<Record<string, string>>().notNull(),
    /** The media concerned. */
    mediaId: uuid('media_id').references(() => media.id, { onDelete: 'cascade' }),
    /** Where the texts are, if an operator sent it. */
    broadcastId: uuid('broadcast_id').references(() => broadcasts.id, { onDelete: 'cascade' }),
    /** Hidden until this time. */
    releaseAt: time('release_at').notNull(),
    readAt: time('read_at'),
  },
  (table) => [
    index('notifications_list').on(table.userId, table.releaseAt.desc(), table.id.desc()),
    index('notifications_media').on(table.mediaId).where(sql`${table.mediaId} is not null`),
    index('notifications_broadcast').on(table.broadcastId).where(sql`${table.broadcastId} is not null`),
    check('notifications_kind', oneOf(table.kind, NOTIFICATION_KINDS)),
  ],
);

/**
 * Requests to become friends, and friendships. A request is addressed to an email address: nothing here tells whether it
 * belongs to a member until its owner has answered. A row with `confirmed_at` is a friendship, and every end of one
 * deletes its row, so that whatever refers to it ends in the same transaction.
 */
export const friendships = pgTable(
  'friendships',
  {
    id: uuid('id').primaryKey(),
    requesterId: uuid('requester_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As the requester typed it. */
    targetEmail: text('target_email').notNull(),
    targetEmailLower: text('target_email_lower').notNull(),
    /** Who answered; null while nobody has. */
    targetId: uuid('target_id').references(() => users.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
    confirmedAt: time('confirmed_at'),
    /** The requester is not told: to them the request stays open. */
    refusedAt: time('refused_at'),
    /** Cancelled request or ended friendship. Can be undone for a limited time. */
    endedAt: time('ended_at'),
    endedBy: uuid('ended_by').references((): AnyPgColumn => users.id, { onDelete: 'cascade' }),
    /** When the invitation was last emailed. */
    invitedAt: time('invited_at'),
  },
  (table) => [
    unique('friendships_address').on(table.requesterId, table.targetEmailLower),
    uniqueIndex('friendships_pair')
      .on(sql`least(${table.requesterId}, ${table.targetId})`, sql`greatest(${table.requesterId}, ${table.targetId})`)
      .where(sql`${table.confirmedAt} is not null`),
    index('friendships_requester').on(table.requesterId, table.createdAt.desc(), table.id.desc()),
    index('friendships_target').on(table.targetId).where(sql`${table.targetId} is not null`),
    index('friendships_received').on(table.targetEmailLower).where(sql`${table.confirmedAt} is null`),
    check('friendships_confirmed', sql`${table.confirmedAt} is null or ${table.targetId} is not null`),
    check('friendships_ended', sql`${table.confirmedAt} is null or ${table.endedAt} is null`),
    check('friendships_refused', sql`${table.confirmedAt} is null or ${table.refusedAt} is null`),
    check('friendships_other', sql`${table.requesterId} <> ${table.targetId}`),
  ],
);

const screenColumns = () => ({
  /** Physical pixels of the screen. */
  screenWidth: integer('screen_width').notNull(),
  screenHeight: integer('screen_height').notNull(),
  /** Physical pixels per CSS pixel. */
  pixelRatio: real('pixel_ratio').notNull(),
});

export const FRAME_FITS = ['fit', 'fill'] as const;

export interface FrameProblemColumn {
  readonly at: string;
  readonly item: string | null;
  readonly code: (typeof FRAME_PROBLEMS)[number];
  readonly detail: string;
}

/** Display frames that members have paired. */
export const frames = pgTable(
  'frames',
  {
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    kind: text('kind').notNull(),
    ...screenColumns(),
    /** SHA-256 of the token; null until the frame has fetched it. */
    tokenHash: text('token_hash').unique(),
    /** Null for a screen that counts as no type of device. */
    deviceTypeId: integer('device_type_id').references(() => deviceTypes.id),
    /** Those that differ from the defaults. */
    options: jsonb('options').$type<Partial<FrameOptions>>().notNull().default({}),
    /** Text of the `visual.json` of a light field. */
    calibration: text('calibration'),
    /** Time of pairing. */
    createdAt: createdAt(),
    lastSeenAt: time('last_seen_at'),
    version: text('version'),
    /** IANA time zone that the frame reported; null until then. */
    timeZone: text('time_zone'),
    /** Version of the playlist whose files the frame has all downloaded. */
    playlistVersion: text('playlist_version'),
    showing: jsonb('showing').$type<{ readonly item: string; readonly since: string }>(),
    /** The newest problems that the frame reported, newest first. */
    problems: jsonb('problems').$type<readonly FrameProblemColumn[]>().notNull().default([]),
  },
  (table) => [index('frames_list').on(table.ownerId, table.createdAt.desc(), table.id.desc())],
);

/** Friends of the owner who may send pictures to a frame. Ends with the friendship. */
export const frameSenders = pgTable(
  'frame_senders',
  {
    frameId: uuid('frame_id')
      .notNull()
      .references(() => frames.id, { onDelete: 'cascade' }),
    friendshipId: uuid('friendship_id')
      .notNull()
      .references(() => friendships.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.frameId, table.friendshipId] }),
    index('frame_senders_friendship').on(table.friendshipId),
  ],
);

/** What a frame plays, in the order of `position`: a media, or an album with everything that is in it at that time. */
export const frameItems = pgTable(
  'frame_items',
  {
    id: uuid('id').primaryKey(),
    frameId: uuid('frame_id')
      .notNull()
      .references(() => frames.id, { onDelete: 'cascade' }),
    mediaId: uuid('media_id').references(() => media.id, { onDelete: 'cascade' }),
    albumId: uuid('album_id').references(() => albums.id, { onDelete: 'cascade' }),
    /** Written only while the row of the frame is locked, so that two moves cannot interleave. */
    position: integer('position').notNull(),
    addedById: uuid('added_by_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Set for what a friend of the owner sent. */
    friendshipId: uuid('friendship_id').references(() => friendships.id, { onDelete: 'cascade' }),
    /** Null for the option of the frame. */
    fit: text('fit', { enum: FRAME_FITS }),
    createdAt: createdAt(),
    /** When the frame first showed it. */
    shownAt: time('shown_at'),
    /** Removal can be undone for a limited time. */
    deletedAt: time('deleted_at'),
  },
  (table) => [
    // What a frame has already is not added again.
    uniqueIndex('frame_items_media')
      .on(table.frameId, table.mediaId, table.addedById)
      .where(sql`${table.deletedAt} is null`),
    uniqueIndex('frame_items_album')
      .on(table.frameId, table.albumId, table.addedById)
      .where(sql`${table.deletedAt} is null`),
    index('frame_items_of_media').on(table.mediaId),
    index('frame_items_of_album').on(table.albumId),
    index('frame_items_friendship').on(table.friendshipId).where(sql`${table.friendshipId} is not null`),
    index('frame_items_deleted').on(table.deletedAt).where(sql`${table.deletedAt} is not null`),
    check('frame_items_one', sql`(${table.mediaId} is null) <> (${table.albumId} is null)`),
    check('frame_items_fit', oneOf(table.fit, FRAME_FITS)),
  ],
);

/** Files of pictures that frames need and that are being made, or could not be made. A made one has no row. */
export const frameFiles = pgTable(
  'frame_files',
  {
    mediaId: uuid('media_id')
      .notNull()
      .references(() => media.id, { onDelete: 'cascade' }),
    variant: text('variant').notNull(),
    createdAt: createdAt(),
    /** Set when it could not be made. */
    failureCode: text('failure_code'),
  },
  (table) => [primaryKey({ columns: [table.mediaId, table.variant] })],
);

/** Frames that wait for pairing. A row is deleted some time after its code expires. */
export const framePairings = pgTable(
  'frame_pairings',
  {
    id: uuid('id').primaryKey(),
    /**
     * Stored in plain text, unlike every other code: a hash would not protect eight letters that are valid for half an
     * hour.
     */
    userCode: text('user_code').notNull().unique(),
    /** SHA-256 of the frame's secret. */
    deviceCodeHash: text('device_code_hash').notNull().unique(),
    kind: text('kind').notNull(),
    ...screenColumns(),
    createdAt: createdAt(),
    expiresAt: time('expires_at').notNull(),
    /** Minimum polling interval of the frame; increased when it polls too often. */
    intervalSeconds: integer('interval_seconds').notNull(),
    polledAt: time('polled_at'),
    refusedAt: time('refused_at'),
    /** Set when a member has paired the frame. */
    frameId: uuid('frame_id')
      .unique()
      .references(() => frames.id, { onDelete: 'cascade' }),
    /** The token is issued only once. */
    tokenGivenAt: time('token_given_at'),
  },
  (table) => [
    index('frame_pairings_expiry').on(table.expiresAt),
    check('frame_pairings_decided', sql`${table.refusedAt} is null or ${table.frameId} is null`),
    check('frame_pairings_given', sql`${table.tokenGivenAt} is null or ${table.frameId} is not null`),
  ],
);

/** Wrong pairing codes that members entered, kept while they count. */
export const pairingMisses = pgTable(
  'pairing_misses',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (table) => [index('pairing_misses_user').on(table.userId, table.createdAt.desc())],
);

/** Events that are broadcast live. Their state follows from the clock. */
export const liveEvents = pgTable(
  'live_events',
  {
    id: uuid('id').primaryKey(),
    title: jsonb('title').$type<Localized>().notNull(),
    startsAt: time('starts_at').notNull(),
    endsAt: time('ends_at').notNull(),
    /** Members see it. */
    isActive: boolean('is_active').notNull().default(true),
    /** Every member may watch it; otherwise those whose plan has live viewing, and those who have the product. */
    isFreeView: boolean('is_free_view').notNull().default(false),
    productId: integer('product_id').references(() => products.id, { onDelete: 'set null' }),
    /** Object with the picture; null for one without. */
    coverKey: text('cover_key').references(() => objects.key, { onDelete: 'set null' }),
    createdAt: createdAt(),
    /** Can be undone for a limited time. */
    deletedAt: time('deleted_at'),
  },
  (table) => [
    index('live_events_start').on(table.startsAt, table.id),
    index('live_events_end').on(table.endsAt, table.id),
    index('live_events_deleted').on(table.deletedAt).where(sql`${table.deletedAt} is not null`),
    check('live_events_times', sql`${table.endsAt} > ${table.startsAt}`),
  ],
);

/** The cameras of an event, in the order of `position`. */
export const liveAngles = pgTable(
  'live_angles',
  {
    id: uuid('id').primaryKey(),
    eventId: uuid('event_id')
      .notNull()
      .references(() => liveEvents.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    name: jsonb('name').$type<Localized>().notNull(),
    /** As in the contract's `liveSource`. Never shown to members. */
    source: text('source').notNull(),
  },
  (table) => [index('live_angles_event').on(table.eventId, table.position)],
);

export const LIVE_ENDS = ['closed', 'replaced'] as const;

/** Views of events. A member has at most one that has not ended; what ended is kept for a day, to tell why. */
export const liveSessions = pgTable(
  'live_sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    eventId: uuid('event_id')
      .notNull()
      .references(() => liveEvents.id, { onDelete: 'cascade' }),
    /** The login that watches; a view ends with it. */
    sessionId: uuid('session_id').references(() => sessions.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    /** The last heartbeat. */
    seenAt: time('seen_at').notNull(),
    endedAt: time('ended_at'),
    end: text('end', { enum: LIVE_ENDS }),
  },
  (table) => [
    uniqueIndex('live_sessions_running').on(table.userId).where(sql`${table.endedAt} is null`),
    index('live_sessions_event').on(table.eventId, table.seenAt).where(sql`${table.endedAt} is null`),
    index('live_sessions_user').on(table.userId),
    index('live_sessions_login').on(table.sessionId).where(sql`${table.sessionId} is not null`),
    index('live_sessions_seen').on(table.seenAt),
    check('live_sessions_end', oneOf(table.end, LIVE_ENDS)),
    check('live_sessions_ended', sql`(${table.endedAt} is null) = (${table.end} is null)`),
  ],
);

/** Members who were asked for their year of birth. The year of one who was too young is not kept. */
export const ageChecks = pgTable(
  'age_checks',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    birthYear: integer('birth_year'),
    ageConfirmedAt: time('age_confirmed_at'),
    refusedAt: time('refused_at'),
  },
  (table) => [
    check('age_checks_confirmed', sql`(${table.birthYear} is null) = (${table.ageConfirmedAt} is null)`),
    check('age_checks_answer', sql`(${table.ageConfirmedAt} is null) <> (${table.refusedAt} is null)`),
  ],
);

/** What the local stand-ins of payment providers remember: one document each. Empty where real providers are set. */
export const sandboxState = pgTable('sandbox_state', {
  provider: text('provider').primaryKey(),
  state: jsonb('state').notNull(),
});
