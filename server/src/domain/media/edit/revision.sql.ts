import { and, eq, gt, lte, max, min, or } from 'drizzle-orm';
import type { Queries } from '../../../platform/db/open.ts';
import { mediaRevisions } from '../../../platform/db/schema.ts';
import { deleteAssets } from '../asset.sql.ts';

export type RevisionRow = typeof mediaRevisions.$inferSelect;

/** Settings of a conversion that a member can change, as in a media and each of its revisions. */
export type Settings = Omit<RevisionRow, 'mediaId' | 'number' | 'createdAt'>;

export function settingsOf(row: Settings): Settings {
  const { effectParamId, effect, crop, convergence, ground, pair, strokes, depthSource } = row;
  return { effectParamId, effect, crop, convergence, ground, pair, strokes, depthSource };
}

const isRevision = (mediaId: string, number: number) =>
  and(eq(mediaRevisions.mediaId, mediaId), eq(mediaRevisions.number, number));

export async function insertRevision(tx: Queries, values: typeof mediaRevisions.$inferInsert): Promise<void> {
  await tx.insert(mediaRevisions).values(values);
}

export async function findRevision(tx: Queries, mediaId: string, number: number): Promise<RevisionRow | undefined> {
  const [row] = await tx.select().from(mediaRevisions).where(isRevision(mediaId, number));
  return row;
}

export async function updateRevision(
  tx: Queries,
  mediaId: string,
  number: number,
  values: Partial<Settings>,
): Promise<void> {
  await tx.update(mediaRevisions).set(values).where(isRevision(mediaId, number));
}

/** Returns the numbers of the oldest and the newest revision. */
export async function revisionSpan(db: Queries, mediaId: string): Promise<{ first: number; last: number }> {
  const [row] = await db
    .select({ first: min(mediaRevisions.number), last: max(mediaRevisions.number) })
    .from(mediaRevisions)
    .where(eq(mediaRevisions.mediaId, mediaId));
  return { first: row?.first ?? 1, last: row?.last ?? 1 };
}

/** Deletes revisions up to one number and those after another. Returns the keys of their depth maps. */
export async function deleteRevisions(
  tx: Queries,
  mediaId: string,
  { upTo, after }: { readonly upTo: number; readonly after: number },
): Promise<string[]> {
  const outside = or(lte(mediaRevisions.number, upTo), gt(mediaRevisions.number, after));
  const rows = await tx
    .delete(mediaRevisions)
    .where(and(eq(mediaRevisions.mediaId, mediaId), outside))
    .returning({ number: mediaRevisions.number });
  const numbers = rows.map(({ number }) => String(number));
  return numbers.length === 0 ? [] : deleteAssets(tx, mediaId, ['depthMap'], numbers);
}
