import type { api, InputOf, Notification } from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { type Page, paged } from '../../platform/paging.ts';
import { exportNotifications, listNotificationRows, type NotificationRow, setRead } from './notification.sql.ts';
import { type NotificationCode, notificationText } from './notification-text.ts';

/** Returns a page of the caller's notifications, newest first. @throws ApiError `invalidInput` for an invalid cursor */
export async function listNotifications(
  { db, clock }: Context,
  actor: Actor,
  input: InputOf<typeof api.notifications>,
): Promise<Page<Notification>> {
  const { userId } = signedIn(actor);
  const until = clock.now();
  return paged({
    cursor: input.page,
    read: (request) => listNotificationRows(db, userId, { ...request, until }),
    positionOf: ({ releaseAt, id }) => ({ createdAt: releaseAt, id }),
    present: (rows) => rows.map((row) => present(row, actor)),
  });
}

/** Marks notifications as read. Skips those of others and deleted ones: a page may be outdated. */
export async function readNotifications(
  { db, clock }: Context,
  actor: Actor,
  { ids }: InputOf<typeof api.readNotifications>,
): Promise<{ read: number }> {
  return { read: await setRead(db, signedIn(actor).userId, ids, clock.now()) };
}

export async function notificationsForExport({ db }: Context, actor: Actor): Promise<Notification[]> {
  return (await exportNotifications(db, signedIn(actor).userId)).map((row) => present(row, actor));
}

function present({ id, kind, code, data, mediaId, releaseAt, readAt }: NotificationRow, actor: Actor): Notification {
  return {
    id,
    ...notificationText(code as NotificationCode, data, actor.language),
    release_at: releaseAt.toISOString(),
    kind,
    is_read: readAt !== null,
    media_id: mediaId,
  };
}
