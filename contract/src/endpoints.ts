import { z } from 'zod';
import { accountApi } from './account-endpoints.ts';
import { MEMBERS, PEOPLE } from './actors.ts';
import { adApi } from './ad-endpoints.ts';
import { adminApi } from './admin-endpoints.ts';
import { broadcastApi } from './broadcast-endpoints.ts';
import { devApi } from './dev-endpoints.ts';
import { defineEndpoint } from './endpoint.ts';
import { album, deviceType, effectParam, mediaType, notification, order, publicConfig } from './entities.ts';
import { cursor, id, shortName, smallIdText, timeZone } from './fields.ts';
import { frameApi } from './frame-endpoints.ts';
import { friendApi } from './friend-endpoints.ts';
import { libraryApi, mediaIds } from './library-endpoints.ts';
import { LIMITS, ORDER_CATEGORIES } from './limits.ts';
import { liveApi } from './live-endpoints.ts';
import { mediaApi } from './media-endpoints.ts';
import { pageApi } from './page-endpoints.ts';
import { paymentApi } from './payment-endpoints.ts';
import { pointsApi } from './points-endpoints.ts';
import { shareApi } from './share-endpoints.ts';
import { shopApi } from './shop-endpoints.ts';
import { uploadLinkApi } from './upload-link-endpoints.ts';

const byId = z.strictObject({ id });

/** Every endpoint of the API. The server mounts exactly these. */
export const api = {
  config: defineEndpoint({
    name: 'config',
    method: 'GET',
    path: '/config',
    summary: 'What the web app must know before anybody is logged in.',
    actors: PEOPLE,
    output: publicConfig,
    openInMaintenance: true,
  }),

  ...accountApi,

  // Devices and effects
  getDeviceType: defineEndpoint({
    name: 'getDeviceType',
    method: 'POST',
    path: '/getDeviceType',
    summary: 'The kinds of display frames that pictures can be converted for, active ones only.',
    actors: PEOPLE,
    output: z.array(deviceType),
  }),
  effect_params: defineEndpoint({
    name: 'effect_params',
    method: 'GET',
    path: '/effect_params',
    kind: 'list',
    summary:
      'The strengths offered for a device type and media type: activated ones, 0 % first; VIP ones only to VIPs.',
    actors: PEOPLE,
    input: z.strictObject({
      device_type_id: smallIdText,
      media_type: z.enum(['0', '1']).transform(Number).pipe(mediaType),
    }),
    output: effectParam,
    errors: ['unknownDeviceType'],
  }),

  // Albums
  albums: defineEndpoint({
    name: 'albums',
    method: 'GET',
    path: '/albums',
    kind: 'list',
    summary:
      "The caller's albums, newest first, and those of the products that they have. What lies in one is answered by videos with `album`.",
    actors: MEMBERS,
    input: z.strictObject({ page: cursor.optional() }),
    output: album,
  }),
  album: defineEndpoint({
    name: 'album',
    method: 'GET',
    path: '/album/{id}',
    params: byId,
    summary: 'One album of the caller, or of a product that they have.',
    actors: MEMBERS,
    output: album,
    errors: ['albumNotFound'],
  }),
  albumCreate: defineEndpoint({
    name: 'albumCreate',
    method: 'POST',
    path: '/albumCreate',
    summary: 'Makes an empty album.',
    actors: MEMBERS,
    input: z.strictObject({ name: shortName }),
    output: album,
    errors: ['tooManyAlbums'],
  }),
  editToAlbum: defineEndpoint({
    name: 'editToAlbum',
    method: 'POST',
    path: '/editToAlbum',
    summary:
      "Renames an album, adds or removes the caller's pictures and videos, or chooses its cover among them; null is the newest. Idempotent; a single unknown media id changes nothing.",
    actors: MEMBERS,
    input: z.discriminatedUnion('editType', [
      z.strictObject({ id, editType: z.literal('rename'), name: shortName }),
      z.strictObject({ id, editType: z.literal('add'), media_ids: mediaIds }),
      z.strictObject({ id, editType: z.literal('delete'), media_ids: mediaIds }),
      z.strictObject({ id, editType: z.literal('cover'), media_id: id.nullable() }),
    ]),
    output: album,
    errors: ['albumNotFound', 'mediaNotFound', 'friendPicturesClosed'],
  }),
  deleteAlbum: defineEndpoint({
    name: 'deleteAlbum',
    method: 'POST',
    path: '/deleteAlbum',
    summary:
      'Deletes an album and keeps what lies in it. restoreAlbum undoes it for a day. The album of a product stays.',
    actors: MEMBERS,
    input: byId,
    output: byId,
    errors: ['albumNotFound', 'albumInProduct'],
  }),
  restoreAlbum: defineEndpoint({
    name: 'restoreAlbum',
    method: 'POST',
    path: '/restoreAlbum',
    summary: 'Undoes deleteAlbum within a day.',
    actors: MEMBERS,
    input: byId,
    output: album,
    errors: ['albumNotFound', 'tooManyAlbums'],
  }),

  // Orders
  orders: defineEndpoint({
    name: 'orders',
    method: 'GET',
    path: '/orders',
    kind: 'list',
    summary:
      "The caller's orders, newest first, and how many there are. `dt_condition` is a number of days, today being the last of them, in `time_zone`; without it all are listed.",
    actors: MEMBERS,
    input: z.strictObject({
      page: cursor.optional(),
      order_type: z.enum(Object.keys(ORDER_CATEGORIES) as (keyof typeof ORDER_CATEGORIES)[]).default('all'),
      dt_condition: z.literal(Object.values(LIMITS.orderDateDays).map((days) => `${days}` as const)).optional(),
      time_zone: timeZone.default(LIMITS.timeZone),
    }),
    output: order,
  }),
  order: defineEndpoint({
    name: 'order',
    method: 'GET',
    path: '/order/{id}',
    params: byId,
    summary: 'One order of the caller.',
    actors: MEMBERS,
    output: order,
    errors: ['noOrder'],
  }),

  ...mediaApi,
  ...libraryApi,
  ...shareApi,
  ...shopApi,

  // Notifications
  notifications: defineEndpoint({
    name: 'notifications',
    method: 'GET',
    path: '/notifications',
    kind: 'list',
    summary:
      'What the member was told: conversions, frames, friends, payments. Newest first, what is to be released later not at all. `page` is the position from links.next.',
    actors: MEMBERS,
    input: z.strictObject({ page: cursor.optional() }),
    output: notification,
  }),
  notificationEvents: defineEndpoint({
    name: 'notificationEvents',
    method: 'GET',
    path: '/notifications/events',
    kind: 'events',
    summary:
      'Server-sent events named `notifications`, at once and after every change: the version changes with what the list contains and with what is read.',
    actors: MEMBERS,
    output: z.strictObject({ version: z.string() }),
  }),
  readNotifications: defineEndpoint({
    name: 'readNotifications',
    method: 'POST',
    path: '/readNotifications',
    summary:
      'Marks notifications of the member as read; `read` counts those that were not. Ids that are not among them are passed over.',
    actors: MEMBERS,
    input: z.strictObject({ ids: z.array(id).min(1).max(LIMITS.readNotificationsAtOnce) }),
    output: z.strictObject({ read: z.int() }),
  }),

  ...broadcastApi,
  ...pageApi,
  ...friendApi,
  ...uploadLinkApi,
  ...frameApi,
  ...pointsApi,
  ...adApi,
  ...liveApi,
  ...paymentApi,
  ...adminApi,
  ...devApi,
} as const;

export type Api = typeof api;
export type EndpointName = keyof Api;
