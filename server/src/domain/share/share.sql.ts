import { and, desc, eq, gt, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { media, mediaAssets, shares, users } from '../../platform/db/schema.ts';
import { afterPosition, newestFirst, type PageRequest } from '../../platform/paging.ts';

type ShareRow = typeof shares.$inferSelect;

/** A public link with what its owner's list shows of the media. */
export interface ShareView {
  readonly share: ShareRow;
  readonly media: Pick<typeof media.$inferSelect, 'id' | 'name' | 'mediaType' | 'crop'>;
  readonly coverKey: string | null;
}

function views(db: Queries, where: SQL | undefined) {
  return db
    .select({
      share: shares,
      media: { id: media.id, name: media.name, mediaType: media.mediaType, crop: media.crop },
      coverKey: mediaAssets.objectKey,
    })
    .from(shares)
    .innerJoin(media, eq(media.id, shares.mediaId))
    .leftJoin(mediaAssets, and(eq(mediaAssets.mediaId, media.id), eq(mediaAssets.role, 'cover')))
    .where(where)
    .orderBy(...newestFirst(shares.createdAt, shares.id))
    .$dynamic();
}

/** Not revoked, of media of this owner that are not deleted. */
const living = (ownerId: string) => and(eq(media.ownerId, ownerId), isNull(media.deletedAt), isNull(shares.revokedAt));

/** Returns a page, newest first, starting after `after`; expired links included. */
export function listShareViews(
  db: Queries,
  ownerId: string,
  { mediaId, after, limit }: PageRequest & { readonly mediaId: string | null },
): Promise<ShareView[]> {
  const ofMedia = mediaId === null ? undefined : eq(shares.mediaId, mediaId);
  return views(db, and(living(ownerId), ofMedia, afterPosition(after, shares.createdAt, shares.id))).limit(limit);
}

export async function findShareView(db: Queries, ownerId: string, id: string): Promise<ShareView | undefined> {
  const [view] = await views(db, and(living(ownerId), eq(shares.id, id)));
  return view;
}

/** Returns the newest link of a media that was not revoked. */
export async function findNewestShare(tx: Queries, mediaId: string): Promise<ShareRow | undefined> {
  const [row] = await tx
    .select()
    .from(shares)
    .where(and(eq(shares.mediaId, mediaId), isNull(shares.revokedAt)))
    .orderBy(desc(shares.createdAt), desc(shares.id))
    .limit(1);
  return row;
}

/** Returns a link of this owner, even a revoked one, locked until the transaction ends. */
export async function findShareForUpdate(tx: Queries, ownerId: string, id: string): Promise<ShareRow | undefined> {
  const [row] = await tx
    .select({ share: shares })
    .from(shares)
    .innerJoin(media, eq(media.id, shares.mediaId))
    .where(and(eq(media.ownerId, ownerId), isNull(media.deletedAt), eq(shares.id, id)))
    .for('update', { of: shares });
  return row?.share;
}

export async function insertShare(tx: Queries, row: typeof shares.$inferInsert): Promise<void> {
  await tx.insert(shares).values(row);
}

export async function updateShare(tx: Queries, id: string, values: Partial<typeof shares.$inferInsert>): Promise<void> {
  await tx.update(shares).set(values).where(eq(shares.id, id));
}

/**
 * Returns a link that opens now: it has neither been revoked nor expired, its media has a result and is not deleted, and
 * its owner is a member in good standing whose account stays.
 */
export async function findOpenShare(db: Queries, id: string, now: Date) {
  const [row] = await db
    .select({ id: shares.id, mediaId: shares.mediaId, download: shares.download, ownerId: media.ownerId })
    .from(shares)
    .innerJoin(media, eq(media.id, shares.mediaId))
    .innerJoin(users, eq(users.id, media.ownerId))
    .where(
      and(
        eq(shares.id, id),
        isNull(shares.revokedAt),
        or(isNull(shares.expiresAt), gt(shares.expiresAt, now)),
        isNotNull(media.resultRevision),
        isNull(media.deletedAt),
        isNotNull(users.confirmedAt),
        isNull(users.restrictedAt),
        isNull(users.deletionAt),
      ),
    );
  return row;
}

export async function countView(db: Queries, id: string): Promise<void> {
  await db
    .update(shares)
    .set({ views: sql`${shares.views} + 1` })
    .where(eq(shares.id, id));
}

export async function deleteSharesRevokedBefore(db: Queries, time: Date): Promise<void> {
  await db.delete(shares).where(lte(shares.revokedAt, time));
}

/** Returns all links of one owner that were not revoked, without their tokens. */
export function exportShares(db: Queries, ownerId: string) {
  return db
    .select({
      id: shares.id,
      mediaId: shares.mediaId,
      createdAt: shares.createdAt,
      expiresAt: shares.expiresAt,
      download: shares.download,
      views: shares.views,
    })
    .from(shares)
    .innerJoin(media, eq(media.id, shares.mediaId))
    .where(living(ownerId))
    .orderBy(...newestFirst(shares.createdAt, shares.id));
}
