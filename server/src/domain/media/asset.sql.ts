import { and, asc, eq, inArray, isNull, notExists, type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { type LASTING_ASSETS, media, mediaAssets, objects, type RESULT_ASSETS } from '../../platform/db/schema.ts';
import { uploadKeyOf } from './upload/upload-link.ts';

export type AssetRole = (typeof LASTING_ASSETS)[number] | (typeof RESULT_ASSETS)[number];
/** Object keys of a media's files for its current revision, without the downloadable files. */
export type AssetKeys = Readonly<Partial<Record<AssetRole, string>>>;
/** `mediaId` is added on insertion. */
export type NewAsset = Omit<typeof mediaAssets.$inferInsert, 'mediaId'>;
/** `ownerId` is read in the inserting transaction, because a guest may have become a member since the work began. */
export type NewObject = Omit<typeof objects.$inferInsert, 'ownerId'>;

/** A downloadable file. */
export interface DownloadFile {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly type: string;
}

/** Returns those of the keys that a row refers to; the parts of a pending upload by its upload key. */
export async function findKnownKeys(db: Queries, keys: readonly string[]): Promise<Set<string>> {
  const stored = await db
    .select({ key: objects.key })
    .from(objects)
    .where(inArray(objects.key, [...keys]));
  const pending = await db
    .select({ key: media.uploadKey })
    .from(media)
    .where(inArray(media.uploadKey, keys.map(uploadKeyOf)));
  const known = new Set([...stored, ...pending].map(({ key }) => key));
  return new Set(keys.filter((key) => known.has(key) || known.has(uploadKeyOf(key))));
}

/** Inserts the object of an upload, or finds the owner's object with the same bytes. Returns the key to use. */
export async function upsertUpload(tx: Queries, values: typeof objects.$inferInsert): Promise<string> {
  const [row] = await tx
    .insert(objects)
    .values(values)
    .onConflictDoUpdate({
      target: [objects.ownerId, objects.sha256],
      targetWhere: sql`${objects.purpose} = 'upload'`,
      // No effective change, but returns the row and locks it against purging.
      set: { ownerId: values.ownerId },
    })
    .returning({ key: objects.key });
  if (!row) throw new Error('An upsert returned no row');
  return row.key;
}

export async function insertObjects(tx: Queries, ownerId: string, values: readonly NewObject[]): Promise<void> {
  if (values.length > 0) await tx.insert(objects).values(values.map((value) => ({ ...value, ownerId })));
}

export async function findObject(db: Queries, key: string): Promise<typeof objects.$inferSelect | undefined> {
  const [row] = await db.select().from(objects).where(eq(objects.key, key));
  return row;
}

export async function insertAssets(tx: Queries, mediaId: string, values: readonly NewAsset[]): Promise<void> {
  if (values.length > 0) await tx.insert(mediaAssets).values(values.map((value) => ({ ...value, mediaId })));
}

const isAsset = (mediaId: string, role: AssetRole, variant: string) =>
  and(eq(mediaAssets.mediaId, mediaId), eq(mediaAssets.role, role), eq(mediaAssets.variant, variant));

export async function findAssetKey(
  db: Queries,
  mediaId: string,
  role: AssetRole,
  variant = '',
): Promise<string | null> {
  const [row] = await db
    .select()
    .from(mediaAssets)
    .where(isAsset(mediaId, role, variant));
  return row?.objectKey ?? null;
}

export async function findFile(db: Queries, mediaId: string, variant: string): Promise<DownloadFile | undefined> {
  const { id, name } = mediaAssets;
  const [row] = await db
    .select({ id, key: objects.key, name, type: objects.type })
    .from(mediaAssets)
    .innerJoin(objects, eq(objects.key, mediaAssets.objectKey))
    .where(isAsset(mediaId, 'file', variant));
  return row;
}

/** Replaces the stem at the beginning of the names of a media's files. */
export async function renameFiles(tx: Queries, mediaId: string, before: string, after: string): Promise<void> {
  const rest = sql`substr(${mediaAssets.name}, length(${before}::text) + 1)`;
  await tx
    .update(mediaAssets)
    .set({ name: sql`${after}::text || ${rest}` })
    .where(
      and(
        eq(mediaAssets.mediaId, mediaId),
        eq(mediaAssets.role, 'file'),
        sql`starts_with(${mediaAssets.name}, ${before}::text)`,
      ),
    );
}

/** Returns the downloadable files of several media in these variants, with what is known of their content. */
export function listFiles(db: Queries, mediaIds: readonly string[], variants: readonly string[]) {
  const { mediaId, variant, name } = mediaAssets;
  return db
    .select({ mediaId, variant, name, object: objects })
    .from(mediaAssets)
    .innerJoin(objects, eq(objects.key, mediaAssets.objectKey))
    .where(and(inArray(mediaId, [...mediaIds]), eq(mediaAssets.role, 'file'), inArray(variant, [...variants])));
}

export function listObjects(db: Queries, keys: readonly string[]) {
  return db
    .select()
    .from(objects)
    .where(inArray(objects.key, [...keys]));
}

/** Records that a file was asked for. */
export async function touchFile(db: Queries, mediaId: string, variant: string, usedAt: Date): Promise<void> {
  await db
    .update(mediaAssets)
    .set({ usedAt })
    .where(isAsset(mediaId, 'file', variant));
}

/** Returns whether an object is a file of this media, and the media is not deleted. */
export async function isShownAsset(db: Queries, key: string, mediaId: string): Promise<boolean> {
  const rows = await db
    .select({ id: media.id })
    .from(mediaAssets)
    .innerJoin(media, eq(media.id, mediaAssets.mediaId))
    .where(and(eq(mediaAssets.objectKey, key), eq(media.id, mediaId), isNull(media.deletedAt)))
    .limit(1);
  return rows.length > 0;
}

/** Returns the variants of the stored downloadable files. */
export async function listFileVariants(db: Queries, mediaId: string): Promise<string[]> {
  const rows = await db
    .select({ variant: mediaAssets.variant })
    .from(mediaAssets)
    .where(and(eq(mediaAssets.mediaId, mediaId), eq(mediaAssets.role, 'file')))
    .orderBy(asc(mediaAssets.variant));
  return rows.map(({ variant }) => variant);
}

/** Deletes the assets of a media with one of these roles and, if given, variants. Returns their object keys. */
export async function deleteAssets(
  tx: Queries,
  mediaId: string,
  roles: readonly AssetRole[],
  variants?: readonly string[],
): Promise<string[]> {
  const rows = await tx
    .delete(mediaAssets)
    .where(
      and(
        eq(mediaAssets.mediaId, mediaId),
        inArray(mediaAssets.role, [...roles]),
        variants && inArray(mediaAssets.variant, [...variants]),
      ),
    )
    .returning({ key: mediaAssets.objectKey });
  return rows.map(({ key }) => key);
}

/**
 * Deletes the rows of those objects that no asset refers to. Returns their keys, so that the caller deletes the files
 * after the transaction.
 */
export async function deleteOrphans(tx: Queries, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const references = tx.select({ one: sql`1` }).from(mediaAssets).where(eq(mediaAssets.objectKey, objects.key));
  const rows = await tx
    .delete(objects)
    .where(and(inArray(objects.key, [...keys]), notExists(references)))
    .returning({ key: objects.key });
  return rows.map(({ key }) => key);
}

/** Returns `AssetKeys` of the media in the current row, as a column for queries that join other tables. */
export function assetKeysColumn(): SQL.Aliased<AssetKeys> {
  const { mediaId, role, variant, objectKey } = mediaAssets;
  return sql<AssetKeys>`(
    select coalesce(jsonb_object_agg(${role}, ${objectKey}), '{}') from ${mediaAssets}
    where ${mediaId} = ${media.id} and ${role} <> 'file' and ${variant} in ('', ${media.revision}::text)
  )`.as('keys');
}
