import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { frameItems, frames, users } from '../../platform/db/schema.ts';
import { afterPosition, newestFirst, type PageRequest } from '../../platform/paging.ts';

export type FrameRow = typeof frames.$inferSelect;

const own = (ownerId: string, id: string) => and(eq(frames.ownerId, ownerId), eq(frames.id, id));

export async function insertFrame(tx: Queries, row: typeof frames.$inferInsert): Promise<FrameRow> {
  const [inserted] = await tx.insert(frames).values(row).returning();
  if (!inserted) throw new Error('A frame was not inserted');
  return inserted;
}

export async function findFrame(db: Queries, ownerId: string, id: string): Promise<FrameRow | undefined> {
  const [row] = await db.select().from(frames).where(own(ownerId, id));
  return row;
}

export async function findFrameById(db: Queries, id: string): Promise<FrameRow | undefined> {
  const [row] = await db.select().from(frames).where(eq(frames.id, id));
  return row;
}

/** Returns frames, locked in the order of their ids, so that two callers cannot wait for each other. */
export function findFramesForUpdate(tx: Queries, ids: readonly string[]): Promise<FrameRow[]> {
  return tx
    .select()
    .from(frames)
    .where(inArray(frames.id, [...ids]))
    .orderBy(frames.id)
    .for('update');
}

export function findFrameByToken(db: Queries, tokenHash: string) {
  return withOwner(db, eq(frames.tokenHash, tokenHash));
}

export function findFrameWithOwner(db: Queries, id: string) {
  return withOwner(db, eq(frames.id, id));
}

async function withOwner(db: Queries, where: SQL) {
  const [row] = await db
    .select({ frame: frames, owner: { restrictedAt: users.restrictedAt, deletionAt: users.deletionAt } })
    .from(frames)
    .innerJoin(users, eq(users.id, frames.ownerId))
    .where(where);
  return row;
}

export async function findFrameIdentity(db: Queries, id: string) {
  const [row] = await db
    .select({ id: frames.id, name: frames.name, owner: users.name })
    .from(frames)
    .innerJoin(users, eq(users.id, frames.ownerId))
    .where(eq(frames.id, id));
  return row;
}

/** Returns a page, the most recently paired first. */
export function listFrameRows(db: Queries, ownerId: string, { after, limit }: PageRequest): Promise<FrameRow[]> {
  const { createdAt, id } = frames;
  return db
    .select()
    .from(frames)
    .where(and(eq(frames.ownerId, ownerId), afterPosition(after, createdAt, id)))
    .orderBy(...newestFirst(createdAt, id))
    .limit(limit);
}

export function countFrames(db: Queries, ownerId: string): Promise<number> {
  return db.$count(frames, eq(frames.ownerId, ownerId));
}

export async function updateFrame(db: Queries, id: string, values: Partial<typeof frames.$inferInsert>): Promise<void> {
  await db.update(frames).set(values).where(eq(frames.id, id));
}

export async function renameOwnFrame(
  db: Queries,
  ownerId: string,
  id: string,
  name: string,
): Promise<FrameRow | undefined> {
  const [row] = await db.update(frames).set({ name }).where(own(ownerId, id)).returning();
  return row;
}

export async function deleteFrame(tx: Queries, ownerId: string, id: string): Promise<FrameRow | undefined> {
  const [row] = await tx.delete(frames).where(own(ownerId, id)).returning();
  return row;
}

export async function deleteFramesOf(tx: Queries, ownerId: string): Promise<void> {
  await tx.delete(frames).where(eq(frames.ownerId, ownerId));
}

/** What the owner shows on the frame of the current row, in order. */
const ownItems = sql<unknown[]>`coalesce((
  select jsonb_agg(
    jsonb_build_object('media', item.media_id, 'album', item.album_id, 'addedAt', item.created_at) order by item.position
  )
  from ${frameItems} item
  where item.frame_id = ${frames.id} and item.added_by_id = ${frames.ownerId} and item.deleted_at is null
), '[]')`;

/** Returns all frames of an owner, without tokens. */
export function exportFrames(db: Queries, ownerId: string) {
  const { id, name, kind, screenWidth, screenHeight, pixelRatio, createdAt, lastSeenAt, version, timeZone } = frames;
  const { deviceTypeId, options, calibration } = frames;
  const screen = { screenWidth, screenHeight, pixelRatio };
  const settings = { deviceTypeId, options, calibration, items: ownItems };
  return db
    .select({ id, name, kind, ...screen, ...settings, pairedAt: createdAt, lastSeenAt, version, timeZone })
    .from(frames)
    .where(eq(frames.ownerId, ownerId))
    .orderBy(...newestFirst(createdAt, id));
}
