import { z } from 'zod';
import { PEOPLE } from './actors.ts';
import { defineEndpoint } from './endpoint.ts';
import { cursor, email, id, time, timeAnywhere } from './fields.ts';
import { localizedText, localizedTitle } from './shop.ts';

/** Who receives a notification of the operator: all members, those of one role, or one member. */
export const AUDIENCES = ['all', 'vip', 'admin', 'one'] as const;
export const BROADCAST_KINDS = ['info', 'warning'] as const;

/** Path of a page of the web app, never of another site. */
const appPath = z
  .string()
  .max(300)
  .regex(/^\/(?![/\\])[\x21-\x7e]*$/, 'must be a path of this site');

const broadcastInput = z.strictObject({
  /** Made by the caller: a repeated call sends once. */
  id,
  audience: z.enum(AUDIENCES),
  /** Of the member, for the audience `one`. */
  email: email.optional(),
  kind: z.enum(BROADCAST_KINDS),
  title: localizedTitle,
  content: localizedText,
  link: appPath.nullable(),
  /** Shown from then on; a time that is past means now. */
  release_at: timeAnywhere,
});

/** A notification that the operator has sent or scheduled. */
export const broadcast = z.strictObject({
  ...broadcastInput.omit({ email: true, release_at: true }).shape,
  release_at: time,
  /** The receiver, for the audience `one`. */
  member: z.strictObject({ id, name: z.string(), email: z.string() }).nullable(),
  /** How many members got it, and how many of them have read it. */
  sent: z.int(),
  read: z.int(),
  withdrawn: z.boolean(),
});
export type Broadcast = z.output<typeof broadcast>;

/** A notification that everybody may read, in the language of the request. */
export const publicNotification = z.strictObject({
  id,
  title: z.string(),
  content: z.string(),
  release_at: time,
  kind: z.enum(BROADCAST_KINDS),
  link: z.string().nullable(),
});
export type PublicNotification = z.output<typeof publicNotification>;

export const broadcastApi = {
  publicNotifications: defineEndpoint({
    name: 'publicNotifications',
    method: 'GET',
    path: '/publicNotifications',
    kind: 'list',
    summary: 'What the operator told all members, newest first. `page` is the position from links.next.',
    actors: PEOPLE,
    input: z.strictObject({ page: cursor.optional() }),
    output: publicNotification,
  }),
  managedNotifications: defineEndpoint({
    name: 'managedNotifications',
    method: 'GET',
    path: '/managedNotifications',
    kind: 'list',
    summary: 'What the operator has sent or scheduled, newest first. `page` is the position from links.next.',
    actors: ['admin'],
    input: z.strictObject({ page: cursor.optional() }),
    output: broadcast,
  }),
  sendNotification: defineEndpoint({
    name: 'sendNotification',
    method: 'POST',
    path: '/sendNotification',
    summary: 'Sends a notification to the members there are now; they see it from `release_at` on.',
    actors: ['admin'],
    input: broadcastInput,
    output: z.strictObject({ sent: z.int() }),
    errors: ['userNotFound'],
  }),
  setNotificationWithdrawn: defineEndpoint({
    name: 'setNotificationWithdrawn',
    method: 'POST',
    path: '/setNotificationWithdrawn',
    summary: 'Hides a notification from everybody, or shows it again.',
    actors: ['admin'],
    input: z.strictObject({ id, withdrawn: z.boolean() }),
    output: z.strictObject({ withdrawn: z.boolean() }),
    errors: ['notificationNotFound'],
  }),
} as const;
