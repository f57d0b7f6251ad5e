import { z } from 'zod';
import type { Context } from '../../context.ts';
import { defineJob, handle } from '../../platform/jobs/job.ts';
import { HOUR_MS } from '../../platform/time.ts';
import { deleteItemsBefore } from './item.sql.ts';
import { RESTORE_MS } from './items.ts';
import { deletePairingsBefore } from './pairing.sql.ts';
import { prepareJobs } from './prepare.ts';

/** Deletes expired codes, wrong codes that no longer count, and removed items that can no longer be restored. */
const tidyFrames = defineJob('frame.tidy', z.strictObject({}), { every: 3600 });

export const frameJobs = [
  handle<Context, object>(tidyFrames, {
    async run({ db, clock }) {
      const now = clock.now().getTime();
      await deletePairingsBefore(db, new Date(now - HOUR_MS));
      await deleteItemsBefore(db, new Date(now - RESTORE_MS));
    },
  }),
  ...prepareJobs,
];
