import { ApiError, type api, type InputOf, type MemberDetail } from '@framelift/contract';
import { signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import type { Tx } from '../../platform/db/open.ts';
import { confirmMember } from '../account/confirmation.ts';
import { cancelConversionsOf } from '../media/lifecycle/ownership.ts';
import { deleteObjects } from '../media/results.ts';
import { requirePassword } from '../user/profile.ts';
import { deleteSessionsOf, findUserForUpdate, type UserRow, updateUser } from '../user/user.sql.ts';
import { isVipNow } from '../user/user.ts';
import { findMemberAndAdminsForUpdate } from './users.sql.ts';
import { getUserDetail } from './users.ts';

/** @throws ApiError `userNotFound` */
async function findMemberForUpdate(tx: Tx, id: string): Promise<UserRow> {
  const user = await findUserForUpdate(tx, id);
  if (user?.kind !== 'member') throw new ApiError('userNotFound');
  return user;
}

/**
 * Confirms an address like an emailed link does, or revokes the confirmation.
 * @throws ApiError `userNotFound`; `adminProtected`, as an unconfirmed administrator has no permissions
 */
export async function setUserConfirmed(
  context: Context,
  auditActor: AuditActor,
  { id, confirmed }: InputOf<typeof api.setUserConfirmed>,
): Promise<MemberDetail> {
  const unused: string[] = [];
  await context.db.transaction(async (tx) => {
    const user = await findMemberForUpdate(tx, id);
    const before = { confirmed: user.confirmedAt !== null };
    if (before.confirmed === confirmed) return;
    if (user.isAdmin) throw new ApiError('adminProtected');
    if (confirmed) unused.push(...(await confirmMember(context, tx, user)));
    else await updateUser(tx, id, { confirmedAt: null, unconfirmedAt: context.clock.now() });
    await writeAudit(context, tx, auditActor, {
      action: 'user.confirmed',
      subjectId: id,
      before,
      after: { confirmed },
    });
  });
  await deleteObjects(context, unused);
  return getUserDetail(context, { id });
}

/**
 * Restricts a member, or lifts the restriction. Sessions end and conversions are cancelled; files, points and the
 * account are kept.
 * @throws ApiError `userNotFound`; `adminProtected`, as an installation needs an administrator
 */
export async function setUserRestricted(
  context: Context,
  auditActor: AuditActor,
  { id, restricted, reason }: InputOf<typeof api.setUserRestricted>,
): Promise<MemberDetail> {
  await context.db.transaction(async (tx) => {
    const user = await findMemberForUpdate(tx, id);
    const before = { restricted: user.restrictedAt !== null };
    if (before.restricted === restricted) return;
    if (user.isAdmin) throw new ApiError('adminProtected');
    await updateUser(tx, id, { restrictedAt: restricted ? context.clock.now() : null });
    if (restricted) await deleteSessionsOf(tx, id);
    const after = reason === '' ? { restricted } : { restricted, reason };
    await writeAudit(context, tx, auditActor, { action: 'user.restricted', subjectId: id, before, after });
  });
  // Outside the transaction: recording a conversion locks its media and waits for the row of the member.
  if (restricted) await cancelConversionsOf(context, id);
  return getUserDetail(context, { id });
}

/** Makes a member a VIP until a time or without expiry, or ends it. @throws ApiError `userNotFound` */
export async function setUserVip(
  context: Context,
  auditActor: AuditActor,
  { id, vip, until }: InputOf<typeof api.setUserVip>,
): Promise<MemberDetail> {
  await context.db.transaction(async (tx) => {
    const user = await findMemberForUpdate(tx, id);
    const now = context.clock.now();
    const wasVip = isVipNow(user, now);
    const before = { vip: wasVip, until: wasVip ? (user.vipUntil?.toISOString() ?? null) : null };
    const after = { vip, until: vip ? until : null };
    if (before.vip === after.vip && before.until === after.until) return;
    await updateUser(tx, id, {
      vipAt: vip ? (wasVip ? user.vipAt : now) : null,
      vipUntil: after.until === null ? null : new Date(after.until),
    });
    await writeAudit(context, tx, auditActor, { action: 'user.vip', subjectId: id, before, after });
  });
  return getUserDetail(context, { id });
}

/**
 * Makes a member an administrator, or revokes that. Callers cannot change themselves, and must still be administrators:
 * if two revoke each other, the second call fails, so that one always remains.
 * @throws ApiError `passwordIncorrect`, `notYourself`, `userNotFound`, `notAllowed`, `accountNotReady`
 */
export async function setUserAdmin(
  context: Context,
  auditActor: AuditActor,
  { id, admin, password }: InputOf<typeof api.setUserAdmin>,
): Promise<MemberDetail> {
  const { userId } = signedIn(auditActor.actor);
  if (id === userId) throw new ApiError('notYourself');
  const { passwordHash } = await requirePassword(context, auditActor.actor, password);
  await context.db.transaction(async (tx) => {
    const rows = await findMemberAndAdminsForUpdate(tx, id);
    const user = rows.find((row) => row.id === id);
    const own = rows.find((row) => row.id === userId && row.isAdmin);
    if (!own) throw new ApiError('notAllowed');
    if (own.passwordHash !== passwordHash) throw new ApiError('passwordIncorrect');
    if (!user) throw new ApiError('userNotFound');
    const before = { admin: user.isAdmin };
    if (before.admin === admin) return;
    if (admin && (!user.confirmedAt || user.restrictedAt || user.deletionAt)) throw new ApiError('accountNotReady');
    await updateUser(tx, id, { isAdmin: admin });
    await writeAudit(context, tx, auditActor, { action: 'user.admin', subjectId: id, before, after: { admin } });
  });
  context.log.info({ by: userId, user: id, admin }, 'The administrators were changed');
  return getUserDetail(context, { id });
}

/** Ends every session of a member except the caller's own. @throws ApiError `userNotFound` */
export async function signOutUser(
  context: Context,
  auditActor: AuditActor,
  { id }: InputOf<typeof api.signOutUser>,
): Promise<{ ended: number }> {
  return context.db.transaction(async (tx) => {
    await findMemberForUpdate(tx, id);
    const ended = await deleteSessionsOf(tx, id, auditActor.actor.sessionId);
    await writeAudit(context, tx, auditActor, { action: 'user.signedOut', subjectId: id, after: { ended } });
    return { ended };
  });
}
