import type { api, InputOf, Notification } from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Queries } from '../../platform/db/open.ts';
import { type Page, paged } from '../../platform/paging.ts';
import { findUser } from '../user/user.sql.ts';
import {
  exportNotifications,
  listNotificationRows,
  type NotificationRow,
  notificationFingerprints,
  setRead,
} from './notification.sql.ts';
import { type NotificationCode, notificationLink, notificationText } from './notification-text.ts';

/** Returns a page of the caller's notifications, newest first. @throws ApiError `invalidInput` for an invalid cursor */
export async function listNotifications(
  { db, clock }: Context,
  actor: Actor,
  input: InputOf<typeof api.notifications>,
): Promise<Page<Notification>> {
  const { userId } = signedIn(actor);
  const until = clock.now();
  const account = await accountName(db, userId);
  return paged({
    cursor: input.page,
    read: (request) => listNotificationRows(db, userId, { ...request, until }),
    positionOf: ({ releaseAt, id }) => ({ createdAt: releaseAt, id }),
    present: (rows) => rows.map((row) => present(row, actor, account)),
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

/** Returns what changes whenever the caller's notifications do, or which of them are read. */
export async function notificationsVersion({ db, clock }: Context, actor: Actor): Promise<string> {
  const { userId } = signedIn(actor);
  return (await notificationFingerprints(db, [userId], clock.now())).get(userId) ?? '';
}

export async function notificationsForExport({ db }: Context, actor: Actor): Promise<Notification[]> {
  const { userId } = signedIn(actor);
  const account = await accountName(db, userId);
  return (await exportNotifications(db, userId)).map((row) => present(row, actor, account));
}

async function accountName(db: Queries, userId: string): Promise<string> {
  const user = await findUser(db, userId);
  return user?.name || (user?.email ?? '');
}

function present(
  { id, kind, code, data, mediaId, releaseAt, readAt }: NotificationRow,
  actor: Actor,
  account: string,
): Notification {
  return {
    id,
    ...notificationText(code as NotificationCode, data, actor.language),
    release_at: releaseAt.toISOString(),
    kind,
    is_read: readAt !== null,
    account: data['sender'] ?? account,
    link: mediaId === null ? notificationLink(code as NotificationCode) : `/result/${mediaId}`,
    media_id: mediaId,
  };
}
