import { z } from 'zod';
import type { Context } from '../../context.ts';
import { defineJob, handle } from '../../platform/jobs/job.ts';
import { endRunOut } from './subscriptions.ts';

const runOut = defineJob('membership.runOut', z.strictObject({}), { every: 600 });

export const membershipJobs = [handle<Context, object>(runOut, { run: endRunOut })];
