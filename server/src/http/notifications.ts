import { api } from '@framelift/contract';
import { getNotifications, readNotifications } from '../domain/notification/notifications.ts';
import type { Mount } from './endpoint.ts';

export function mountNotifications(mount: Mount): void {
  mount(api.notifications, ({ context, actor, input }) => getNotifications(context, actor, input));
  mount(api.readNotifications, ({ context, actor, input }) => readNotifications(context, actor, input));
}
