import { z } from 'zod';
import type { Context } from '../../context.ts';
import { defineJob, type Handler, handle } from '../../platform/jobs/job.ts';
import { purgeUploadLinks } from './upload-links.ts';

/** Deletes links that ended long ago. */
const purge = defineJob('uploadLink.purge', z.strictObject({}), { every: 86_400 });

export const uploadLinkJobs: readonly Handler<Context>[] = [handle<Context, object>(purge, { run: purgeUploadLinks })];
