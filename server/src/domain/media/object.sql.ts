import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { media, mediaFiles, mediaRevisions, objects } from '../../platform/db/schema.ts';

export type ObjectRow = typeof objects.$inferSelect;
export type MediaFileRow = typeof mediaFiles.$inferSelect;
/** Whose it is, the transaction says that names it: a guest may have become a member since the work began. */
export type NewObject = Omit<typeof objects.$inferInsert, 'ownerId'>;

/** Of these keys, those that a row names. */
export async function knownKeys(db: Queries, keys: readonly string[]): Promise<Set<string>> {
  const stored = await db
    .select({ key: objects.key })
    .from(objects)
    .where(inArray(objects.key, [...keys]));
  const pending = await db
    .select({ key: media.uploadKey })
    .from(media)
    .where(inArray(media.uploadKey, [...keys]));
  return new Set([...stored, ...pending].flatMap(({ key }) => key ?? []));
}

/** Stores an upload's row, or finds the one that this owner has for the same bytes; its key is the object to use. */
export async function upsertUpload(tx: Queries, values: typeof objects.$inferInsert): Promise<string> {
  const [row] = await tx
    .insert(objects)
    .values(values)
    .onConflictDoUpdate({
      target: [objects.ownerId, objects.sha256],
      targetWhere: sql`${objects.purpose} = 'upload'`,
      // Changes nothing, but answers the row and locks it against being purged.
      set: { ownerId: values.ownerId },
    })
    .returning({ key: objects.key });
  if (!row) throw new Error('An upsert answered no row');
  return row.key;
}

export async function insertObjects(tx: Queries, ownerId: string, values: readonly NewObject[]): Promise<void> {
  if (values.length > 0) await tx.insert(objects).values(values.map((value) => ({ ...value, ownerId })));
}

export async function findObject(db: Queries, key: string): Promise<ObjectRow | undefined> {
  const [row] = await db.select().from(objects).where(eq(objects.key, key));
  return row;
}

export async function findFile(db: Queries, mediaId: string, format: string): Promise<MediaFileRow | undefined> {
  const [row] = await db
    .select()
    .from(mediaFiles)
    .where(and(eq(mediaFiles.mediaId, mediaId), eq(mediaFiles.format, format)));
  return row;
}

export function listFiles(db: Queries, mediaId: string): Promise<MediaFileRow[]> {
  return db.select().from(mediaFiles).where(eq(mediaFiles.mediaId, mediaId));
}

export async function insertFile(tx: Queries, values: typeof mediaFiles.$inferInsert): Promise<MediaFileRow> {
  const [row] = await tx.insert(mediaFiles).values(values).returning();
  if (!row) throw new Error('An insert answered no row');
  return row;
}

/** Takes the files of a media out of the database. Answers the keys of their objects. */
export async function deleteFiles(tx: Queries, mediaId: string): Promise<string[]> {
  const rows = await tx
    .delete(mediaFiles)
    .where(eq(mediaFiles.mediaId, mediaId))
    .returning({ objectKey: mediaFiles.objectKey });
  return rows.map(({ objectKey }) => objectKey);
}

/**
 * Takes those of these objects out of the database that no row of another table names. Answers their keys: the store is
 * cleared of them when the transaction has taken place.
 */
export async function deleteUnnamed(tx: Queries, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const unnamed = NAMING.map(
    ({ table, column }) => sql`not exists (select 1 from ${table} where ${column} = ${objects.key})`,
  );
  const rows = await tx
    .delete(objects)
    .where(and(inArray(objects.key, [...keys]), ...unnamed))
    .returning({ key: objects.key });
  return rows.map(({ key }) => key);
}

/** Every column that names an object. */
const NAMING = [
  { table: media, column: media.originalKey },
  { table: media, column: media.coverKey },
  { table: media, column: media.depthKey },
  { table: media, column: media.wholeKey },
  { table: media, column: media.videoKey },
  { table: mediaRevisions, column: mediaRevisions.depthKey },
  { table: mediaFiles, column: mediaFiles.objectKey },
] as const;
