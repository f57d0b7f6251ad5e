import {
  API_BASE,
  ApiError,
  api,
  fillPath,
  type InputOf,
  inLanguage,
  LIMITS,
  type LiveEvent,
  type ParamsOf,
} from '@framelift/contract';
import { DateTime } from 'luxon';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { type Page, paged } from '../../platform/paging.ts';
import { dayInTaipei } from '../../platform/time.ts';
import { type OpenAsset, openObject } from '../media/deliver/asset.ts';
import { findCurrentPlan } from '../user/current-plan.sql.ts';
import {
  findEvent,
  type LiveAngleRow,
  type LiveEventRow,
  type LiveState,
  listAngles,
  listEventRows,
  listProductIdsOf,
  positionOf,
} from './live.sql.ts';

/** Events per page of a month: a calendar shows all of them. */
const MONTH_PAGE_SIZE = 100;

/**
 * Returns a page of events: of one state, of one month in Asia/Taipei, or those that run or are to come.
 * @throws ApiError `invalidInput` for an invalid cursor
 */
export async function listLiveEvents(
  context: Context,
  actor: Actor,
  { page, state, month }: InputOf<typeof api.liveEvents>,
): Promise<Page<LiveEvent>> {
  const { db, clock } = context;
  const now = clock.now();
  const between = month === undefined ? undefined : spanOf(month);
  const order = state === 'past' && !between ? 'newest' : 'oldest';
  return paged({
    cursor: page,
    ...(between && { size: MONTH_PAGE_SIZE }),
    read: (request) =>
      listEventRows(db, { state: state ?? (between ? undefined : 'open'), between, order }, now, request),
    positionOf,
    present: (rows) => presentEvents(context, actor, rows),
  });
}

/** Returns an event. @throws ApiError `liveEventNotFound` */
export async function getLiveEvent(
  context: Context,
  actor: Actor,
  { event_id }: ParamsOf<typeof api.liveEvent>,
): Promise<LiveEvent> {
  const [event] = await presentEvents(context, actor, [await getShownEvent(context, event_id)]);
  if (!event) throw new ApiError('liveEventNotFound');
  return event;
}

/** Opens the picture of an event. @throws ApiError `liveEventNotFound`, also without a picture */
export async function openLiveCover(
  context: Context,
  { event_id }: ParamsOf<typeof api.liveCover>,
): Promise<OpenAsset> {
  const { coverKey } = await getShownEvent(context, event_id);
  return openObject(context, coverKey ?? undefined, 'liveEventNotFound');
}

/** Returns an event that members see. @throws ApiError `liveEventNotFound` */
export async function getShownEvent({ db }: Context, id: string): Promise<LiveEventRow> {
  const event = await findEvent(db, id);
  if (!event?.isActive || event.deletedAt) throw new ApiError('liveEventNotFound');
  return event;
}

export function stateOf({ startsAt, endsAt }: LiveEventRow, now: Date): LiveState {
  if (startsAt > now) return 'upcoming';
  return endsAt > now ? 'live' : 'past';
}

/** Returns whether members can watch the event now: it runs, and nobody has taken it away. */
export function isRunning(event: LiveEventRow, now: Date): boolean {
  return event.isActive && !event.deletedAt && stateOf(event, now) === 'live';
}

/**
 * Returns a function that tells whether the plan or the products of the caller allow an event. Administrators may watch
 * everything, to see what they have set up.
 */
export async function admissionOf(
  { db, clock }: Context,
  { kind, userId }: Actor,
): Promise<(event: LiveEventRow) => boolean> {
  if (userId === null || kind === 'guest' || kind === 'unconfirmed') return () => false;
  if (kind === 'admin') return () => true;
  const now = clock.now();
  const plan = await findCurrentPlan(db, userId, now);
  const productIds = await listProductIdsOf(db, userId, now);
  return ({ isFreeView, productId }) =>
    isFreeView || plan?.live === true || (productId !== null && productIds.has(productId));
}

/** Returns events as members see them. */
export async function presentEvents(
  context: Context,
  actor: Actor,
  rows: readonly LiveEventRow[],
): Promise<LiveEvent[]> {
  if (rows.length === 0) return [];
  const now = context.clock.now();
  const admits = await admissionOf(context, actor);
  const angles = await listAngles(
    context.db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    title: inLanguage(row.title, actor.language),
    timestamp: row.startsAt.toISOString(),
    ends_at: row.endsAt.toISOString(),
    day: dayInTaipei(row.startsAt),
    state: stateOf(row, now),
    is_free_view: row.isFreeView,
    can_watch: admits(row),
    cover: coverUrl(row),
    angles: angles.filter(({ eventId }) => eventId === row.id).map((angle) => presentAngle(angle, actor)),
  }));
}

function presentAngle({ id, name }: LiveAngleRow, { language }: Actor) {
  return { id, name: inLanguage(name, language) };
}

/** Returns the URL of the picture, which changes with it; null without one. */
export function coverUrl({ id, coverKey }: LiveEventRow): string | null {
  if (!coverKey) return null;
  return `${API_BASE}${fillPath(api.liveCover.path, { event_id: id })}?v=${coverKey.slice(-12)}`;
}

/** Returns the beginning of a month in Asia/Taipei and of the next one. */
function spanOf(month: string): { from: Date; to: Date } {
  const from = DateTime.fromFormat(month, 'yyyy-MM', { zone: LIMITS.timeZone });
  return { from: from.toJSDate(), to: from.plus({ months: 1 }).toJSDate() };
}
