import {
  ApiError,
  type api,
  ENTRY_TEXTS,
  type EntryKind,
  firstText,
  type InputOf,
  inEveryLanguage,
  LIMITS,
  type ManagedEntry,
  type OutputOf,
  type Translated,
} from '@framelift/contract';
import { signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import type { Tx } from '../../platform/db/open.ts';
import { DAY_MS } from '../../platform/time.ts';
import {
  countEntries,
  type EntryRow,
  findEntry,
  insertEntry,
  listEntryRows,
  listOrder,
  lockEntries,
  purgeEntries,
  updateEntry,
} from '../site/entry.sql.ts';
import { changedFields } from './changed-fields.ts';

/** How long a deletion can be undone. */
const UNDO_MS = DAY_MS;

/** Returns the entries of a kind in their order, hidden ones too. */
export async function listManagedEntries(
  { db }: Context,
  { kind }: InputOf<typeof api.managedEntries>,
): Promise<ManagedEntry[]> {
  return (await listEntryRows(db, { kind })).map(present);
}

/**
 * Changes an entry, or adds one at the end.
 * @throws ApiError `entryNotFound`; `changedMeanwhile` for a revision that is no longer the last; `tooManyEntries`
 */
export async function setEntry(
  context: Context,
  auditActor: AuditActor,
  input: InputOf<typeof api.setEntry>,
): Promise<ManagedEntry> {
  const { id, kind, revision, is_active: isActive } = input;
  const texts: Record<string, Translated> =
    input.kind === 'faq'
      ? { question: input.question, answer: input.answer }
      : { name: input.name, address: input.address, hours: input.hours, note: input.note };
  const mapUrl = input.kind === 'location' ? input.map_url : null;
  return context.db.transaction(async (tx) => {
    await lockEntries(tx);
    const before = id === null ? null : await findForChange(tx, id);
    if (before && before.kind !== kind) throw new ApiError('entryNotFound');
    if (before && before.revision !== revision) throw new ApiError('changedMeanwhile');
    if (!before && (await countEntries(tx, kind)) >= LIMITS.pages.entries) throw new ApiError('tooManyEntries');
    const changedAt = context.clock.now();
    const entryId = before?.id ?? context.ids.uuid();
    const old = before ? { ...before.texts, mapUrl: before.mapUrl, isActive: before.isActive } : {};
    const changes = changedFields(old, { ...texts, mapUrl, isActive });
    if (changes) {
      const change = { texts, mapUrl, isActive, changedAt, changedBy: signedIn(auditActor.actor).userId };
      if (before) await updateEntry(tx, entryId, { ...change, revision: before.revision + 1 });
      else await insertEntry(tx, { id: entryId, kind, ...change, revision: 1 });
      await writeAudit(context, tx, auditActor, { action: kind, target: nameOf(kind, texts), ...changes });
    }
    const [saved] = await listEntryRows(tx, { id: entryId });
    if (!saved) throw new ApiError('entryNotFound');
    return present(saved);
  });
}

/** Moves an entry before another one of its kind, or to the end. @throws ApiError `entryNotFound` */
export async function moveEntry(
  context: Context,
  auditActor: AuditActor,
  { id, before }: InputOf<typeof api.moveEntry>,
): Promise<OutputOf<typeof api.moveEntry>> {
  await context.db.transaction(async (tx) => {
    await lockEntries(tx);
    const { kind, texts } = await findForChange(tx, id);
    const order = await listOrder(tx, kind);
    const moved = order.filter((one) => one.id === id);
    const others = order.filter((one) => one.id !== id);
    const index = before === null ? others.length : others.findIndex((one) => one.id === before && !one.deletedAt);
    if (index < 0) throw new ApiError('entryNotFound');
    const next = others.toSpliced(index, 0, ...moved);
    const placeIn = (rows: typeof order) => rows.filter((one) => !one.deletedAt).findIndex((one) => one.id === id) + 1;
    const [from, to] = [placeIn(order), placeIn(next)];
    if (from === to) return;
    for (const [position, one] of next.entries())
      if (one.position !== position) await updateEntry(tx, one.id, { position });
    await writeAudit(context, tx, auditActor, {
      action: `${kind}.moved`,
      target: nameOf(kind, texts),
      before: { place: from },
      after: { place: to },
    });
  });
  return { id };
}

/** Deletes an entry; what was deleted more than a day ago is gone for good. @throws ApiError `entryNotFound` */
export async function deleteEntry(
  context: Context,
  auditActor: AuditActor,
  { id }: InputOf<typeof api.deleteEntry>,
): Promise<OutputOf<typeof api.deleteEntry>> {
  const now = context.clock.now();
  await context.db.transaction(async (tx) => {
    await lockEntries(tx);
    const { kind, texts } = await findForChange(tx, id);
    await purgeEntries(tx, new Date(now.getTime() - UNDO_MS));
    await updateEntry(tx, id, { deletedAt: now });
    await writeAudit(context, tx, auditActor, { action: `${kind}.deleted`, target: nameOf(kind, texts) });
  });
  return { id };
}

/** Undoes `deleteEntry` within a day, even if others have filled the list meanwhile. @throws ApiError `entryNotFound` */
export async function restoreEntry(
  context: Context,
  auditActor: AuditActor,
  { id }: InputOf<typeof api.restoreEntry>,
): Promise<OutputOf<typeof api.restoreEntry>> {
  const since = context.clock.now().getTime() - UNDO_MS;
  await context.db.transaction(async (tx) => {
    await lockEntries(tx);
    const entry = await findEntry(tx, id);
    if (!entry || (entry.deletedAt && entry.deletedAt.getTime() <= since)) throw new ApiError('entryNotFound');
    if (!entry.deletedAt) return;
    await updateEntry(tx, id, { deletedAt: null });
    const { kind, texts } = entry;
    await writeAudit(context, tx, auditActor, { action: `${kind}.restored`, target: nameOf(kind, texts) });
  });
  return { id };
}

async function findForChange(tx: Tx, id: string): Promise<EntryRow> {
  const entry = await findEntry(tx, id);
  if (!entry || entry.deletedAt) throw new ApiError('entryNotFound');
  return entry;
}

/** Returns by what the log names an entry: its question or name, in English where there is one. */
function nameOf(kind: EntryKind, texts: EntryRow['texts']): string {
  return firstText(texts[ENTRY_TEXTS[kind].required[0]] ?? {}, 'en')?.text ?? '';
}

function present({ row, changedBy }: Awaited<ReturnType<typeof listEntryRows>>[number]): ManagedEntry {
  const { id, kind, texts, mapUrl, isActive, revision, changedAt } = row;
  const text = (field: string) => {
    const { en = '', ...others } = texts[field] ?? {};
    return inEveryLanguage({ ...others, en }, '');
  };
  const managed = { id, revision, is_active: isActive, changed_at: changedAt.toISOString(), changed_by: changedBy };
  return kind === 'faq'
    ? { ...managed, kind, question: text('question'), answer: text('answer') }
    : {
        ...{ ...managed, kind, name: text('name'), address: text('address') },
        ...{ hours: text('hours'), note: text('note'), map_url: mapUrl },
      };
}
