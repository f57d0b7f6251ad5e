import {
  ApiError,
  type api,
  type Broadcast,
  type InputOf,
  inEveryLanguage,
  inLanguage,
  type OutputOf,
  type PublicNotification,
} from '@framelift/contract';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import { type Page, paged } from '../../platform/paging.ts';
import { findMember } from '../user/user.sql.ts';
import {
  countReceivers,
  deliverBroadcast,
  findBroadcastForUpdate,
  insertBroadcast,
  listBroadcasts,
  listPublicBroadcasts,
  setWithdrawn,
} from './broadcast.sql.ts';

/**
 * Sends a notification of the operator to the members there are now. Repeatable: one id is sent once.
 * @throws ApiError `userNotFound` for the audience `one` without such a member
 */
export async function sendBroadcast(
  context: Context,
  auditActor: AuditActor,
  { id, audience, email, kind, title, content, link, release_at }: InputOf<typeof api.sendNotification>,
): Promise<OutputOf<typeof api.sendNotification>> {
  const now = context.clock.now();
  return context.db.transaction(async (tx) => {
    const member = audience === 'one' && email ? await findMember(tx, email) : undefined;
    if (audience === 'one' && !member) throw new ApiError('userNotFound');
    const releaseAt = new Date(Math.max(now.getTime(), Date.parse(release_at)));
    const userId = member?.id ?? null;
    const row = { id, audience, userId, kind, title, content, link, releaseAt, withdrawnAt: null, createdAt: now };
    if (await insertBroadcast(tx, row)) {
      await deliverBroadcast(tx, row, now);
      await writeAudit(context, tx, auditActor, {
        action: 'notification.sent',
        ...(userId !== null && { subjectId: userId }),
        target: title.en,
        after: { from: releaseAt.toISOString() },
      });
    }
    return { sent: await countReceivers(tx, id) };
  });
}

/** Hides what was sent, or shows it again. @throws ApiError `notificationNotFound` */
export async function setBroadcastWithdrawn(
  context: Context,
  auditActor: AuditActor,
  { id, withdrawn }: InputOf<typeof api.setNotificationWithdrawn>,
): Promise<OutputOf<typeof api.setNotificationWithdrawn>> {
  await context.db.transaction(async (tx) => {
    const row = await findBroadcastForUpdate(tx, id);
    if (!row) throw new ApiError('notificationNotFound');
    const before = row.withdrawnAt !== null;
    if (before === withdrawn) return;
    await setWithdrawn(tx, id, withdrawn ? context.clock.now() : null);
    await writeAudit(context, tx, auditActor, {
      action: 'notification.withdrawn',
      target: row.title.en,
      before: { withdrawn: before },
      after: { withdrawn },
    });
  });
  return { withdrawn };
}

/** Returns a page of what was sent or scheduled. @throws ApiError `invalidInput` for an invalid cursor */
export async function listManagedBroadcasts(
  { db }: Context,
  input: InputOf<typeof api.managedNotifications>,
): Promise<Page<Broadcast>> {
  return paged({
    cursor: input.page,
    read: (request) => listBroadcasts(db, request),
    positionOf: ({ row }) => ({ createdAt: row.releaseAt, id: row.id }),
    present: (rows) =>
      rows.map(({ row, member, sent, read }) => ({
        id: row.id,
        audience: row.audience,
        kind: row.kind,
        title: inEveryLanguage(row.title, ''),
        content: inEveryLanguage(row.content, ''),
        link: row.link,
        release_at: row.releaseAt.toISOString(),
        member: member && { ...member, email: member.email ?? '' },
        sent,
        read,
        withdrawn: row.withdrawnAt !== null,
      })),
  });
}

/** Returns a page of what everybody may read. @throws ApiError `invalidInput` for an invalid cursor */
export async function listPublicNotifications(
  { db, clock }: Context,
  { language }: Actor,
  input: InputOf<typeof api.publicNotifications>,
): Promise<Page<PublicNotification>> {
  const until = clock.now();
  return paged({
    cursor: input.page,
    read: (request) => listPublicBroadcasts(db, { ...request, until }),
    positionOf: ({ releaseAt, id }) => ({ createdAt: releaseAt, id }),
    present: (rows) =>
      rows.map(({ id, kind, title, content, link, releaseAt }) => ({
        id,
        title: inLanguage(title, language),
        content: inLanguage(content, language),
        release_at: releaseAt.toISOString(),
        kind,
        link,
      })),
  });
}
