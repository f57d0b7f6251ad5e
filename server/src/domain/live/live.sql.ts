import type { LIVE_STATES } from '@framelift/contract';
import { and, count, eq, gt, inArray, isNotNull, isNull, lt, lte, type SQL } from 'drizzle-orm';
import type { Queries, Tx } from '../../platform/db/open.ts';
import { ageChecks, liveAngles, liveEvents, liveSessions, products, subscriptions } from '../../platform/db/schema.ts';
import {
  afterOldPosition,
  afterPosition,
  type ListPosition,
  newestFirst,
  oldestFirst,
  type PageRequest,
} from '../../platform/paging.ts';
import { isCurrent } from '../user/current-plan.sql.ts';

export type LiveEventRow = typeof liveEvents.$inferSelect;
export type LiveAngleRow = typeof liveAngles.$inferSelect;
export type LiveSessionRow = typeof liveSessions.$inferSelect;
export type AgeCheckRow = typeof ageChecks.$inferSelect;
export type LiveState = (typeof LIVE_STATES)[number];

/** A place in the list: events are sorted by their start. */
export const positionOf = ({ startsAt, id }: LiveEventRow): ListPosition => ({ createdAt: startsAt, id });

const { startsAt, endsAt } = liveEvents;

function inState(state: EventFilter['state'], now: Date): SQL | undefined {
  switch (state) {
    case 'open':
      return gt(endsAt, now);
    case 'upcoming':
      return gt(startsAt, now);
    case 'live':
      return and(lte(startsAt, now), gt(endsAt, now));
    case 'past':
      return lte(endsAt, now);
    case undefined:
      return undefined;
  }
}

export interface EventFilter {
  /** `open` are those that run or are to come. */
  readonly state: LiveState | 'open' | undefined;
  /** Also those that members do not see; deleted ones are never listed. */
  readonly withInactive?: boolean;
  /** Those of which a part is in this time, whose end is excluded. */
  readonly between?: { readonly from: Date; readonly to: Date } | undefined;
  readonly order: 'oldest' | 'newest';
}

export function listEventRows(
  db: Queries,
  { state, withInactive = false, between, order }: EventFilter,
  now: Date,
  { after, limit }: PageRequest,
): Promise<LiveEventRow[]> {
  const isOldest = order === 'oldest';
  const within = between && and(gt(endsAt, between.from), lt(startsAt, between.to));
  const shown = withInactive ? undefined : eq(liveEvents.isActive, true);
  const position = (isOldest ? afterOldPosition : afterPosition)(after, startsAt, liveEvents.id);
  return db
    .select()
    .from(liveEvents)
    .where(and(isNull(liveEvents.deletedAt), shown, inState(state, now), within, position))
    .orderBy(...(isOldest ? oldestFirst : newestFirst)(startsAt, liveEvents.id))
    .limit(limit);
}

/** Returns an event, also one that members do not see. */
export async function findEvent(db: Queries, id: string): Promise<LiveEventRow | undefined> {
  const [row] = await db.select().from(liveEvents).where(eq(liveEvents.id, id));
  return row;
}

/** Returns an event, locked until the transaction ends. */
export async function findEventForUpdate(tx: Tx, id: string): Promise<LiveEventRow | undefined> {
  const [row] = await tx.select().from(liveEvents).where(eq(liveEvents.id, id)).for('update');
  return row;
}

export async function insertEvent(tx: Queries, values: typeof liveEvents.$inferInsert): Promise<void> {
  await tx.insert(liveEvents).values(values);
}

export async function updateEvent(
  tx: Queries,
  id: string,
  values: Partial<typeof liveEvents.$inferInsert>,
): Promise<void> {
  await tx.update(liveEvents).set(values).where(eq(liveEvents.id, id));
}

/** Deletes the events that were deleted before this time, and returns the keys of their pictures. */
export async function purgeEventRows(tx: Queries, before: Date): Promise<string[]> {
  const rows = await tx
    .delete(liveEvents)
    .where(and(isNotNull(liveEvents.deletedAt), lt(liveEvents.deletedAt, before)))
    .returning({ key: liveEvents.coverKey });
  return rows.flatMap(({ key }) => key ?? []);
}

