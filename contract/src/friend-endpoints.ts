import { z } from 'zod';
import { MEMBERS } from './actors.ts';
import { DAY_SECONDS, defineEndpoint } from './endpoint.ts';
import { cursor, email, id, time } from './fields.ts';
import { LIMITS } from './limits.ts';

const byId = z.strictObject({ id });
/** Lists of friends: requests to the caller, requests by the caller, friends. */
const FRIEND_LISTS = ['received', 'sent', 'confirmed'] as const;

/**
 * Somebody as seen by the caller. None: `isSend` and `isConfirm` are false and `id` is null. Request sent: `isSend`.
 * Confirmed: `isConfirm`, whoever has asked. A request to the caller: `isReceived`.
 */
export const friend = z.strictObject({
  id: id.nullable(),
  target_user: z.strictObject({
    /** Empty until the friendship is confirmed, except of those who ask the caller. */
    name: z.string(),
    email: z.string(),
  }),
  isSend: z.boolean(),
  isConfirm: z.boolean(),
  isReceived: z.boolean(),
  date: time.nullable(),
});
export type Friend = z.output<typeof friend>;

/**
 * Friends. A request is addressed to an email address. No response and no time that one takes reveals whether the address
 * belongs to a member.
 */
export const friendApi = {
  friends: defineEndpoint({
    name: 'friends',
    method: 'GET',
    path: '/friends',
    kind: 'list',
    summary: "One list of the caller's friends and requests, newest first, and how many it has.",
    actors: MEMBERS,
    input: z.strictObject({ page: cursor.optional(), list: z.enum(FRIEND_LISTS).default('confirmed') }),
    output: friend,
  }),
  friend: defineEndpoint({
    name: 'friend',
    method: 'GET',
    path: '/friend',
    summary: 'The state between the caller and an address: none, request sent, confirmed, or a request to the caller.',
    actors: MEMBERS,
    input: z.strictObject({ email }),
    output: friend,
  }),
  addFriend: defineEndpoint({
    name: 'addFriend',
    method: 'POST',
    path: '/addFriend',
    summary:
      'Asks the owner of an address to become a friend, by email, member or not. If they have asked the caller, both are friends at once. Repeated, it changes nothing.',
    actors: MEMBERS,
    input: z.strictObject({ email }),
    output: friend,
    errors: ['friendIsYourself', 'tooManyFriends'],
    rateLimits: [{ by: 'user', max: LIMITS.friends.requestsPerDay, seconds: DAY_SECONDS }],
  }),
  confirmFriend: defineEndpoint({
    name: 'confirmFriend',
    method: 'POST',
    path: '/confirmFriend',
    summary: 'Accepts a request to the caller.',
    actors: MEMBERS,
    input: byId,
    output: friend,
    errors: ['friendNotFound', 'tooManyFriends'],
  }),
  refuseFriend: defineEndpoint({
    name: 'refuseFriend',
    method: 'POST',
    path: '/refuseFriend',
    summary:
      'Declines a request to the caller. The sender is not told, and their further requests do not arrive for some time.',
    actors: MEMBERS,
    input: byId,
    output: byId,
    errors: ['friendNotFound'],
  }),
  deleteFriend: defineEndpoint({
    name: 'deleteFriend',
    method: 'POST',
    path: '/deleteFriend',
    summary:
      'Cancels a request of the caller or ends a friendship. Permissions that depend on it end at once and for good. restoreFriend with the returned id undoes it.',
    actors: MEMBERS,
    input: byId,
    output: byId,
    errors: ['friendNotFound'],
  }),
  restoreFriend: defineEndpoint({
    name: 'restoreFriend',
    method: 'POST',
    path: '/restoreFriend',
    summary: 'Undoes deleteFriend or refuseFriend within a day.',
    actors: MEMBERS,
    input: byId,
    output: friend,
    errors: ['friendNotFound', 'tooManyFriends'],
  }),
} as const;
