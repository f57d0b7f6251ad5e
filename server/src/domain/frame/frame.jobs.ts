import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';

/** Forgets codes that ended. */
export const tidyFrames = defineJob('frame.tidy', z.strictObject({}), { every: 3600 });
