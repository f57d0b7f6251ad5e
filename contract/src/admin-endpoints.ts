import { z } from 'zod';
import { adAdminApi } from './ad-endpoints.ts';
import {
  auditEntry,
  auditFilter,
  deviceTypeInput,
  managedDeviceType,
  managedFrame,
  managedFrameFilter,
  managedOrder,
  managedOrderFilter,
  memberDetail,
  memberFilter,
  memberRow,
  memberStorage,
  pinCodeBatch,
  reason,
  siteSettings,
  siteStatus,
  storageDefault,
  storageLimit,
} from './admin.ts';
import { defineEndpoint, HOUR_SECONDS, PASSWORD_TRIES } from './endpoint.ts';
import {
  announcement,
  depthModel,
  effectParam,
  engineStatus,
  fileDetails,
  maintenance,
  mediaType,
} from './entities.ts';
import { featureSwitches } from './features.ts';
import { cursor, email, id, shortName, shortText, smallId, smallIdText, time, typedPassword } from './fields.ts';
import { LIMITS } from './limits.ts';
import { liveAdminApi } from './live-admin-endpoints.ts';
import { mediaApi } from './media-endpoints.ts';
import { paymentAdminApi } from './payment-admin-endpoints.ts';
import { pointsAdminApi } from './points-admin-endpoints.ts';
import { shopAdminApi } from './shop-admin-endpoints.ts';

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
  depthModel: defineEndpoint({
    name: 'depthModel',
    method: 'GET',
    path: '/depthModel',
    summary: 'Returns whether the neural depth model is being fetched, in use, removed, or why not.',
    actors: ['admin'],
    output: depthModel,
  }),
  fetchDepthModel: defineEndpoint({
    name: 'fetchDepthModel',
    method: 'POST',
    path: '/fetchDepthModel',
    summary: 'Lets a worker fetch the neural depth model now: again after a failure, or anew after it was removed.',
    actors: ['admin'],
    output: depthModel,
    rateLimits: [{ by: 'user', max: 30, seconds: HOUR_SECONDS }],
  }),
  removeDepthModel: defineEndpoint({
    name: 'removeDepthModel',
    method: 'POST',
    path: '/removeDepthModel',
    summary: 'Removes the neural depth model; basic depth is used from the next picture on.',
    actors: ['admin'],
    output: depthModel,
    rateLimits: [{ by: 'user', max: 30, seconds: HOUR_SECONDS }],
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
  remakeMissing: defineEndpoint({
    name: 'remakeMissing',
    method: 'POST',
    path: '/remakeMissing',
    summary:
      'Searches in the background for finished pictures and videos whose cover, preview or files are lost, and converts them again.',
    actors: ['admin'],
    output: z.strictObject({}),
    rateLimits: [{ by: 'user', max: 6, seconds: HOUR_SECONDS }],
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

  // Device types and strengths
  managedDeviceTypes: defineEndpoint({
    name: 'managedDeviceTypes',
    method: 'GET',
    path: '/managedDeviceTypes',
    summary: 'Lists all device types in their order, inactive ones too.',
    actors: ['admin'],
    output: z.array(managedDeviceType),
  }),
  setDeviceType: defineEndpoint({
    name: 'setDeviceType',
    method: 'PUT',
    path: '/setDeviceType',
    summary:
      'Changes a device type, or adds one with the usual strengths. An inactive one can no longer be chosen; what was made for it stays. `ratio` and `extendResolution` must agree within 1 %; for the format quilt, both must be upright or both lie.',
    actors: ['admin'],
    input: deviceTypeInput,
    output: managedDeviceType,
    errors: ['unknownDeviceType'],
  }),
  managedEffects: defineEndpoint({
    name: 'managedEffects',
    method: 'GET',
    path: '/managedEffects',
    summary:
      'Lists all strengths of a device type, inactive ones too. 0 % belongs to every device type and is not listed.',
    actors: ['admin'],
    input: z.strictObject({ device_type_id: smallIdText }),
    output: z.array(effectParam),
    errors: ['unknownDeviceType'],
  }),
  setEffect: defineEndpoint({
    name: 'setEffect',
    method: 'PUT',
    path: '/setEffect',
    summary:
      'Changes the strength of a device type and media type with this percentage, or adds it. Finished conversions keep their strength.',
    actors: ['admin'],
    input: z.strictObject({
      device_type_id: smallId,
      media_type: mediaType,
      percent: z.int().min(1).max(100),
      is_activated: z.boolean(),
      vip_required: z.boolean(),
    }),
    output: effectParam,
    errors: ['unknownDeviceType'],
  }),

  // Frames
  managedFrames: defineEndpoint({
    name: 'managedFrames',
    method: 'GET',
    path: '/managedFrames',
    kind: 'list',
    summary: 'Lists the paired frames of all members, most recently paired first.',
    actors: ['admin'],
    input: managedFrameFilter.extend({ page }),
    output: managedFrame,
  }),
  managedFramesCsv: defineEndpoint({
    name: 'managedFramesCsv',
    method: 'GET',
    path: '/managedFramesCsv',
    kind: 'file',
    summary: 'Exports the same frames as CSV, safe to open in a spreadsheet. Recorded in the audit log.',
    actors: ['admin'],
    input: managedFrameFilter,
    output: z.unknown(),
  }),
  unpairMemberFrame: defineEndpoint({
    name: 'unpairMemberFrame',
    method: 'POST',
    path: '/unpairMemberFrame',
    summary: "Unpairs a member's frame. Its token is revoked at once; its owner is notified and can pair it again.",
    actors: ['admin'],
    input: byId,
    output: byId,
    errors: ['frameNotFound'],
  }),

  // Storage
  storageUse: defineEndpoint({
    name: 'storageUse',
    method: 'GET',
    path: '/storageUse',
    summary: 'Lists the members who store most, at most fifty, with what they use and may use in bytes.',
    actors: ['admin'],
    input: z.strictObject({ q: memberFilter.shape.q }),
    output: z.array(memberStorage),
  }),
  setStorageDefault: defineEndpoint({
    name: 'setStorageDefault',
    method: 'PUT',
    path: '/setStorageDefault',
    summary:
      'Sets the storage limit of all members without one of their own; null follows STORAGE_LIMIT_MB. Nothing is deleted: who stores more can upload no more.',
    actors: ['admin'],
    input: storageDefault,
    output: storageDefault,
  }),
  setUserStorage: defineEndpoint({
    name: 'setUserStorage',
    method: 'PUT',
    path: '/setUserStorage',
    summary: 'Sets the storage limit of one member in bytes; null follows the limit of all.',
    actors: ['admin'],
    input: z.strictObject({ id, limit: storageLimit.nullable() }),
    output: memberStorage,
    errors: ['userNotFound'],
  }),

  // Orders, and pictures taken on site
  managedOrders: defineEndpoint({
    name: 'managedOrders',
    method: 'GET',
    path: '/managedOrders',
    kind: 'list',
    summary: 'Lists the orders of all members without their pictures, of one kind or all, newest first.',
    actors: ['admin'],
    input: managedOrderFilter.extend({ page }),
    output: managedOrder,
  }),
  createOnSiteOrder: defineEndpoint({
    name: 'createOnSiteOrder',
    method: 'POST',
    path: '/createOnSiteOrder',
    summary: 'Creates an order of type 1 for a member, to which pictures and videos are then uploaded.',
    actors: ['admin'],
    input: z.strictObject({ email, name: shortName }),
    output: managedOrder,
    errors: ['userNotFound'],
  }),
  requestOnSiteUpload: defineEndpoint({
    name: 'requestOnSiteUpload',
    method: 'POST',
    path: '/requestOnSiteUpload',
    summary:
      "Returns presigned links to upload a file to an order of type 1, like requestUploadMedia. The file counts against its owner's storage and is cropped to the middle.",
    actors: ['admin'],
    input: z.strictObject({
      order_id: id,
      originalDetails: fileDetails,
      deviceType: smallId,
      media_type: mediaType,
      effect_param_id: smallId,
    }),
    output: mediaApi.requestUploadMedia.output,
    errors: [...mediaApi.requestUploadMedia.errors, 'noOrder'],
  }),
  finishOnSiteUpload: defineEndpoint({
    name: 'finishOnSiteUpload',
    method: 'POST',
    path: '/finishOnSiteUpload',
    summary: 'Reports that the file was PUT, like setMediaS3UploadFinish. It then belongs to the member.',
    actors: ['admin'],
    input: z.strictObject({ order_id: id, id }),
    output: managedOrder,
    errors: [...mediaApi.setMediaS3UploadFinish.errors, 'noOrder'],
  }),

  ...pointsAdminApi,
  ...paymentAdminApi,
  ...adAdminApi,
  ...liveAdminApi,
  ...shopAdminApi,

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
