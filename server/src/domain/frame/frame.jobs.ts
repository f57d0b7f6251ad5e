import { z } from 'zod';
import type { Context } from '../../context.ts';
import { defineJob, handle } from '../../platform/jobs/job.ts';
import { HOUR_MS } from '../../platform/time.ts';
import { deletePairingsBefore } from './pairing.sql.ts';

/** Deletes expired codes, and wrong codes that no longer count. */
const tidyFrames = defineJob('frame.tidy', z.strictObject({}), { every: 3600 });

export const frameJobs = [
  handle<Context, object>(tidyFrames, {
    run: ({ db, clock }) => deletePairingsBefore(db, new Date(clock.now().getTime() - HOUR_MS)),
  }),
];
