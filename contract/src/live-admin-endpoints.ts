import { z } from 'zod';
import { defineEndpoint, MINUTE_SECONDS } from './endpoint.ts';
import { cursor, id, smallId, time, timeAnywhere } from './fields.ts';
import { LIMITS } from './limits.ts';
import { LIVE_STATES } from './live-endpoints.ts';
import { localizedTitle } from './shop.ts';

/** A folder of our own store. */
const FOLDER = /^store:live(\/[a-z0-9_-]+)+$/;

function isSource(text: string): boolean {
  if (FOLDER.test(text)) return true;
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password, hash } = new URL(text);
  return !username && !password && !hash;
}

/**
 * Where the pictures of an angle come from: the URL of an HLS playlist, or `store:live/…`, a folder of our store that holds
 * the playlist `index.m3u8` of a finished recording, which is played in a loop.
 */
export const liveSource = z
  .string()
  .trim()
  .max(2000)
  .refine(isSource, 'must be an address of http or https without a password, or store:live/ and a folder');

const managedAngle = z.strictObject({ id, name: localizedTitle, source: z.string() });

/**
 * What is wrong with a source: its server cannot be reached, answers with an error, or has nothing there; it is no HLS
 * playlist, or one without segments; there is no recording in the folder of our store.
 */
export const SOURCE_TROUBLES = [
  'unreachable',
  'refused',
  'missing',
  'noPlaylist',
  'noSegments',
  'noRecording',
] as const;

/** An event as operators see it. */
export const managedLiveEvent = z.strictObject({
  id,
  title: localizedTitle,
  starts_at: time,
  ends_at: time,
  state: z.enum(LIVE_STATES),
  /** Whether members see it. */
  is_active: z.boolean(),
  is_free_view: z.boolean(),
  /** A product whose buyers may watch it, in addition to the members of plans with live viewing. */
  product: z.strictObject({ id: smallId, name: localizedTitle }).nullable(),
  cover: z.string().nullable(),
  angles: z.array(managedAngle),
  /** Number of members who watch it now. */
  viewers: z.int(),
});
export type ManagedLiveEvent = z.output<typeof managedLiveEvent>;

export const liveSettings = z.strictObject({
  /** ISO 3166-1 codes of the countries from which events may be watched; null for all. */
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/, 'must be a code of two capital letters, like TW'))
    .min(1)
    .max(LIMITS.live.countries)
    .readonly()
    .nullable(),
});
export type LiveSettings = z.output<typeof liveSettings>;

const byId = z.strictObject({ id });

/** Live events in the administration. */
export const liveAdminApi = {
  managedLiveEvents: defineEndpoint({
    name: 'managedLiveEvents',
    method: 'GET',
    path: '/managedLiveEvents',
    kind: 'list',
    summary: 'Lists all events, the latest first, inactive ones too.',
    actors: ['admin'],
    input: z.strictObject({ page: cursor.optional(), state: z.enum(LIVE_STATES).optional() }),
    output: managedLiveEvent,
  }),
  managedLiveEvent: defineEndpoint({
    name: 'managedLiveEvent',
    method: 'GET',
    path: '/managedLiveEvent/{id}',
    params: byId,
    summary: 'Returns one event.',
    actors: ['admin'],
    output: managedLiveEvent,
    errors: ['liveEventNotFound'],
  }),
  setLiveEvent: defineEndpoint({
    name: 'setLiveEvent',
    method: 'PUT',
    path: '/setLiveEvent',
    summary:
      'Changes an event, or adds one. `angles` are all of its cameras in their order: those with an id are kept, others are added, and those left out are removed. `cover_media` is a picture of the caller whose cover becomes that of the event, null takes it away; without it, it stays. Who watches goes on watching, by the new rules.',
    actors: ['admin'],
    input: z
      .strictObject({
        id: id.nullable(),
        title: localizedTitle,
        starts_at: timeAnywhere,
        ends_at: timeAnywhere,
        is_active: z.boolean().default(true),
        is_free_view: z.boolean().default(false),
        product_id: smallId.nullable().default(null),
        cover_media: id.nullable().optional(),
        angles: z
          .array(z.strictObject({ id: id.nullable(), name: localizedTitle, source: liveSource }))
          .min(1)
          .max(LIMITS.live.angles),
      })
      .refine(({ starts_at, ends_at }) => Date.parse(ends_at) > Date.parse(starts_at), {
        path: ['ends_at'],
        message: 'must be after starts_at',
      }),
    output: managedLiveEvent,
    errors: ['liveEventNotFound', 'productNotFound', 'mediaNotFound', 'conversionFailed', 'liveSourceRefused'],
  }),
  checkLiveSource: defineEndpoint({
    name: 'checkLiveSource',
    method: 'POST',
    path: '/checkLiveSource',
    summary: 'Tries the source of an angle, as a viewer would: reads its playlist, and that of its first variant.',
    actors: ['admin'],
    input: z.strictObject({ source: liveSource }),
    output: z.strictObject({
      /** Null if it works. */
      trouble: z.enum(SOURCE_TROUBLES).nullable(),
      /** Status of HTTP with which its server refused; null if it did not. */
      status: z.int().nullable(),
      /** Number of qualities that it offers; 1 without a choice. */
      variants: z.int(),
      /** Whether its segments tell their time, so that angles can be kept together. */
      has_time: z.boolean(),
      /** Seconds of a segment at most. */
      segment_seconds: z.number(),
    }),
    errors: ['liveSourceRefused'],
    rateLimits: [{ by: 'user', max: 60, seconds: 10 * MINUTE_SECONDS }],
  }),
  deleteLiveEvent: defineEndpoint({
    name: 'deleteLiveEvent',
    method: 'POST',
    path: '/deleteLiveEvent',
    summary: 'Deletes an event; who watches it is told that it is over. restoreLiveEvent undoes it for a day.',
    actors: ['admin'],
    input: byId,
    output: byId,
    errors: ['liveEventNotFound'],
  }),
  restoreLiveEvent: defineEndpoint({
    name: 'restoreLiveEvent',
    method: 'POST',
    path: '/restoreLiveEvent',
    summary: 'Undoes deleteLiveEvent within a day.',
    actors: ['admin'],
    input: byId,
    output: managedLiveEvent,
    errors: ['liveEventNotFound'],
  }),
  liveSettings: defineEndpoint({
    name: 'liveSettings',
    method: 'GET',
    path: '/liveSettings',
    summary: 'Returns from which countries events may be watched.',
    actors: ['admin'],
    output: liveSettings,
  }),
  setLiveSettings: defineEndpoint({
    name: 'setLiveSettings',
    method: 'PUT',
    path: '/setLiveSettings',
    summary: 'Sets from which countries events may be watched; also for those who watch now.',
    actors: ['admin'],
    input: liveSettings,
    output: liveSettings,
  }),
} as const;
