import { and, eq, gt, lte, max, min, or } from 'drizzle-orm';
import type { Queries } from '../../../platform/db/open.ts';
import { mediaRevisions } from '../../../platform/db/schema.ts';

export type RevisionRow = typeof mediaRevisions.$inferSelect;

/** What a member can change of a conversion, as a media and each of its revisions have it. */
export type Terms = Omit<RevisionRow, 'mediaId' | 'number' | 'createdAt'>;

export function termsOf(row: Terms): Terms {
  const { effectParamId, effect, crop, convergence, strokes, depthKey, depthSource } = row;
  return { effectParamId, effect, crop, convergence, strokes, depthKey, depthSource };
}

export async function insertRevision(tx: Queries, values: typeof mediaRevisions.$inferInsert): Promise<void> {
  await tx.insert(mediaRevisions).values(values);
}

export async function findRevision(tx: Queries, mediaId: string, number: number): Promise<RevisionRow | undefined> {
  const [row] = await tx
    .select()
    .from(mediaRevisions)
    .where(and(eq(mediaRevisions.mediaId, mediaId), eq(mediaRevisions.number, number)));
  return row;
}

/** Numbers of the oldest and of the newest revision that can be gone to. */
export async function revisionSpan(db: Queries, mediaId: string): Promise<{ first: number; last: number }> {
  const [row] = await db
    .select({ first: min(mediaRevisions.number), last: max(mediaRevisions.number) })
    .from(mediaRevisions)
    .where(eq(mediaRevisions.mediaId, mediaId));
  return { first: row?.first ?? 1, last: row?.last ?? 1 };
}

/** Forgets revisions up to one number and those after another. Answers the keys of their depths. */
export async function deleteRevisions(
  tx: Queries,
  mediaId: string,
  { upTo, after }: { readonly upTo: number; readonly after: number },
): Promise<string[]> {
  const outside = or(lte(mediaRevisions.number, upTo), gt(mediaRevisions.number, after));
  const rows = await tx
    .delete(mediaRevisions)
    .where(and(eq(mediaRevisions.mediaId, mediaId), outside))
    .returning({ depthKey: mediaRevisions.depthKey });
  return rows.flatMap(({ depthKey }) => depthKey ?? []);
}

/** Keys of the depths of all revisions of a media. */
export async function revisionDepths(db: Queries, mediaId: string): Promise<string[]> {
  const rows = await db
    .select({ depthKey: mediaRevisions.depthKey })
    .from(mediaRevisions)
    .where(eq(mediaRevisions.mediaId, mediaId));
  return rows.flatMap(({ depthKey }) => depthKey ?? []);
}

/** Writes down the depth that was estimated for a revision. */
export async function setRevisionDepth(
  tx: Queries,
  mediaId: string,
  number: number,
  depth: Partial<Pick<Terms, 'depthKey' | 'depthSource'>>,
): Promise<void> {
  await tx
    .update(mediaRevisions)
    .set(depth)
    .where(and(eq(mediaRevisions.mediaId, mediaId), eq(mediaRevisions.number, number)));
}
