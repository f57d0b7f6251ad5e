import { z } from 'zod';
import { MEMBERS, PEOPLE } from './actors.ts';
import { defineEndpoint, HOUR_SECONDS, MINUTE_SECONDS } from './endpoint.ts';
import { cursor, id, shortName, smallId, time } from './fields.ts';
import {
  deviceState,
  frameCodes,
  frameFeed,
  frameIdentity,
  frameItem,
  frameOptions,
  framePlaylist,
  frameReport,
  frameSender,
  frameStart,
  friendsFrame,
  ownFrame,
  pairedFrame,
  pairingCode,
} from './frames.ts';
import { LIMITS } from './limits.ts';

const byId = z.strictObject({ id });
const items = z.array(id).min(1).max(LIMITS.frames.items);
/** Changes of a list that a person makes by hand. */
const BY_HAND = [{ by: 'user', max: 600, seconds: 10 * MINUTE_SECONDS }] as const;
/** A house full of frames behind one address, each of which polls and is told of changes. */
const POLLED = [{ by: 'ip', max: 600, seconds: MINUTE_SECONDS }] as const;
const byCode = z.strictObject({ deviceId: pairingCode });

/**
 * Pairing of a display frame with a member according to RFC 8628. A frame's token is sent in the `Authorization` header
 * and is valid for the frame endpoints only; a user session is not valid for those.
 */
