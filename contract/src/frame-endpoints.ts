import { z } from 'zod';
import { MEMBERS, PEOPLE } from './actors.ts';
import { defineEndpoint, HOUR_SECONDS, MINUTE_SECONDS } from './endpoint.ts';
import { cursor, id, shortName, time } from './fields.ts';
import { deviceState, frameCodes, frameIdentity, frameScreen, frameStart, pairedFrame, pairingCode } from './frames.ts';

const byId = z.strictObject({ id });
const byCode = z.strictObject({ deviceId: pairingCode });

/**
 * Pairing a display frame with a member, in the shape of RFC 8628. A frame's token goes into the `Authorization` header
 * and opens the frame's own calls only; a session opens none of those.
 */
export const frameApi = {
  // The frame, before it is paired
  startFrame: defineEndpoint({
    name: 'startFrame',
    method: 'POST',
    path: '/frame/start',
    summary: 'A frame asks for a code to show, and for the secret with which it asks for its token (pollFrame).',
    actors: PEOPLE,
    input: frameStart,
    output: frameCodes,
    // Each call makes a row. A house full of frames asks for a new code every half hour each.
    rateLimits: [{ by: 'ip', max: 60, seconds: HOUR_SECONDS }],
  }),
  pollFrame: defineEndpoint({
    name: 'pollFrame',
    method: 'POST',
    path: '/frame/poll',
    summary:
      "The frame's token, once, when a member has paired it. Until then one of the errors of RFC 8628, section 3.5, as `code`; Retry-After is the interval to keep from then on. An unknown or used device_code is `expired_token`.",
    actors: PEOPLE,
    input: z.strictObject({ device_code: z.string().min(1).max(100) }),
    output: z.strictObject({
      access_token: z.string(),
      token_type: z.literal('Bearer'),
      frame: frameIdentity,
    }),
    errors: ['authorization_pending', 'slow_down', 'access_denied', 'expired_token'],
    // Nobody guesses a frame's secret; this only bounds the work.
    rateLimits: [{ by: 'ip', max: 600, seconds: MINUTE_SECONDS }],
  }),

  // The member
  findDevice: defineEndpoint({
    name: 'findDevice',
    method: 'GET',
    path: '/addDevice',
    summary:
      'The frame that waits with this code, or that the member has paired with it. Unknown, ended, refused codes and those of others are all the same. Five wrong ones in an hour and the sixth has to wait.',
    actors: MEMBERS,
    input: byCode,
    output: deviceState,
    errors: ['deviceNotFound'],
  }),
  addDevice: defineEndpoint({
    name: 'addDevice',
    method: 'POST',
    path: '/addDevice',
    summary:
      'Pairs the frame that waits with this code, once; of two members the first has it. Sent again by that member it answers the same frame. Wrong codes count as in findDevice.',
    actors: MEMBERS,
    input: byCode.extend({ name: shortName.optional() }),
    output: pairedFrame,
    errors: ['deviceNotFound', 'tooManyFrames'],
  }),
  refuseDevice: defineEndpoint({
    name: 'refuseDevice',
    method: 'POST',
    path: '/refuseDevice',
    summary: 'Ends a code that is not on a frame of the member: the frame is told, and shows another.',
    actors: MEMBERS,
    input: byCode,
    output: z.strictObject({}),
    errors: ['deviceNotFound'],
  }),
  frames: defineEndpoint({
    name: 'frames',
    method: 'GET',
    path: '/frames',
    kind: 'list',
    summary: "The member's frames, the one paired last first.",
    actors: MEMBERS,
    input: z.strictObject({ page: cursor.optional() }),
    output: pairedFrame,
  }),
  renameFrame: defineEndpoint({
    name: 'renameFrame',
    method: 'POST',
    path: '/renameFrame',
    summary: 'Gives a frame of the member another name.',
    actors: MEMBERS,
    input: byId.extend({ name: shortName }),
    output: pairedFrame,
    errors: ['frameNotFound'],
  }),
  unpairFrame: defineEndpoint({
    name: 'unpairFrame',
    method: 'POST',
    path: '/unpairFrame',
    summary: "Takes a frame off the member's list. Its token is worth nothing at once; it can be paired again.",
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
    summary: "The frame's own name and its owner's.",
    actors: ['frame'],
    output: frameIdentity,
    errors: ['accountRestricted'],
  }),
  frameHeartbeat: defineEndpoint({
    name: 'frameHeartbeat',
    method: 'POST',
    path: '/frame/heartbeat',
    summary: 'Once a minute a frame says that it is there, and learns what it is called.',
    actors: ['frame'],
    input: z.strictObject({ version: z.string().trim().min(1).max(40), screen: frameScreen }),
    output: frameIdentity.extend({ at: time }),
    errors: ['accountRestricted'],
  }),
  leaveFrame: defineEndpoint({
    name: 'leaveFrame',
    method: 'POST',
    path: '/frame/unpair',
    summary: 'Unpairs the frame itself, for somebody who stands before it.',
    actors: ['frame'],
    output: z.strictObject({}),
    errors: ['accountRestricted'],
  }),
} as const;
