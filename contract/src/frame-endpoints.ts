import { z } from 'zod';
import { MEMBERS, PEOPLE } from './actors.ts';
import { defineEndpoint, HOUR_SECONDS, MINUTE_SECONDS } from './endpoint.ts';
import { cursor, id, shortName, time } from './fields.ts';
import { deviceState, frameCodes, frameIdentity, frameScreen, frameStart, pairedFrame, pairingCode } from './frames.ts';

const byId = z.strictObject({ id });
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
    output: pairedFrame,
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
    summary: 'Heartbeat of a frame, once a minute; returns its name.',
    actors: ['frame'],
    input: z.strictObject({ version: z.string().trim().min(1).max(40), screen: frameScreen }),
    output: frameIdentity.extend({ at: time }),
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
