import {
  and,
  asc,
  eq,
  exists,
  inArray,
  isNotNull,
  isNull,
  ne,
  notExists,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { albumMedia, frameItems, media, mediaAssets, objects } from '../../platform/db/schema.ts';
import { deleteOrphans } from './asset.sql.ts';

/** Bytes stored for one or several users. */
interface Stored {
  /** Uploads and own depth maps, each content once, and the uploads that are on their way; deleted ones until purged. */
  readonly sent: number;
  /** Results that are needed as long as their media: covers, previews, depth maps. */
  readonly lasting: number;
  /** Downloadable files, which can be made again. */
  readonly files: number;
}

const bytes = (size: SQL) => sql<number>`coalesce(sum(${size}), 0)`.mapWith(Number);

/** @param except a pending upload that is not counted, because it is about to be announced anew */
export async function storedBytes(db: Queries, ownerIds: readonly string[], except: string | null): Promise<Stored> {
  const ofOwners = inArray(objects.ownerId, [...ownerIds]);
  // Of several owners, because equal uploads become one object when a guest becomes a member.
  const uploads = db
    .selectDistinct({ sha256: objects.sha256, size: objects.size })
    .from(objects)
    .where(and(ofOwners, eq(objects.purpose, 'upload')))
    .as('uploads');
  const [arrived] = await db.select({ size: bytes(sql`${uploads.size}`) }).from(uploads);
  const [coming] = await db
    .select({ size: bytes(sql`${media.declaredSize}`) })
    .from(media)
    .where(
      and(
        inArray(media.ownerId, [...ownerIds]),
        eq(media.uploadState, 'pending'),
        except === null ? undefined : ne(media.id, except),
      ),
    );
  // A copy for frames can be made again, with all its files.
  const isFile = exists(
    db
      .select({ one: sql`1` })
      .from(mediaAssets)
      .innerJoin(media, eq(media.id, mediaAssets.mediaId))
      .where(and(eq(mediaAssets.objectKey, objects.key), or(eq(mediaAssets.role, 'file'), isNotNull(media.copyOf)))),
  );
  const made = await db
    .select({
      kind: sql<string>`case when ${isFile} then 'file' else ${objects.purpose} end`,
      size: bytes(sql`${objects.size}`),
    })
    .from(objects)
    .where(and(ofOwners, ne(objects.purpose, 'upload')))
    .groupBy(sql`1`);
  const of = (kind: string) => made.find((row) => row.kind === kind)?.size ?? 0;
  return {
    sent: (arrived?.size ?? 0) + (coming?.size ?? 0) + of('depth'),
    lasting: of('result'),
    files: of('file'),
  };
}

/** Returns the bytes that a user has sent for media that are not deleted, and for one that is. */
export async function livingBytes(db: Queries, ownerId: string, restored: string): Promise<number> {
  const isLiving = exists(
    db
      .select({ one: sql`1` })
      .from(mediaAssets)
      .innerJoin(media, eq(media.id, mediaAssets.mediaId))
      .where(
        and(
          eq(mediaAssets.objectKey, objects.key),
          isNull(media.copyOf),
          or(isNull(media.deletedAt), eq(media.id, restored)),
        ),
      ),
  );
  const [row] = await db
    .select({ size: bytes(sql`${objects.size}`) })
    .from(objects)
    .where(and(eq(objects.ownerId, ownerId), ne(objects.purpose, 'result'), isLiving));
  return row?.size ?? 0;
}

/** Items of frames that play the media of the current row, or whose copy it is. */
function playedBy(db: Queries) {
  return db
    .select({ one: sql`1` })
    .from(frameItems)
    .leftJoin(albumMedia, eq(albumMedia.albumId, frameItems.albumId))
    .where(
      and(
        isNull(frameItems.deletedAt),
        sql`coalesce(${frameItems.mediaId}, ${albumMedia.mediaId}) = coalesce(${media.copyOf}, ${media.id})`,
        isNull(media.deletedAt),
      ),
    );
}

/** Choosing them locks their rows. */
const EVICTED_AT_ONCE = 100;

/**
 * Deletes files of a user that can be made again, of deleted media first and then those used longest ago, until about
 * `excess` bytes are free, at most some at once. Files of what frames play stay. Besides downloadable files these are the estimated depth maps of revisions that
 * neither the media nor its result shows.
 * @param kept ids of assets that stay
 * @returns the number of evicted assets, of which several may share an object, and the keys of orphaned objects
 */
export async function evictFiles(
  tx: Queries,
  ownerId: string,
  excess: number,
  kept: readonly string[],
): Promise<{ readonly count: number; readonly orphans: string[] }> {
  // As text: the variants of other roles are no numbers.
  const isSpareDepth = and(
    eq(mediaAssets.role, 'depthMap'),
    eq(objects.purpose, 'result'),
    sql`${mediaAssets.variant} is distinct from ${media.revision}::text`,
    sql`${mediaAssets.variant} is distinct from ${media.resultRevision}::text`,
  );
  const rows = await tx
    .select({ id: mediaAssets.id, key: objects.key, size: objects.size })
    .from(mediaAssets)
    .innerJoin(objects, eq(objects.key, mediaAssets.objectKey))
    .innerJoin(media, eq(media.id, mediaAssets.mediaId))
    .where(
      and(
        eq(objects.ownerId, ownerId),
        or(eq(mediaAssets.role, 'file'), isSpareDepth),
        notInArray(mediaAssets.id, [...kept]),
        // Evicted, they would be made again at once.
        notExists(playedBy(tx)),
      ),
    )
    .orderBy(sql`${media.deletedAt} is null`, asc(mediaAssets.usedAt), asc(mediaAssets.id))
    .limit(EVICTED_AT_ONCE)
    // Whoever replaces a result holds its rows and may wait for others of these.
    .for('update', { of: mediaAssets, skipLocked: true });
  const evicted: typeof rows = [];
  let freed = 0;
  for (const row of rows) {
    if (freed >= excess) break;
    evicted.push(row);
    freed += row.size;
  }
  if (evicted.length === 0) return { count: 0, orphans: [] };
  await tx.delete(mediaAssets).where(
    inArray(
      mediaAssets.id,
      evicted.map(({ id }) => id),
    ),
  );
  const orphans = await deleteOrphans(
    tx,
    evicted.map(({ key }) => key),
  );
  return { count: evicted.length, orphans };
}
