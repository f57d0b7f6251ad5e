import { MEDIA_TYPE } from '@framelift/contract';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/open.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import { isGuest } from '../../user/user.sql.ts';
import type { MediaRow } from '../media.sql.ts';
import { insertConversion } from './conversion.sql.ts';
import { pay } from './payment.ts';

/** Over minutes, so that a passing cause that nobody knows to be one has passed: 40 s, 80 s and so on. */
const SPREAD = { retryDelay: 40, longestDelay: 600 };

const data = z.strictObject({ conversionId: z.uuid() });

/** Converts one picture. The id of the job equals that of the conversion, so that a conversion has one job. */
export const pictureConversion = defineJob('media.convert', data, SPREAD);

/** Converts one picture of a guest, or a sample, in places of their own: a member waits for none of them. */
export const guestPictureConversion = defineJob('media.convertForGuest', data, SPREAD);

/**
 * Converts one video, or makes one additional format of it. An attempt resumes where the previous one ended, so a
 * conversion completes even if the server crashes now and then.
 */
export const videoConversion = defineJob('video.convert', data, { ...SPREAD, attempts: 5 });

/**
 * Enqueues a conversion in the caller's transaction, and charges the price of the media if it is not paid for.
 * @param media locked; with `givesWay` it is converted in the places of guests, also if a member owns it
 * @param format variant of an additional file of a finished video; null converts the media itself
 * @throws ApiError `notEnoughPoints`, `notEnoughFreePoints`
 */
export async function startConversion(
  context: Context,
  tx: Tx,
  media: Pick<MediaRow, 'id' | 'ownerId' | 'name' | 'mediaType' | 'revision' | 'price' | 'payWith' | 'paidFor'> & {
    readonly givesWay?: boolean;
  },
  now: Date,
  format: string | null = null,
): Promise<void> {
  const { ids, jobs } = context;
  const { id: mediaId, ownerId, mediaType, revision } = media;
  const conversionId = ids.uuid();
  if (media.price > 0 && media.paidFor === null) await pay(context, tx, media, conversionId);
  await insertConversion(tx, { id: conversionId, mediaId, revision, format, createdAt: now });
  const user = { id: ownerId, isGuest: media.givesWay ?? (await isGuest(tx, ownerId)) };
  const picture = user.isGuest ? guestPictureConversion : pictureConversion;
  const job = mediaType === MEDIA_TYPE.video ? videoConversion : picture;
  await jobs.enqueue(tx, job, { conversionId }, { id: conversionId, user });
}