/** Returns the angles of events in their order. */
export function listAngles(db: Queries, eventIds: readonly string[]): Promise<LiveAngleRow[]> {
  return db
    .select()
    .from(liveAngles)
    .where(inArray(liveAngles.eventId, [...eventIds]))
    .orderBy(liveAngles.eventId, liveAngles.position, liveAngles.id);
}

export async function insertAngle(tx: Queries, values: typeof liveAngles.$inferInsert): Promise<void> {
  await tx.insert(liveAngles).values(values);
}

export async function updateAngle(
  tx: Queries,
  id: string,
  values: Partial<typeof liveAngles.$inferInsert>,
): Promise<void> {
  await tx.update(liveAngles).set(values).where(eq(liveAngles.id, id));
}

export async function deleteAngles(tx: Queries, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.delete(liveAngles).where(inArray(liveAngles.id, [...ids]));
}

/** Returns the ids of the products that a member has now. */
export async function listProductIdsOf(db: Queries, userId: string, now: Date): Promise<Set<number>> {
  const rows = await db
    .select({ id: subscriptions.productId })
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), isNotNull(subscriptions.productId), isCurrent(now)));
  return new Set(rows.flatMap(({ id }) => id ?? []));
}

export async function listProductNames(db: Queries, ids: readonly number[]) {
  if (ids.length === 0) return [];
  return db
    .select({ id: products.id, name: products.name })
    .from(products)
    .where(inArray(products.id, [...ids]));
}

/** Returns how many views of each event run. */
export async function countViewers(
  db: Queries,
  eventIds: readonly string[],
  seenSince: Date,
): Promise<Map<string, number>> {
  const { eventId, endedAt, seenAt } = liveSessions;
  const rows = await db
    .select({ eventId, viewers: count() })
    .from(liveSessions)
    .where(and(inArray(eventId, [...eventIds]), isNull(endedAt), gt(seenAt, seenSince)))
    .groupBy(eventId);
  return new Map(rows.map((row) => [row.eventId, row.viewers]));
}

/** A view with its event. */
export interface View {
  readonly session: LiveSessionRow;
  readonly event: LiveEventRow;
}

export async function findView(db: Queries, id: string): Promise<View | undefined> {
  const [row] = await db
    .select({ session: liveSessions, event: liveEvents })
    .from(liveSessions)
    .innerJoin(liveEvents, eq(liveEvents.id, liveSessions.eventId))
    .where(eq(liveSessions.id, id));
  return row;
}

/** Ends the running view of a member, if there is one. The caller holds the row of the user. */
export async function replaceView(tx: Tx, values: typeof liveSessions.$inferInsert): Promise<void> {
  await tx
    .update(liveSessions)
    .set({ endedAt: values.createdAt, end: 'replaced' })
    .where(and(eq(liveSessions.userId, values.userId), isNull(liveSessions.endedAt)));
  await tx.insert(liveSessions).values(values);
}

/** Records a heartbeat. Returns false if the view has ended meanwhile. */
export async function touchView(db: Queries, id: string, seenAt: Date): Promise<boolean> {
  const rows = await db
    .update(liveSessions)
    .set({ seenAt })
    .where(and(eq(liveSessions.id, id), isNull(liveSessions.endedAt)))
    .returning({ id: liveSessions.id });
  return rows.length > 0;
}

export async function closeView(db: Queries, id: string, endedAt: Date): Promise<void> {
  await db
    .update(liveSessions)
    .set({ endedAt, end: 'closed' })
    .where(and(eq(liveSessions.id, id), isNull(liveSessions.endedAt)));
}

/** Deletes views without a heartbeat since this time. */
export async function deleteViewsBefore(db: Queries, before: Date): Promise<void> {
  await db.delete(liveSessions).where(lt(liveSessions.seenAt, before));
}

export async function findAgeCheck(db: Queries, userId: string): Promise<AgeCheckRow | undefined> {
  const [row] = await db.select().from(ageChecks).where(eq(ageChecks.userId, userId));
  return row;
}

export async function writeAgeCheck(tx: Queries, values: typeof ageChecks.$inferInsert): Promise<void> {
  const { birthYear = null, ageConfirmedAt = null, refusedAt = null } = values;
  await tx
    .insert(ageChecks)
    .values(values)
    .onConflictDoUpdate({ target: ageChecks.userId, set: { birthYear, ageConfirmedAt, refusedAt } });
}
