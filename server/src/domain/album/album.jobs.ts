import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';

/** Removes deleted albums after their grace. */
export const purgeDeleted = defineJob('album.purge', z.strictObject({}), { every: 3600 });
