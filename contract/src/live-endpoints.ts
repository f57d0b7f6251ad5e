import { z } from 'zod';
import { MEMBERS, PEOPLE } from './actors.ts';
import { defineEndpoint, HOUR_SECONDS, MINUTE_SECONDS } from './endpoint.ts';
import { cursor, id, time } from './fields.ts';
import { LIMITS } from './limits.ts';

/** An event is `live` from its start until its end. */
export const LIVE_STATES = ['upcoming', 'live', 'past'] as const;

const angleName = z.strictObject({
  id,
  /** In the caller's language. */
  name: z.string(),
});

/** An event that is, will be or was broadcast. */
export const liveEvent = z.strictObject({
  id,
  /** In the caller's language. */
  title: z.string(),
  /** When it starts. */
  timestamp: time,
  ends_at: time,
  /** The date in Asia/Taipei on which it starts, `2026-11-29`. */
  day: z.iso.date(),
  state: z.enum(LIVE_STATES),
  /** Whether every member may watch it, without a plan. */
  is_free_view: z.boolean(),
  /**
   * Whether the plan or the products of the caller allow it; false for visitors and guests. The country and the age are
   * checked by watchLive.
   */
  can_watch: z.boolean(),
  /** URL of its picture, 16:9; null without one. */
  cover: z.string().nullable(),
  /** Its cameras in their order. */
  angles: z.array(angleName),
});
export type LiveEvent = z.output<typeof liveEvent>;

/** A running view of an event. */
export const liveSession = z.strictObject({
  id,
  event: liveEvent,
  /**
   * The cameras in their order. `manifest` is the URL of an HLS playlist on this server, for hls.js and for native players
   * alike. It stays the same as long as the session runs, twelve hours at most, and works for nobody else. The segments of all angles share their
   * boundaries where the broadcaster's do; EXT-X-PROGRAM-DATE-TIME tells which ones belong together.
   */
  angles: z.array(angleName.extend({ manifest: z.string() })),
  /** Seconds between two calls of liveHeartbeat. */
  heartbeat_seconds: z.int(),
  /** When the session lapses without another liveHeartbeat. */
  expires_at: time,
});
export type LiveSession = z.output<typeof liveSession>;

const bySession = z.strictObject({ id });
const byEvent = z.strictObject({ event_id: id });
/** Sealed by the server: the country, the expiry and the origin of this file for this session. */
const token = z.string().max(6000);
/** A player loads each angle's playlist and segments every two seconds, and more of them when it starts. */
const LIVE_FILES = [{ by: 'user', max: 3000, seconds: MINUTE_SECONDS }] as const;
const FILE_ERRORS = [
  'liveLinkInvalid',
  'liveLinkExpired',
  'liveSessionEnded',
  'liveSessionReplaced',
  'liveClosed',
  'liveEventNotRunning',
  'not_member_please_buy',
  'liveAbroad',
  'liveCountryUnknown',
  'liveFileNotFound',
  'liveSourceFailed',
] as const;

