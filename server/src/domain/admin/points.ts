import { ApiError, type api, type InputOf, type OutputOf, type PointEntry } from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import type { Page } from '../../platform/paging.ts';
import { findPointEntry } from '../points/points.sql.ts';
import { changePoints, pageOfEntries } from '../points/points.ts';
import { findUser, findUserForUpdate } from '../user/user.sql.ts';

/** Returns a page of the changes of a member's points. @throws ApiError `userNotFound`, `invalidInput` */
export async function listUserPointEntries(
  context: Context,
  { language }: Actor,
  { id }: { readonly id: string },
  input: InputOf<typeof api.userPointEntries>,
): Promise<Page<PointEntry>> {
  const user = await findUser(context.db, id);
  if (user?.kind !== 'member') throw new ApiError('userNotFound');
  return pageOfEntries(context, id, input, language);
}

/**
 * Adds points to a member or takes them away. Repeatable: a correction counts once.
 * @throws ApiError `userNotFound`; `notEnoughPoints`, `notEnoughFreePoints` if the member has fewer
 */
export async function correctPoints(
  context: Context,
  auditActor: AuditActor,
  { id: reference, userId, kind, amount, note }: InputOf<typeof api.correctPoints>,
): Promise<OutputOf<typeof api.correctPoints>> {
  return context.db.transaction(async (tx) => {
    const user = await findUserForUpdate(tx, userId);
    if (user?.kind !== 'member') throw new ApiError('userNotFound');
    const key = { userId, kind, reason: 'correction', reference } as const;
    if (!(await findPointEntry(tx, key))) {
      const actorId = signedIn(auditActor.actor).userId;
      const balance = await changePoints(context, tx, { ...key, amount, note, actorId });
      await writeAudit(context, tx, auditActor, {
        action: 'points.corrected',
        subjectId: userId,
        before: { [kind]: user[kind] },
        after: { [kind]: balance, reason: note },
      });
    }
    const { points, freePoints } = (await findUser(tx, userId)) ?? user;
    return { points, freePoints };
  });
}
