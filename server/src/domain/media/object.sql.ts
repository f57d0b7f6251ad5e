import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Queries } from '../../db/open.ts';
import { media, mediaFiles, objects } from '../../db/schema.ts';

export type ObjectRow = typeof objects.$inferSelect;
export type MediaFileRow = typeof mediaFiles.$inferSelect;

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

export async function insertObjects(tx: Queries, values: readonly (typeof objects.$inferInsert)[]): Promise<void> {
  await tx.insert(objects).values([...values]);
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
