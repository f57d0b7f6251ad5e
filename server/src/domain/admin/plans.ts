import {
  ApiError,
  type api,
  type InputOf,
  inEveryLanguage,
  LIMITS,
  type ManagedPlan,
  type OutputOf,
} from '@framelift/contract';
import { eq } from 'drizzle-orm';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import { plans } from '../../platform/db/schema.ts';
import { findLiveSubscription } from '../membership/membership.sql.ts';
import { endSubscription, giveComplimentaryPlan } from '../membership/subscriptions.ts';
import { findUserForUpdate } from '../user/user.sql.ts';
import { changedFields } from './changed-fields.ts';
import { findPlanForUpdate, insertPlan, listManagedPlanRows, updatePlan } from './shop.sql.ts';

/** Returns all plans but that of having none, archived ones too. */
export async function listManagedPlans({ db, clock }: Context): Promise<ManagedPlan[]> {
  return (await listManagedPlanRows(db, clock.now())).map(present);
}

/** Changes a plan for all who have it, or adds one. @throws ApiError `planNotFound` */
export async function setPlan(
  context: Context,
  auditActor: AuditActor,
  { id, archived, ...input }: InputOf<typeof api.setPlan>,
): Promise<ManagedPlan> {
  const { db, clock } = context;
  return db.transaction(async (tx) => {
    const { name, icon, content, points, live, storage_bytes: storageBytes, video_seconds: videoSeconds } = input;
    const before = id === null ? null : await findPlanForUpdate(tx, id);
    if (before === undefined) throw new ApiError('planNotFound');
    const archivedAt = archived ? (before?.archivedAt ?? clock.now()) : null;
    const values = { name, icon, content, points, live, storageBytes, videoSeconds, archivedAt };
    const planId = before?.id ?? (await insertPlan(tx, values));
    if (before) await updatePlan(tx, before.id, values);
    const changes = changedFields(before ?? {}, values);
    if (changes) await writeAudit(context, tx, auditActor, { action: 'plan', target: name.en, ...changes });
    const [row] = await listManagedPlanRows(tx, clock.now(), eq(plans.id, planId));
    if (!row) throw new ApiError('planNotFound');
    return present(row);
  });
}

/**
 * Gives a member a plan that nobody pays for, or takes it away.
 * @throws ApiError `userNotFound`, `planNotFound`; `alreadySubscribed` for a member who pays for a plan
 */
export async function giveUserPlan(
  context: Context,
  auditActor: AuditActor,
  { id: userId, plan_id: planId }: InputOf<typeof api.giveUserPlan>,
): Promise<OutputOf<typeof api.giveUserPlan>> {
  const none = LIMITS.planIds.nonMember;
  await context.db.transaction(async (tx) => {
    if ((await findUserForUpdate(tx, userId))?.kind !== 'member') throw new ApiError('userNotFound');
    if (planId !== null && !(await findPlanForUpdate(tx, planId))) throw new ApiError('planNotFound');
    const live = await findLiveSubscription(tx, userId, { kind: 'plan' });
    if (live && live.offerId !== null) throw new ApiError('alreadySubscribed');
    const before = live?.planId ?? null;
    if (before === planId) return;
    if (planId !== null) await giveComplimentaryPlan(context, tx, { userId, planId });
    else if (live) await endSubscription(context, tx, live.id);
    await writeAudit(context, tx, auditActor, {
      action: 'user.plan',
      subjectId: userId,
      before: { plan: before ?? none },
      after: { plan: planId ?? none },
    });
  });
  return { plan_id: planId ?? none };
}

function present({ plan, members }: Awaited<ReturnType<typeof listManagedPlanRows>>[number]): ManagedPlan {
  const { id, name, icon, content, points, storageBytes, videoSeconds, live, archivedAt } = plan;
  return {
    id,
    name: inEveryLanguage(name, ''),
    icon,
    content: inEveryLanguage(content, []),
    points,
    storage_bytes: storageBytes,
    video_seconds: videoSeconds,
    live,
    archived_at: archivedAt?.toISOString() ?? null,
    members,
  };
}
