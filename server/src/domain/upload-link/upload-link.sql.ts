import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { media, uploadLinks, users } from '../../platform/db/schema.ts';
import { afterPosition, newestFirst, type PageRequest } from '../../platform/paging.ts';

export type UploadLinkRow = typeof uploadLinks.$inferSelect;

const living = (ownerId: string) => and(eq(uploadLinks.ownerId, ownerId), isNull(uploadLinks.revokedAt));

/** Returns a page of links that are not revoked, newest first. */
export function listUploadLinkRows(
  db: Queries,
  ownerId: string,
  { after, limit }: PageRequest,
): Promise<UploadLinkRow[]> {
  const { createdAt, id } = uploadLinks;
  return db
    .select()
    .from(uploadLinks)
    .where(and(living(ownerId), afterPosition(after, createdAt, id)))
    .orderBy(...newestFirst(createdAt, id))
    .limit(limit);
}

export function countUploadLinks(tx: Queries, ownerId: string): Promise<number> {
  return tx.$count(uploadLinks, living(ownerId));
}

export async function insertUploadLink(tx: Queries, row: typeof uploadLinks.$inferInsert): Promise<UploadLinkRow> {
  const [inserted] = await tx.insert(uploadLinks).values(row).returning();
  if (!inserted) throw new Error('An upload link was not inserted');
  return inserted;
}

/** Returns a link of this owner, even a revoked one, locked until the transaction ends. */
export async function findOwnLinkForUpdate(
  tx: Queries,
  ownerId: string,
  id: string,
): Promise<UploadLinkRow | undefined> {
  const [row] = await tx
    .select()
    .from(uploadLinks)
    .where(and(eq(uploadLinks.ownerId, ownerId), eq(uploadLinks.id, id)))
    .for('update');
  return row;
}

export async function updateUploadLink(tx: Queries, id: string, revokedAt: Date | null): Promise<void> {
  await tx.update(uploadLinks).set({ revokedAt }).where(eq(uploadLinks.id, id));
}

/** Returns a link that is not revoked, with its owner. */
export async function findLinkWithOwner(db: Queries, id: string) {
  const [row] = await db
    .select({ link: uploadLinks, owner: users })
    .from(uploadLinks)
    .innerJoin(users, eq(users.id, uploadLinks.ownerId))
    .where(and(eq(uploadLinks.id, id), isNull(uploadLinks.revokedAt)));
  return row;
}

/** Returns the unfinished uploads of a link. */
export function listPendingOfLink(db: Queries, linkId: string) {
  return db
    .select({ id: media.id, uploadKey: media.uploadKey })
    .from(media)
    .where(and(eq(media.uploadLinkId, linkId), eq(media.uploadState, 'pending')));
}

/** Deletes links that ended before this time. Their pictures stay. */
export async function deleteOldLinks(db: Queries, before: Date): Promise<void> {
  await db.delete(uploadLinks).where(lt(sql`coalesce(${uploadLinks.revokedAt}, ${uploadLinks.expiresAt})`, before));
}
