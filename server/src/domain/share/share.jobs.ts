import { z } from 'zod';
import type { Context } from '../../context.ts';
import { defineJob, type Handler, handle } from '../../platform/jobs/job.ts';
import { purgeShares } from './shares.ts';

/** Purges revoked links after their grace period. */
const purge = defineJob('share.purge', z.strictObject({}), { every: 3600 });

export const shareJobs: readonly Handler<Context>[] = [handle<Context, object>(purge, { run: purgeShares })];
