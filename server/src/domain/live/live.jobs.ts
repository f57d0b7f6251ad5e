import { z } from 'zod';
import type { Context } from '../../context.ts';
import { defineJob, type Handler, handle } from '../../platform/jobs/job.ts';
import { DAY_MS } from '../../platform/time.ts';
import { deleteOrphans } from '../media/asset.sql.ts';
import { DELETE_GRACE_MS } from '../media/lifecycle/lifecycle.ts';
import { deleteObjects } from '../media/results.ts';
import { liveDemoJob } from './demo.ts';
import { deleteViewsBefore, purgeEventRows } from './live.sql.ts';

/** Purges deleted events after their grace period, and views that ended a day ago. */
const purge = defineJob('live.purge', z.strictObject({}), { every: 3600 });

export async function purgeLive(context: Context): Promise<void> {
  const { db, clock } = context;
  const before = (ms: number) => new Date(clock.now().getTime() - ms);
  await deleteViewsBefore(db, before(DAY_MS));
  const orphans = await db.transaction(async (tx) =>
    deleteOrphans(tx, await purgeEventRows(tx, before(DELETE_GRACE_MS))),
  );
  await deleteObjects(context, orphans);
}

export const liveJobs: readonly Handler<Context>[] = [handle<Context, object>(purge, { run: purgeLive }), liveDemoJob];
