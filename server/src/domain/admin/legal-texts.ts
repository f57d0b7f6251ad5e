import { ApiError, type api, type InputOf, LANGUAGES, type LegalVersion, type OutputOf } from '@framelift/contract';
import { signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import {
  findLegalForUpdate,
  findLegalText,
  insertLegalText,
  lastNumber,
  listLegalRows,
  setLegalWithdrawn,
} from '../site/legal.sql.ts';

/** Returns all versions of a legal text in every language, the latest first. */
export async function listLegalVersions(
  { db, clock }: Context,
  { kind }: InputOf<typeof api.legalVersions>,
): Promise<LegalVersion[]> {
  const now = clock.now();
  const inForce = await Promise.all(LANGUAGES.map(({ code }) => findLegalText(db, kind, code, now)));
  const current = new Set(inForce.map((row) => row?.id));
  return (await listLegalRows(db, kind)).map(({ row, publishedBy }) => ({
    id: row.id,
    kind: row.kind,
    language: row.language,
    number: row.number,
    content: row.content,
    in_force_from: row.inForceFrom.toISOString(),
    state: row.withdrawnAt
      ? 'withdrawn'
      : row.inForceFrom > now
        ? 'coming'
        : current.has(row.id)
          ? 'inForce'
          : 'earlier',
    published_at: row.publishedAt.toISOString(),
    published_by: publishedBy,
  }));
}

/** Publishes a version, in force from a time on. @throws ApiError `changedMeanwhile` if there is a later one */
export async function publishLegalText(
  context: Context,
  auditActor: AuditActor,
  { kind, language, content, in_force_from, after }: InputOf<typeof api.publishLegalText>,
): Promise<OutputOf<typeof api.publishLegalText>> {
  const publishedAt = context.clock.now();
  const id = context.ids.uuid();
  const inForceFrom = new Date(Math.max(publishedAt.getTime(), Date.parse(in_force_from)));
  const publishedBy = signedIn(auditActor.actor).userId;
  const number = after + 1;
  await context.db.transaction(async (tx) => {
    const isLast = (await lastNumber(tx, kind, language)) === after;
    const row = { id, kind, language, number, content, inForceFrom, publishedAt, publishedBy };
    if (!isLast || !(await insertLegalText(tx, row))) throw new ApiError('changedMeanwhile');
    await writeAudit(context, tx, auditActor, {
      action: 'legalText',
      target: `${kind} (${language})`,
      after: { number, from: inForceFrom.toISOString(), builtin: content === null },
    });
  });
  return { id };
}

/**
 * Withdraws a version before it comes into force, or brings it back.
 * @throws ApiError `entryNotFound`; `legalTextInForce` for one that is or was in force
 */
export async function withdrawLegalText(
  context: Context,
  auditActor: AuditActor,
  { id, withdrawn }: InputOf<typeof api.withdrawLegalText>,
): Promise<OutputOf<typeof api.withdrawLegalText>> {
  const now = context.clock.now();
  await context.db.transaction(async (tx) => {
    const row = await findLegalForUpdate(tx, id);
    if (!row) throw new ApiError('entryNotFound');
    const before = row.withdrawnAt !== null;
    if (before === withdrawn) return;
    if (row.inForceFrom <= now) throw new ApiError('legalTextInForce');
    await setLegalWithdrawn(tx, id, withdrawn ? now : null);
    await writeAudit(context, tx, auditActor, {
      action: 'legalText.withdrawn',
      target: `${row.kind} (${row.language})`,
      before: { withdrawn: before },
      after: { withdrawn, number: row.number },
    });
  });
  return { id };
}