export const frameApi = {
  // The frame, before it is paired
  startFrame: defineEndpoint({
    name: 'startFrame',
    method: 'POST',
    path: '/frame/start',
    summary:
      'Starts pairing: returns the code that the frame shows and the secret with which it polls for its token (pollFrame).',
    actors: PEOPLE,
    input: frameStart,
    output: frameCodes,
    // Each call inserts a row. In a house full of frames, each requests a new code every half hour.
    rateLimits: [{ by: 'ip', max: 60, seconds: HOUR_SECONDS }],
  }),
  pollFrame: defineEndpoint({
    name: 'pollFrame',
    method: 'POST',
    path: '/frame/poll',
    summary:
      "Returns the frame's token, once, after a member has paired it. Until then an error of RFC 8628, section 3.5, as `code`; Retry-After is the polling interval to use from then on. An unknown or used device_code is `expired_token`.",
    actors: PEOPLE,
    input: z.strictObject({ device_code: z.string().min(1).max(100) }),
    output: z.strictObject({
      access_token: z.string(),
      token_type: z.literal('Bearer'),
      frame: frameIdentity,
    }),
    errors: ['authorization_pending', 'slow_down', 'access_denied', 'expired_token'],
    // The secret cannot be guessed; the limit only bounds the load.
    rateLimits: [{ by: 'ip', max: 600, seconds: MINUTE_SECONDS }],
  }),

  // The member
  findDevice: defineEndpoint({
    name: 'findDevice',
    method: 'GET',
    path: '/addDevice',
    summary:
      'Returns the frame that waits with this code, or that the member paired with it. Unknown, expired and refused codes and those of other members give the same error. After five wrong codes in an hour the next one has to wait.',
    actors: MEMBERS,
    input: byCode,
    output: deviceState,
    errors: ['deviceNotFound', 'pairingCodeExpired'],
  }),
  addDevice: defineEndpoint({
    name: 'addDevice',
    method: 'POST',
    path: '/addDevice',
    summary:
      'Pairs the frame that waits with this code; the first of two members gets it. Repeated by the same member it returns the same frame. Wrong codes count as in findDevice.',
    actors: MEMBERS,
    input: byCode.extend({ name: shortName.optional() }),
    output: pairedFrame,
    errors: ['deviceNotFound', 'pairingCodeExpired', 'tooManyFrames'],
  }),
  refuseDevice: defineEndpoint({
    name: 'refuseDevice',
    method: 'POST',
    path: '/refuseDevice',
    summary: 'Rejects a code that is not on a frame of the member; the frame then shows another one.',
    actors: MEMBERS,
    input: byCode,
    output: z.strictObject({}),
    errors: ['deviceNotFound', 'pairingCodeExpired'],
  }),
  frames: defineEndpoint({
    name: 'frames',
    method: 'GET',
    path: '/frames',
    kind: 'list',
    summary: "Lists the member's frames, most recently paired first.",
    actors: MEMBERS,
    input: z.strictObject({ page: cursor.optional() }),
    output: ownFrame,
  }),
  getFrame: defineEndpoint({
    name: 'getFrame',
    method: 'GET',
    path: '/frames/{id}',
    params: byId,
    summary: 'Returns a frame of the member, with what it shows now.',
    actors: MEMBERS,
    output: ownFrame,
    errors: ['frameNotFound'],
  }),
  frameItems: defineEndpoint({
    name: 'frameItems',
    method: 'GET',
    path: '/frames/{id}/items',
    params: byId,
    summary: 'Returns what a frame of the member plays, in order; of the frame of a friend what the caller sent there.',
    actors: MEMBERS,
    output: z.array(frameItem),
    errors: ['frameNotFound'],
  }),
  showOnFrame: defineEndpoint({
    name: 'showOnFrame',
    method: 'POST',
    path: '/showOnFrame',
    summary:
      'Adds pictures, videos and albums of the member to the end of what frames play: own ones, and those of friends who allowed it. What a frame has already stays where it is. A picture with another ratio is cropped again for the frame. A single unknown id changes nothing.',
    actors: MEMBERS,
    input: z
      .strictObject({
        frames: z.array(id).min(1).max(LIMITS.frames.count),
        media_ids: z.array(id).max(LIMITS.frames.items).default([]),
        album_ids: z.array(id).max(LIMITS.frames.items).default([]),
      })
      .refine(({ media_ids, album_ids }) => media_ids.length + album_ids.length > 0, 'needs something to show'),
    output: z.array(z.strictObject({ frame: id, items: z.array(id) })),
    errors: ['friendPicturesClosed', 'frameNotFound', 'mediaNotFound', 'albumNotFound', 'frameFull'],
    rateLimits: BY_HAND,
  }),
  moveFrameItem: defineEndpoint({
    name: 'moveFrameItem',
    method: 'POST',
    path: '/frames/{id}/move',
    params: byId,
    summary: 'Moves an item of a frame before another one, or to the end.',
    actors: MEMBERS,
    input: z.strictObject({ item: id, before: id.nullable() }),
    output: z.array(frameItem),
    errors: ['frameNotFound', 'frameItemNotFound'],
    rateLimits: BY_HAND,
  }),
  removeFrameItems: defineEndpoint({
    name: 'removeFrameItems',
    method: 'POST',
    path: '/frames/{id}/remove',
    params: byId,
    summary:
      'Removes items from a frame; restoreFrameItems undoes it for a day. From the frame of a friend the caller removes what they sent. Idempotent.',
    actors: MEMBERS,
    input: z.strictObject({ items }),
    output: z.strictObject({}),
    errors: ['frameNotFound', 'frameItemNotFound'],
    rateLimits: BY_HAND,
  }),
  restoreFrameItems: defineEndpoint({
    name: 'restoreFrameItems',
    method: 'POST',
    path: '/frames/{id}/restore',
    params: byId,
    summary: 'Undoes removeFrameItems within a day, in the old places.',
    actors: MEMBERS,
    input: z.strictObject({ items }),
    output: z.strictObject({}),
    errors: ['frameNotFound', 'frameItemNotFound', 'frameFull'],
    rateLimits: BY_HAND,
  }),
  retryFrameItems: defineEndpoint({
    name: 'retryFrameItems',
    method: 'POST',
    path: '/frames/{id}/retry',
    params: byId,
    summary: 'Tries again to make the files of the failed items of a frame.',
    actors: MEMBERS,
    output: z.strictObject({}),
    errors: ['frameNotFound'],
    rateLimits: [{ by: 'user', max: 60, seconds: 10 * MINUTE_SECONDS }],
  }),
  fitFrameItem: defineEndpoint({
    name: 'fitFrameItem',
    method: 'POST',
    path: '/frames/{id}/fit',
    params: byId,
    summary: "Fits an item into the screen or fills the screen with it; null follows the frame's option.",
    actors: MEMBERS,
    input: z.strictObject({ item: id, fit: frameOptions.shape.fit.nullable() }),
    output: z.strictObject({}),
    errors: ['frameNotFound', 'frameItemNotFound'],
    rateLimits: BY_HAND,
  }),
  setFrameOptions: defineEndpoint({
    name: 'setFrameOptions',
    method: 'POST',
    path: '/frames/{id}/options',
    params: byId,
    summary: 'Changes how a frame of the member plays; omitted options stay.',
    actors: MEMBERS,
    input: frameOptions.partial(),
    output: ownFrame,
    errors: ['frameNotFound', 'calibrationMissing'],
    rateLimits: BY_HAND,
  }),
  setFrameDevice: defineEndpoint({
    name: 'setFrameDevice',
    method: 'POST',
    path: '/frames/{id}/device',
    params: byId,
    summary:
      'Sets the type of device that a frame is, and the mode of that type. Null is a screen of any size that plays everything as it is.',
    actors: MEMBERS,
    input: z.strictObject({ device_type_id: smallId.nullable() }),
    output: ownFrame,
    errors: ['frameNotFound', 'unknownDeviceType'],
    rateLimits: BY_HAND,
  }),
  setFrameCalibration: defineEndpoint({
    name: 'setFrameCalibration',
    method: 'POST',
    path: '/frames/{id}/calibration',
    params: byId,
    summary:
      'Stores the calibration of a light field (the text of its visual.json), with which the frame plays in the mode `native`. Null removes it.',
    actors: MEMBERS,
    input: z.strictObject({ calibration: z.string().min(1).max(LIMITS.calibrationCharacters).nullable() }),
    output: ownFrame,
    errors: ['frameNotFound', 'calibrationInvalid', 'calibrationOfOther'],
    rateLimits: BY_HAND,
  }),
  frameSenders: defineEndpoint({
    name: 'frameSenders',
    method: 'GET',
    path: '/frames/{id}/senders',
    params: byId,
    summary: "Returns the member's friends, and who of them may send pictures to this frame.",
    actors: MEMBERS,
    output: z.array(frameSender),
    errors: ['frameNotFound'],
  }),
  setFrameSender: defineEndpoint({
    name: 'setFrameSender',
    method: 'POST',
    path: '/frames/{id}/senders',
    params: byId,
    summary:
      'Allows a friend to send pictures to a frame, or withdraws it: what the friend sent there disappears at once.',
    actors: MEMBERS,
    input: z.strictObject({ friend: id, allowed: z.boolean() }),
    output: z.array(frameSender),
    errors: ['frameNotFound', 'friendNotFound'],
    rateLimits: BY_HAND,
  }),
  framesOfFriends: defineEndpoint({
    name: 'framesOfFriends',
    method: 'GET',
    path: '/framesOfFriends',
    summary: 'Returns the frames of friends to which the member may send pictures.',
    actors: MEMBERS,
    output: z.array(friendsFrame),
  }),
  renameFrame: defineEndpoint({
    name: 'renameFrame',
    method: 'POST',
    path: '/renameFrame',
    summary: 'Renames a frame of the member.',
    actors: MEMBERS,
    input: byId.extend({ name: shortName }),
    output: pairedFrame,
    errors: ['frameNotFound'],
  }),
  unpairFrame: defineEndpoint({
    name: 'unpairFrame',
    method: 'POST',
    path: '/unpairFrame',
    summary: 'Unpairs a frame of the member. Its token is revoked at once; the frame can be paired again.',
    actors: MEMBERS,
    input: byId,
    output: byId,
    errors: ['frameNotFound'],
  }),

  // The frame, once it is paired
  thisFrame: defineEndpoint({
    name: 'thisFrame',
    method: 'GET',
    path: '/frame',
    summary: "Returns the frame's name and its owner's.",
    actors: ['frame'],
    output: frameIdentity,
    errors: ['accountRestricted'],
  }),
  frameHeartbeat: defineEndpoint({
    name: 'frameHeartbeat',
    method: 'POST',
    path: '/frame/heartbeat',
    summary:
      'Heartbeat of a frame, once a minute, with what it shows, has shown, and could not show; returns its name.',
    actors: ['frame'],
    input: frameReport,
    output: frameIdentity.extend({ at: time }),
    errors: ['accountRestricted'],
  }),
  framePlaylist: defineEndpoint({
    name: 'framePlaylist',
    method: 'GET',
    path: '/frame/playlist',
    kind: 'versioned',
    summary:
      'Returns what the frame plays, with expiring links. Answers 304 to If-None-Match with the ETag of the present version; before `expires_at` a frame asks without it to get new links.',
    actors: ['frame'],
    output: framePlaylist,
    errors: ['accountRestricted'],
    rateLimits: POLLED,
  }),
  frameFeed: defineEndpoint({
    name: 'frameFeed',
    method: 'GET',
    path: '/frame/feed',
    kind: 'versioned',
    summary:
      'Returns what the frame plays as a feed for other players: one file an item, with an absolute link, its size, type and checksum. ETag and If-None-Match as for framePlaylist. docs/frames.md is the guide.',
    actors: ['frame'],
    output: frameFeed,
    errors: ['accountRestricted'],
    rateLimits: POLLED,
  }),
  frameEvents: defineEndpoint({
    name: 'frameEvents',
    method: 'GET',
    path: '/frame/events',
    kind: 'events',
    summary:
      'Server-sent events: `playlist` with the version of the playlist, at once and after every change, and `unpaired`, after which the stream ends.',
    actors: ['frame'],
    output: z.strictObject({ version: z.string() }),
    errors: ['accountRestricted'],
  }),
  leaveFrame: defineEndpoint({
    name: 'leaveFrame',
    method: 'POST',
    path: '/frame/unpair',
    summary: 'Unpairs the calling frame, for a person in front of it.',
    actors: ['frame'],
    output: z.strictObject({}),
    errors: ['accountRestricted'],
  }),
} as const;
