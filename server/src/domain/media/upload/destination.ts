import { z } from 'zod';
import { defineJob } from '../../../platform/jobs/job.ts';

/** Puts an upload where it was asked to go. Its handler is that of the albums, which this domain does not know. */
export const uploadArrived = defineJob('upload.arrived', z.strictObject({ mediaId: z.uuid(), destination: z.uuid() }));
