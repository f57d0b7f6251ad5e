import {
  and,
  asc,
  eq,
  exists,
  inArray,
  isNull,
  ne,
  notExists,
  notInArray,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { albumMedia, frameItems, media, mediaAssets, objects } from '../../platform/db/schema.ts';
import { liesInProductOf } from '../membership/entitlement.sql.ts';
import { deleteOrphans } from './asset.sql.ts';

/** Bytes stored for one or several users. What only a copy for frames refers to is no part of them. */
interface Stored {
  /** Uploads and own depth maps, each content once, and the uploads that are on their way; deleted ones until purged. */
  readonly sent: number;
  /** Results that are needed as long as their media: covers, previews, depth maps. */
  readonly lasting: number;
  /** Downloadable files, which can be made again. */
  readonly files: number;
}

const bytes = (size: SQL) => sql<number>`coalesce(sum(${size}), 0)`.mapWith(Number);

const NOTHING: Stored = { sent: 0, lasting: 0, files: 0 };
const TOGETHER = 'all';

/**
 * Returns the bytes of several users together: equal uploads count once, because they become one object when a guest
 * becomes a member.
 * @param except a pending upload that is not counted, because it is about to be announced anew
 */
export async function storedBytes(db: Queries, ownerIds: readonly string[], except: string | null): Promise<Stored> {
  const sums = await sumStored(db, ownerIds, except, () => sql<string>`text ${sql.raw(`'${TOGETHER}'`)}`);
  return sums.get(TOGETHER) ?? NOTHING;
}

/** Returns the bytes of each of several users, by id. */
export async function storedBytesOfEach(db: Queries, ownerIds: readonly string[]): Promise<Map<string, Stored>> {
  const sums = await sumStored(db, ownerIds, null, (ownerId) => sql<string>`${ownerId}::text`);
  return new Map(ownerIds.map((id) => [id, sums.get(id) ?? NOTHING]));
}

/** @param keyOf under what the bytes of an owner are summed */
async function sumStored(
  db: Queries,
  ownerIds: readonly string[],
  except: string | null,
  keyOf: (ownerId: SQLWrapper) => SQL<string>,
): Promise<Map<string, Stored>> {
  const ofOwners = inArray(objects.ownerId, [...ownerIds]);
  const uploads = db
    .selectDistinct({ who: keyOf(objects.ownerId).as('who'), sha256: objects.sha256, size: objects.size })
    .from(objects)
    .where(and(ofOwners, eq(objects.purpose, 'upload')))
    .as('uploads');
  const arrived = await db
    .select({ who: uploads.who, size: bytes(sql`${uploads.size}`) })
    .from(uploads)
    .groupBy(uploads.who);
  const pending = db
    .select({ who: keyOf(media.ownerId).as('who'), size: media.declaredSize })
    .from(media)
    .where(
      and(
        inArray(media.ownerId, [...ownerIds]),
        eq(media.uploadState, 'pending'),
        except === null ? undefined : ne(media.id, except),
      ),
    )
    .as('pending');
  const coming = await db
    .select({ who: pending.who, size: bytes(sql`${pending.size}`) })
    .from(pending)
    .groupBy(pending.who);
  const each = db
    .select({
      who: keyOf(objects.ownerId).as('who'),
      size: objects.size,
      kind: sql<string>`case
        when bool_and(${media.copyOf} is not null) then 'copy'
        when bool_or(${mediaAssets.role} = 'file') then 'file'
        else ${objects.purpose} end`.as('kind'),
    })
    .from(objects)
    .leftJoin(mediaAssets, eq(mediaAssets.objectKey, objects.key))
    .leftJoin(media, eq(media.id, mediaAssets.mediaId))
    .where(and(ofOwners, ne(objects.purpose, 'upload')))
    .groupBy(objects.key)
    .as('each');
  const made = await db
    .select({ who: each.who, kind: each.kind, size: bytes(sql`${each.size}`) })
    .from(each)
    .groupBy(each.who, each.kind);
  const sums = new Map<string, Stored>();
  const add = (who: string, part: keyof Stored, size: number) => {
    const sum = sums.get(who) ?? NOTHING;
    sums.set(who, { ...sum, [part]: sum[part] + size });
  };
  for (const { who, size } of [...arrived, ...coming]) add(who, 'sent', size);
  const partOf: Readonly<Record<string, keyof Stored>> = { depth: 'sent', result: 'lasting', file: 'files' };
  for (const { who, kind, size } of made) {
    const part = partOf[kind];
    if (part) add(who, part, size);
  }
  return sums;
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

/**
 * Returns two queries of the items of frames that show a media: as itself, and in an album. One query with a condition for
 * both could use no index.
 */
export function itemsShowing(db: Queries, mediaId: SQLWrapper, where?: SQL) {
  const isLiving = isNull(frameItems.deletedAt);
  const { frameId } = frameItems;
  return [
    db
      .select({ frameId })
      .from(frameItems)
      .where(and(eq(frameItems.mediaId, mediaId), isLiving, where)),
    db
      .select({ frameId })
      .from(frameItems)
      .innerJoin(albumMedia, eq(albumMedia.albumId, frameItems.albumId))
      .where(and(eq(albumMedia.mediaId, mediaId), isLiving, where)),
  ] as const;
}

/**
 * A condition on the items of `itemsShowing`: the media belongs to who added the item, or lies in a product that they have
 * at this time. What an item of a product that has ended shows is shown nowhere.
 * @param owned id and owner of the media, in the outer query
 */
export function isEntitled(
  db: Queries,
  { mediaId, ownerId }: { readonly mediaId: SQLWrapper; readonly ownerId: SQLWrapper },
  now: Date,
): SQL | undefined {
  return or(eq(frameItems.addedById, ownerId), liesInProductOf(db, mediaId, frameItems.addedById, now));
}

/** Choosing them locks their rows. */
const EVICTED_AT_ONCE = 100;

/**
 * Deletes files of a user that can be made again, of deleted media first and then those used longest ago, until about
 * `excess` bytes are free, at most some at once. Files of what frames play stay, and copies for frames are left whole.
 * Besides downloadable files these are the estimated depth maps of revisions that neither the media nor its result shows.
 * @param options.excess bytes to free
 * @param options.kept ids of assets that stay
 * @returns the number of evicted assets, of which several may share an object, and the keys of orphaned objects
 */
export async function evictFiles(
  tx: Queries,
  ownerId: string,
  { excess, kept, now }: { readonly excess: number; readonly kept: readonly string[]; readonly now: Date },
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
        isNull(media.copyOf),
        // Evicted, they would be made again at once.
        ...itemsShowing(
          tx,
          media.id,
          and(isNull(media.deletedAt), isEntitled(tx, { mediaId: media.id, ownerId: media.ownerId }, now)),
        ).map((items) => notExists(items)),
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
