import { z } from 'zod';
import {
  auditEntry,
  auditFilter,
  memberDetail,
  memberFilter,
  memberRow,
  pinCodeBatch,
  reason,
  siteSettings,
  siteStatus,
} from './admin.ts';
import { defineEndpoint, PASSWORD_TRIES } from './endpoint.ts';
import { announcement, engineStatus, maintenance } from './entities.ts';
import { featureSwitches } from './features.ts';
import { cursor, id, shortText, time, typedPassword } from './fields.ts';
import { LIMITS } from './limits.ts';

const byId = z.strictObject({ id });
const page = cursor.optional();

/** Admin endpoints. Every change is written to the audit log in the same transaction. */
export const adminApi = {
  engineStatus: defineEndpoint({
    name: 'engineStatus',
    method: 'GET',
    path: '/engineStatus',
    summary: 'Returns the conversion engine, its licence, self-test and versions, and the queue length.',
    actors: ['admin'],
    output: engineStatus,
  }),
  siteStatus: defineEndpoint({
    name: 'siteStatus',
    method: 'GET',
    path: '/siteStatus',
    summary: 'Returns the health of the site: services, members, waiting and failed work.',
    actors: ['admin'],
    output: siteStatus,
  }),

  // People
  users: defineEndpoint({
    name: 'users',
    method: 'GET',
    path: '/users',
    kind: 'list',
    summary: 'Lists members without guests, newest first. `page` is the cursor from links.next.',
    actors: ['admin'],
    input: memberFilter.extend({ page }),
    output: memberRow,
  }),
  usersCsv: defineEndpoint({
    name: 'usersCsv',
    method: 'GET',
    path: '/usersCsv',
    kind: 'file',
    summary: 'Exports the same members as CSV, safe to open in a spreadsheet. Recorded in the audit log.',
    actors: ['admin'],
    input: memberFilter,
    output: z.unknown(),
  }),
  userDetail: defineEndpoint({
    name: 'userDetail',
    method: 'GET',
    path: '/users/{id}',
    params: byId,
    summary: "Returns a member's details without credentials, pictures and videos.",
    actors: ['admin'],
    output: memberDetail,
    errors: ['userNotFound'],
  }),
  setUserConfirmed: defineEndpoint({
    name: 'setUserConfirmed',
    method: 'PUT',
    path: '/setUserConfirmed',
    summary: "Confirms a member's email address without an email, or revokes the confirmation.",
    actors: ['admin'],
    input: z.strictObject({ id, confirmed: z.boolean() }),
    output: memberDetail,
    errors: ['userNotFound', 'adminProtected'],
  }),
  setUserRestricted: defineEndpoint({
    name: 'setUserRestricted',
    method: 'PUT',
    path: '/setUserRestricted',
    summary:
      'Restricts a member or lifts the restriction. Restricting ends sessions, cancels conversions and makes logins return `accountRestricted`; all data is kept.',
    actors: ['admin'],
    input: z.strictObject({ id, restricted: z.boolean(), reason }),
    output: memberDetail,
    errors: ['userNotFound', 'adminProtected'],
  }),
  setUserVip: defineEndpoint({
    name: 'setUserVip',
    method: 'PUT',
    path: '/setUserVip',
    summary: 'Grants VIP until a given time or without limit, or revokes it.',
    actors: ['admin'],
    input: z.strictObject({ id, vip: z.boolean(), until: time.nullable().default(null) }),
    output: memberDetail,
    errors: ['userNotFound'],
  }),
  setUserAdmin: defineEndpoint({
    name: 'setUserAdmin',
    method: 'PUT',
    path: '/setUserAdmin',
    summary:
      "Grants or revokes admin rights. Requires the caller's password. Admins cannot change themselves, so one always remains.",
    actors: ['admin'],
    input: z.strictObject({ id, admin: z.boolean(), password: typedPassword }),
    output: memberDetail,
    errors: ['userNotFound', 'passwordIncorrect', 'notYourself', 'accountNotReady'],
    rateLimits: PASSWORD_TRIES,
  }),
  signOutUser: defineEndpoint({
    name: 'signOutUser',
    method: 'POST',
    path: '/signOutUser',
    summary: 'Ends every session of a member; for the caller, all but the current one.',
    actors: ['admin'],
    input: byId,
    output: z.strictObject({ ended: z.int() }),
    errors: ['userNotFound'],
  }),

  // Serial codes
  pinCodeBatches: defineEndpoint({
    name: 'pinCodeBatches',
    method: 'GET',
    path: '/pinCodeBatches',
    kind: 'list',
    summary: 'Lists batches of serial codes, newest first, with the number redeemed.',
    actors: ['admin'],
    input: z.strictObject({ page }),
    output: pinCodeBatch,
  }),
  createPinCodes: defineEndpoint({
    name: 'createPinCodes',
    method: 'POST',
    path: '/createPinCodes',
    summary: 'Creates a batch of VIP serial codes. They are returned only once, also as CSV, and stored as hashes.',
    actors: ['admin'],
    input: z.strictObject({
      count: z.int().min(1).max(LIMITS.pinCodes.perBatch),
      name: shortText.default(''),
      /** Time from which the codes can no longer be redeemed. */
      expires_at: time.nullable().default(null),
      /** Days of VIP per code; null is unlimited. */
      days: z.int().min(1).max(36_500).nullable().default(null),
    }),
    output: z.strictObject({ batch: pinCodeBatch, codes: z.array(z.string()), csv: z.string() }),
  }),
  setPinCodesRevoked: defineEndpoint({
    name: 'setPinCodesRevoked',
    method: 'PUT',
    path: '/setPinCodesRevoked',
    summary: 'Makes the unused codes of a batch useless, or good again. What was redeemed stays redeemed.',
    actors: ['admin'],
    input: z.strictObject({ id, revoked: z.boolean() }),
    output: pinCodeBatch,
    errors: ['batchNotFound'],
  }),

  // The whole site
  siteSettings: defineEndpoint({
    name: 'siteSettings',
    method: 'GET',
    path: '/siteSettings',
    summary: 'Maintenance, the announcement whether or not it is shown now, and the feature switches.',
    actors: ['admin'],
    output: siteSettings,
  }),
  setMaintenance: defineEndpoint({
    name: 'setMaintenance',
    method: 'PUT',
    path: '/setMaintenance',
    summary:
      'Switches maintenance mode: while it is on, everybody but admins is answered `maintenance`. The times are shown to people and decide nothing.',
    actors: ['admin'],
    input: maintenance,
    output: maintenance,
  }),
  setAnnouncement: defineEndpoint({
    name: 'setAnnouncement',
    method: 'PUT',
    path: '/setAnnouncement',
    summary: 'Puts up an announcement from one time to another, or takes it down with null.',
    actors: ['admin'],
    input: z.strictObject({ announcement: announcement.omit({ id: true }).nullable() }),
    output: z.strictObject({ announcement: announcement.nullable() }),
  }),
  setFeatures: defineEndpoint({
    name: 'setFeatures',
    method: 'PUT',
    path: '/setFeatures',
    summary:
      'Switches parts of the product: a whole preset, then the items named. Kept in the database, where it wins over the setting FEATURES; every process sees it within seconds.',
    actors: ['admin'],
    input: z.strictObject({
      preset: z.enum(['full', 'literal']).optional(),
      features: featureSwitches.partial().default({}),
    }),
    output: featureSwitches,
  }),

  // The log
  auditLog: defineEndpoint({
    name: 'auditLog',
    method: 'GET',
    path: '/auditLog',
    kind: 'list',
    summary: 'What administrators changed, newest first.',
    actors: ['admin'],
    input: auditFilter.extend({ page }),
    output: auditEntry,
  }),
  auditLogCsv: defineEndpoint({
    name: 'auditLogCsv',
    method: 'GET',
    path: '/auditLogCsv',
    kind: 'file',
    summary: 'The same lines as a CSV file, safe to open in a spreadsheet. Written to the log.',
    actors: ['admin'],
    input: auditFilter,
    output: z.unknown(),
  }),
} as const;
