import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import { insertConversion } from './conversion.sql.ts';
import { convertMedia } from './media.jobs.ts';

/** Lets a conversion of this media wait for a worker, in the caller's transaction. */
export async function startConversion({ ids, jobs }: Context, tx: Tx, mediaId: string, now: Date): Promise<void> {
  const conversionId = ids.uuid();
  await insertConversion(tx, { id: conversionId, mediaId, createdAt: now });
  await jobs.enqueue(tx, convertMedia, { conversionId }, { id: conversionId });
}
