import { ApiError, LIMITS, type User } from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { eraseAuditReasons } from '../../platform/audit.ts';
import { deleteEmailsOf } from '../../platform/mail/send-email.ts';
import { DAY_MS } from '../../platform/time.ts';
import { unpairFramesOf } from '../frame/frames.ts';
import { removeMediaOf } from '../media/lifecycle/ownership.ts';
import { cancelPlanOf, stopChargesOf } from '../payment/subscribe.ts';
import { sendNotice } from '../user/mail-code.ts';
import { lockIfUnchanged, requirePassword } from '../user/profile.ts';
import {
  deleteSessionsOf,
  deleteUser,
  findUserForUpdate,
  listDeletable,
  updateUser,
  voidMailCodes,
} from '../user/user.sql.ts';
import { getUser } from '../user/user.ts';

const BATCH = 20;

/**
 * Ends every session, unpairs every frame and schedules the removal; notifies the member, who can undo it until then.
 * @throws ApiError `passwordIncorrect`
 */
export async function deleteAccount(
  context: Context,
  actor: Actor,
  input: { readonly password: string },
): Promise<{ deletion_at: string }> {
  const row = await requirePassword(context, actor, input.password);
  const now = context.clock.now();
  const deletionAt = await context.db.transaction(async (tx) => {
    const locked = await lockIfUnchanged(tx, row);
    // Became an administrator meanwhile, possibly the last one.
    if (locked.isAdmin) throw new ApiError('notAllowed');
    // The first request determines the time.
    const deletionAt = locked.deletionAt ?? new Date(now.getTime() + LIMITS.account.graceDays * DAY_MS);
    await updateUser(tx, row.id, { deletionAt });
    await deleteSessionsOf(tx, row.id);
    // Frames show pictures to anybody nearby; they must be paired again if the account is kept.
    await unpairFramesOf(tx, row.id);
    await voidMailCodes(tx, row.id, ['reset', 'email', 'export'], now);
    // Nothing is charged until then; whoever keeps the account can resume the plan.
    await cancelPlanOf(context, tx, row.id);
    await sendNotice(context, tx, row, 'accountDeletion');
    return deletionAt;
  });
  context.log.info({ userId: row.id, deletionAt }, 'A member asked for the account to be removed');
  return { deletion_at: deletionAt.toISOString() };
}

/** Undoes `deleteAccount` within its grace period. @throws ApiError `tokenExpired` after it */
export async function keepAccount(context: Context, actor: Actor): Promise<User> {
  const { userId } = signedIn(actor);
  await context.db.transaction(async (tx) => {
    const user = await findUserForUpdate(tx, userId);
    if (!user || (user.deletionAt && user.deletionAt <= context.clock.now())) throw new ApiError('tokenExpired');
    await updateUser(tx, userId, { deletionAt: null });
  });
  return getUser(context, actor);
}

/** Deletes the accounts whose grace period is over: media, sessions, emails and the account itself. */
export async function deleteRemovedAccounts(context: Context): Promise<void> {
  const { db, clock, log } = context;
  const failed: string[] = [];
  const next = () => listDeletable(db, clock.now(), failed, BATCH);
  for (let rows = await next(); rows.length > 0; rows = await next()) {
    for (const { id, email } of rows) {
      try {
        // While the providers can still be told whose subscription it is.
        await stopChargesOf(context, id);
        await removeMediaOf(context, id);
        await deleteEmailsOf(context, id, email);
        await deleteUser(db, id);
        log.info({ userId: id }, 'An account was removed');
      } catch (error) {
        // Continues with the other accounts; the next run retries this one.
        failed.push(id);
        log.error({ err: error, userId: id }, 'An account could not be removed');
      }
    }
  }
  await eraseAuditReasons(db);
}
