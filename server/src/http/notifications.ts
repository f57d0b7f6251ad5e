import { listPublicNotifications } from '../domain/notification/broadcasts.ts';
import { listNotifications, readNotifications } from '../domain/notification/notifications.ts';
import type { Handlers } from './endpoint.ts';

export const notificationHandlers = {
  notifications: ({ context, actor, input }) => listNotifications(context, actor, input),
  readNotifications: ({ context, actor, input }) => readNotifications(context, actor, input),
  publicNotifications: ({ context, actor, input }) => listPublicNotifications(context, actor, input),
} satisfies Partial<Handlers>;
