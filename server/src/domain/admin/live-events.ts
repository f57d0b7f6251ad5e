import { isIP } from 'node:net';
import {
  ApiError,
  api,
  type InputOf,
  inEveryLanguage,
  LIMITS,
  type ManagedLiveEvent,
  type ParamsOf,
} from '@framelift/contract';
import { signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import { isPublicAddress } from '../../platform/countries.ts';
import type { Tx } from '../../platform/db/open.ts';
import { ADMIN_PAGE_SIZE, type Page, paged } from '../../platform/paging.ts';
import { coverUrl, stateOf } from '../live/events.ts';
import {
  countViewers,
  deleteAngles,
  findEvent,
  findEventForUpdate,
  insertAngle,
  insertEvent,
  type LiveEventRow,
  listAngles,
  listEventRows,
  listProductNames,
  positionOf,
  updateAngle,
  updateEvent,
} from '../live/live.sql.ts';
import { deleteOrphans } from '../media/asset.sql.ts';
import { DELETE_GRACE_MS } from '../media/lifecycle/lifecycle.ts';
import { deleteObjects, storeResults } from '../media/results.ts';
import { changedFields } from './changed-fields.ts';
import { storeCoverOf } from './cover-of-media.ts';
import { findProductForUpdate } from './shop.sql.ts';

/** Pixels of the picture of an event on its longer side: as wide as a card on a large screen with many pixels. */
const COVER_PX = 1280;

/** Returns a page of events, the latest first, inactive ones too. @throws ApiError `invalidInput` for an invalid cursor */
export function listManagedLiveEvents(
  context: Context,
  { page, state }: InputOf<typeof api.managedLiveEvents>,
): Promise<Page<ManagedLiveEvent>> {
  const { db, clock } = context;
  return paged({
    cursor: page,
    size: ADMIN_PAGE_SIZE,
    read: (request) => listEventRows(db, { state, withInactive: true, order: 'newest' }, clock.now(), request),
    positionOf,
    present: (rows) => present(context, rows),
  });
}

/** Returns an event. @throws ApiError `liveEventNotFound` */
export async function getManagedLiveEvent(
  context: Context,
  { id }: ParamsOf<typeof api.managedLiveEvent>,
): Promise<ManagedLiveEvent> {
  const row = await findEvent(context.db, id);
  const [event] = row && !row.deletedAt ? await present(context, [row]) : [];
  if (!event) throw new ApiError('liveEventNotFound');
  return event;
}

/**
 * Changes an event, or adds one.
 * @throws ApiError `liveEventNotFound`, also for an angle that is not one of the event; `productNotFound`;
 *   `liveSourceRefused` for a source in a private network; `mediaNotFound` for a picture that is not the caller's or has
 *   no cover yet; `conversionFailed`
 */
export async function setLiveEvent(
  context: Context,
  auditActor: AuditActor,
  { cover_media, ...input }: InputOf<typeof api.setLiveEvent>,
): Promise<ManagedLiveEvent> {
  for (const { source } of input.angles) refusePrivate(context, source);
  const orphans: string[] = [];
  const id = await storeResults(context, async (results) => {
    const how = { longest: COVER_PX, call: api.setLiveEvent, results };
    const coverKey = cover_media ? await storeCoverOf(context, auditActor, cover_media, how) : cover_media;
    return context.db.transaction(async (tx) => {
      // Pictures belong to whoever chose them; an event outlives their account, without it.
      if (coverKey) await results.save(tx, { id: '', ownerId: signedIn(auditActor.actor).userId });
      const values = {
        title: input.title,
        startsAt: new Date(input.starts_at),
        endsAt: new Date(input.ends_at),
        isActive: input.is_active,
        isFreeView: input.is_free_view,
        productId: input.product_id,
        ...(coverKey !== undefined && { coverKey }),
      };
      const before = input.id === null ? null : await findEventForUpdate(tx, input.id);
      if (before === undefined || before?.deletedAt) throw new ApiError('liveEventNotFound');
      if (values.productId !== null && !(await findProductForUpdate(tx, values.productId)))
        throw new ApiError('productNotFound');
      const eventId = before?.id ?? context.ids.uuid();
      if (before) await updateEvent(tx, eventId, values);
      else await insertEvent(tx, { id: eventId, ...values, createdAt: context.clock.now() });
      const angles = await setAngles(context, tx, eventId, input.angles);
      if (before?.coverKey && coverKey !== undefined) orphans.push(...(await deleteOrphans(tx, [before.coverKey])));
      const changes = changedFields({ ...before, angles: angles.before }, { ...values, angles: angles.after });
      if (changes)
        await writeAudit(context, tx, auditActor, { action: 'liveEvent', target: input.title.en, ...changes });
      return eventId;
    });
  });
  await deleteObjects(context, orphans);
  return getManagedLiveEvent(context, { id });
}

/** Deletes an event; its viewers are told with their next heartbeat. @throws ApiError `liveEventNotFound` */
export async function deleteLiveEvent(
  context: Context,
  auditActor: AuditActor,
  { id }: InputOf<typeof api.deleteLiveEvent>,
): Promise<{ id: string }> {
  await context.db.transaction(async (tx) => {
    const event = await findEventForUpdate(tx, id);
    if (!event || event.deletedAt) throw new ApiError('liveEventNotFound');
    await updateEvent(tx, id, { deletedAt: context.clock.now() });
    await writeAudit(context, tx, auditActor, { action: 'liveEvent.deleted', target: event.title.en });
  });
  return { id };
}

/** Undoes `deleteLiveEvent` within a day. @throws ApiError `liveEventNotFound` */
export async function restoreLiveEvent(
  context: Context,
  auditActor: AuditActor,
  { id }: InputOf<typeof api.restoreLiveEvent>,
): Promise<ManagedLiveEvent> {
  const since = context.clock.now().getTime() - DELETE_GRACE_MS;
  await context.db.transaction(async (tx) => {
    const event = await findEventForUpdate(tx, id);
    if (!event || (event.deletedAt && event.deletedAt.getTime() <= since)) throw new ApiError('liveEventNotFound');
    if (!event.deletedAt) return;
    await updateEvent(tx, id, { deletedAt: null });
    await writeAudit(context, tx, auditActor, { action: 'liveEvent.restored', target: event.title.en });
  });
  return getManagedLiveEvent(context, { id });
}

/** Writes the angles of an event in their order, and returns what changes. @throws ApiError `liveEventNotFound` */
async function setAngles(
  { ids }: Context,
  tx: Tx,
  eventId: string,
  angles: InputOf<typeof api.setLiveEvent>['angles'],
) {
  const told = ({ name, source }: { readonly name: { readonly en: string }; readonly source: string }) => ({
    name: name.en,
    // What follows the ? is often a key of the broadcaster.
    source: source.replace(/\?.*$/, '?…'),
  });
  const before = await listAngles(tx, [eventId]);
  const known = new Set(before.map(({ id }) => id));
  const kept = angles.flatMap(({ id }) => id ?? []);
  if (new Set(kept).size < kept.length || kept.some((id) => !known.has(id))) throw new ApiError('liveEventNotFound');
  await deleteAngles(
    tx,
    before.map(({ id }) => id).filter((id) => !kept.includes(id)),
  );
  for (const [position, { id, name, source }] of angles.entries()) {
    if (id === null) await insertAngle(tx, { id: ids.uuid(), eventId, position, name, source });
    else await updateAngle(tx, id, { position, name, source });
  }
  return { before: before.map(told), after: angles.map(told) };
}

/**
 * Refuses an address that is written as one of a private network. Names are looked up when they are read.
 * @throws ApiError `liveSourceRefused`
 */
function refusePrivate({ settings }: Context, source: string): void {
  if (settings.privateSources || !/^https?:/i.test(source)) return;
  const host = new URL(source).hostname.replace(/^\[|\]$/g, '');
  const isPrivate = isIP(host) ? !isPublicAddress(host) : /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i.test(host);
  if (isPrivate) throw new ApiError('liveSourceRefused');
}

async function present({ db, clock }: Context, rows: readonly LiveEventRow[]): Promise<ManagedLiveEvent[]> {
  if (rows.length === 0) return [];
  const now = clock.now();
  const ids = rows.map(({ id }) => id);
  const angles = await listAngles(db, ids);
  const products = await listProductNames(
    db,
    rows.flatMap(({ productId }) => productId ?? []),
  );
  const viewers = await countViewers(db, ids, new Date(now.getTime() - LIMITS.live.lapseSeconds * 1000));
  return rows.map((row) => {
    const product = products.find(({ id }) => id === row.productId);
    return {
      id: row.id,
      title: inEveryLanguage(row.title, ''),
      starts_at: row.startsAt.toISOString(),
      ends_at: row.endsAt.toISOString(),
      state: stateOf(row, now),
      is_active: row.isActive,
      is_free_view: row.isFreeView,
      product: product ? { id: product.id, name: inEveryLanguage(product.name, '') } : null,
      cover: coverUrl(row),
      angles: angles
        .filter(({ eventId }) => eventId === row.id)
        .map(({ id, name, source }) => ({ id, name: inEveryLanguage(name, ''), source })),
      viewers: viewers.get(row.id) ?? 0,
    };
  });
}
