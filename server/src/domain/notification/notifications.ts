import { type api, type InputOf, inLanguage, type Notification } from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Queries } from '../../platform/db/open.ts';
import { type Page, paged } from '../../platform/paging.ts';
import { findUser } from '../user/user.sql.ts';
import type { BroadcastRow } from './broadcast.sql.ts';
import {
  exportNotifications,
  listNotificationRows,
  type NotificationRow,
  notificationFingerprints,
  setRead,
} from './notification.sql.ts';
import { type NotificationCode, notificationLink, notificationText } from './notification-text.ts';

/** Who speaks in the notifications of operators. */
const SITE = 'Framelift';

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
    positionOf: ({ row }) => ({ createdAt: row.releaseAt, id: row.id }),
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

export async function notificationsForExport({ db, clock }: Context, actor: Actor): Promise<Notification[]> {
  const { userId } = signedIn(actor);
  const account = await accountName(db, userId);
  return (await exportNotifications(db, userId, clock.now())).map((row) => present(row, actor, account));
}

async function accountName(db: Queries, userId: string): Promise<string> {
  const user = await findUser(db, userId);
  return user?.name || (user?.email ?? '');
}

function present({ row, broadcast }: NotificationRow, actor: Actor, account: string): Notification {
  const { id, kind, mediaId, releaseAt, readAt } = row;
  return {
    id,
    ...(broadcast ? ofOperator(broadcast, actor) : ofServer(row, actor, account)),
    release_at: releaseAt.toISOString(),
    kind,
    is_read: readAt !== null,
    media_id: mediaId,
  };
}

type Told = Pick<Notification, 'title' | 'content' | 'account' | 'link'>;

function ofOperator({ title, content, link }: BroadcastRow, { language }: Actor): Told {
  return { title: inLanguage(title, language), content: inLanguage(content, language), account: SITE, link };
}

function ofServer({ code, data, mediaId }: NotificationRow['row'], { language }: Actor, account: string): Told {
  const known = code as NotificationCode;
  return {
    ...notificationText(known, data, language),
    account: data['sender'] ?? account,
    link: mediaId === null ? notificationLink(known) : `/result/${mediaId}`,
  };
}
