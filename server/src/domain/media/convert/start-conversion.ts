import { MEDIA_TYPE, type VideoFormat } from '@framelift/contract';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/open.ts';
import { convertMedia, convertVideo } from '../media.jobs.ts';
import type { MediaRow } from '../media.sql.ts';
import { insertConversion } from './conversion.sql.ts';

/**
 * Lets a conversion wait for a worker, in the caller's transaction.
 * @param format a further format of a finished video; null converts the media itself
 */
export async function startConversion(
  { ids, jobs }: Context,
  tx: Tx,
  { id: mediaId, mediaType, revision }: Pick<MediaRow, 'id' | 'mediaType' | 'revision'>,
  now: Date,
  format: VideoFormat | null = null,
): Promise<void> {
  const conversionId = ids.uuid();
  await insertConversion(tx, { id: conversionId, mediaId, revision, format, createdAt: now });
  const job = mediaType === MEDIA_TYPE.video ? convertVideo : convertMedia;
  await jobs.enqueue(tx, job, { conversionId }, { id: conversionId });
}