/** Endpoints for live events. */
export const liveApi = {
  liveEvents: defineEndpoint({
    name: 'liveEvents',
    method: 'GET',
    path: '/liveEvents',
    kind: 'list',
    summary:
      'Lists events: with `state` those that are to come, run or are over, without it those that run or are to come, the earliest first, past ones the latest first. With `month` (2026-11) all of which a part is in that month in Asia/Taipei, the earliest first, 100 a page.',
    actors: PEOPLE,
    input: z.strictObject({
      page: cursor.optional(),
      state: z.enum(LIVE_STATES).optional(),
      month: z
        .string()
        .regex(/^(19|[2-9]\d)\d\d-(0[1-9]|1[0-2])$/, 'must be a month like 2026-11')
        .optional(),
    }),
    output: liveEvent,
  }),
  liveEvent: defineEndpoint({
    name: 'liveEvent',
    method: 'GET',
    path: '/liveEvent/{event_id}',
    params: byEvent,
    summary: 'Returns one event.',
    actors: PEOPLE,
    output: liveEvent,
    errors: ['liveEventNotFound'],
  }),
  liveCover: defineEndpoint({
    name: 'liveCover',
    method: 'GET',
    path: '/liveEvent/{event_id}/cover',
    kind: 'file',
    params: byEvent,
    // A part of the URL that changes with the picture.
    input: z.strictObject({ v: z.string().max(64).optional() }),
    summary: 'Returns the picture of an event as JPEG.',
    actors: PEOPLE,
    output: z.unknown(),
    errors: ['liveEventNotFound'],
  }),
  liveAccess: defineEndpoint({
    name: 'liveAccess',
    method: 'GET',
    path: '/liveAccess',
    summary:
      'Returns whether live events may be watched from where the caller is, and whether their age is confirmed, before they try.',
    actors: MEMBERS,
    output: z.strictObject({
      /** ISO 3166-1 code of the country of the call; null where it is not known. */
      country: z.string().nullable(),
      is_country_allowed: z.boolean(),
      /** `unknown` was never asked; `refused` was too young. */
      age: z.enum(['unknown', 'confirmed', 'refused']),
      /** When confirmAge can be called again after it was refused; else null. */
      age_retry_at: time.nullable(),
    }),
  }),
  confirmAge: defineEndpoint({
    name: 'confirmAge',
    method: 'POST',
    path: '/confirmAge',
    summary:
      'Confirms once that the member is 18 or older. `had_birthday` tells whether their birthday of this year has passed; it matters only to those who turn 18 in this year. Too young: refused, and no other year is accepted for a day. Only the year and the time of the confirmation are stored. A member whose age is confirmed gets the same answer whatever they send.',
    actors: MEMBERS,
    input: z.strictObject({
      birth_year: z.int().min(LIMITS.live.earliestBirthYear).max(9998),
      had_birthday: z.boolean().default(false),
    }),
    output: z.strictObject({ age_confirmed_at: time }),
    errors: ['underAge'],
    rateLimits: [{ by: 'user', max: 20, seconds: HOUR_SECONDS }],
  }),
  watchLive: defineEndpoint({
    name: 'watchLive',
    method: 'POST',
    path: '/watchLive',
    summary:
      'Starts watching an event and returns the playlists of its angles. A member watches on one screen: a session that runs elsewhere ends, and its next liveHeartbeat or playlist is answered with liveSessionReplaced. Checked in this order: the event runs, the plan or a product allows it, the country, the age.',
    actors: MEMBERS,
    input: byEvent,
    output: liveSession,
    errors: [
      'liveEventNotFound',
      'liveClosed',
      'liveEventNotRunning',
      'not_member_please_buy',
      'liveAbroad',
      'liveCountryUnknown',
      'ageNotConfirmed',
      'underAge',
    ],
    rateLimits: [{ by: 'user', max: 60, seconds: 10 * MINUTE_SECONDS }],
  }),
  liveHeartbeat: defineEndpoint({
    name: 'liveHeartbeat',
    method: 'POST',
    path: '/liveSession/{id}/heartbeat',
    params: bySession,
    summary:
      'Keeps a session running; a player calls it every `heartbeat_seconds`. One that has lapsed runs again, unless the member watches elsewhere now. liveSessionReplaced: somebody watches with the account on another screen. liveSessionEnded: it was closed, has run for twelve hours, or the login that started it has ended; start anew.',
    actors: MEMBERS,
    output: z.strictObject({ expires_at: time }),
    errors: [
      'liveSessionNotFound',
      'liveSessionReplaced',
      'liveSessionEnded',
      'liveClosed',
      'liveEventNotRunning',
      'not_member_please_buy',
      'liveAbroad',
      'liveCountryUnknown',
    ],
    rateLimits: [{ by: 'user', max: 120, seconds: 10 * MINUTE_SECONDS }],
  }),
  endLive: defineEndpoint({
    name: 'endLive',
    method: 'POST',
    path: '/liveSession/{id}/end',
    params: bySession,
    summary: 'Ends a session when the player closes. Idempotent; a page that is left may send it with fetch keepalive.',
    actors: MEMBERS,
    output: z.strictObject({ id }),
    errors: ['liveSessionNotFound'],
  }),
  livePlaylist: defineEndpoint({
    name: 'livePlaylist',
    method: 'GET',
    path: '/live/{session}/{playlist}',
    kind: 'file',
    params: z.strictObject({ session: id, playlist: z.string().regex(/^[0-9a-f-]{36}\.m3u8$/) }),
    input: z.strictObject({ token }),
    summary:
      'Returns the HLS playlist of an angle, as given by watchLive. Needs the login that started the session. Its lines lead to signed paths of this server, each valid for a minute beyond its time in the playlist.',
    actors: MEMBERS,
    output: z.unknown(),
    errors: FILE_ERRORS,
    rateLimits: LIVE_FILES,
  }),
  liveSegment: defineEndpoint({
    name: 'liveSegment',
    method: 'GET',
    path: '/live/{session}/{angle}/{segment}',
    kind: 'file',
    params: z.strictObject({
      session: id,
      angle: id,
      segment: z.string().regex(/^[a-z0-9_-]{1,64}\.[a-z0-9]{2,4}$/),
    }),
    input: z.strictObject({ token }),
    summary: 'Returns a segment, an initialisation or a key of an angle, as its playlist names it.',
    actors: MEMBERS,
    output: z.unknown(),
    errors: FILE_ERRORS,
    rateLimits: LIVE_FILES,
  }),
  speedTest: defineEndpoint({
    name: 'speedTest',
    method: 'GET',
    path: '/speedTest',
    kind: 'file',
    summary:
      'Returns this many random bytes, which nothing on the way can compress or keep, to measure the speed of the connection. A measurement is a small call to warm up and two or three of 2 to 4 MB.',
    actors: MEMBERS,
    input: z.strictObject({
      bytes: z
        .string()
        .regex(/^\d{1,7}$/)
        .transform(Number)
        .pipe(z.int().min(1).max(LIMITS.stream.probeBytes)),
    }),
    output: z.unknown(),
    rateLimits: [
      { by: 'user', max: 30, seconds: 10 * MINUTE_SECONDS },
      { by: 'ip', max: 120, seconds: 10 * MINUTE_SECONDS },
    ],
  }),
} as const;
