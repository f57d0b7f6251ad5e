import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';

/** Converts one picture. Its id is the conversion's, so that a conversion has one job. */
export const convertMedia = defineJob('media.convert', z.strictObject({ conversionId: z.uuid() }));

/**
 * Converts one video, or one further format of it. A try goes on where the one before ended, so a server that dies now and
 * then finishes it all the same.
 */
export const convertVideo = defineJob('video.convert', z.strictObject({ conversionId: z.uuid() }), { attempts: 5 });

/** Removes deleted media after their grace, and guests' media after their days. */
export const purgeMedia = defineJob('media.purge', z.strictObject({}), { every: 3600 });

/** Removes uploads whose link ended without a finish. */
export const expireUploads = defineJob('uploads.expire', z.strictObject({}), { every: 300 });

/** Removes objects that no row names. */
export const reconcileObjects = defineJob('objects.reconcile', z.strictObject({}), { every: 6 * 3600 });
