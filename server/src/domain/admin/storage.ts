import { ApiError, type api, type InputOf, LIMITS, type MemberStorage } from '@framelift/contract';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import type { Queries } from '../../platform/db/open.ts';
import { usageOfEach } from '../media/usage.ts';
import { findUserForUpdate, updateUser } from '../user/user.sql.ts';
import { listLargestMembers } from './operations.sql.ts';

type Row = Awaited<ReturnType<typeof listLargestMembers>>[number];

/** Returns the members who store most, with what they use of their limits. */
export async function listStorageUse(
  context: Context,
  { q }: InputOf<typeof api.storageUse>,
): Promise<MemberStorage[]> {
  const rows = await listLargestMembers(context.db, q, LIMITS.storageRows);
  const members = await present(context, context.db, rows);
  return members.sort((a, b) => b.used - a.used);
}

/** Sets a member's own limit; null follows the one of all. Nothing is deleted. @throws ApiError `userNotFound` */
export async function setUserStorage(
  context: Context,
  auditActor: AuditActor,
  { id, limit }: InputOf<typeof api.setUserStorage>,
): Promise<MemberStorage> {
  return context.db.transaction(async (tx) => {
    const user = await findUserForUpdate(tx, id);
    if (user?.kind !== 'member') throw new ApiError('userNotFound');
    const before = { limit: user.storageLimit };
    if (before.limit !== limit) {
      await updateUser(tx, id, { storageLimit: limit });
      await writeAudit(context, tx, auditActor, { action: 'storage.member', subjectId: id, before, after: { limit } });
    }
    const row = { id, name: user.name, email: user.email ?? '', ownLimit: limit };
    const [member] = await present(context, tx, [row]);
    if (!member) throw new Error('One member was presented as none');
    return member;
  });
}

async function present(context: Context, db: Queries, rows: readonly Row[]): Promise<MemberStorage[]> {
  const usage = await usageOfEach(context, db, rows);
  return rows.map((row) => ({ ...row, ...(usage.get(row.id) ?? { used: 0, limit: 0 }) }));
}
