import { z } from 'zod';
import type { Context } from '../../context.ts';
import { defineJob, handle } from '../../platform/jobs/job.ts';
import { DAY_MS, HOUR_MS } from '../../platform/time.ts';
import { purgeMedia } from '../media/media.sql.ts';
import { deleteObjects } from '../media/results.ts';
import { type Destined, uploadForFrame } from '../media/upload/destination.ts';
import { deleteItemsBefore, listUnplayedCopies, markPlayedCopies } from './item.sql.ts';
import { RESTORE_MS, showUpload } from './items.ts';
import { deletePairingsBefore } from './pairing.sql.ts';
import { prepareJobs } from './prepare.ts';

/** At most so many copies are deleted at once; the next run deletes more. */
const COPIES_AT_ONCE = 200;

/**
 * Deletes expired codes, wrong codes that no longer count, removed items that can no longer be restored, and copies that
 * no frame plays any more.
 */
const cleanUpFrames = defineJob('frame.cleanUp', z.strictObject({}), { every: 3600 });

export const frameJobs = [
  handle<Context, object>(cleanUpFrames, {
    async run(context) {
      const { db, clock } = context;
      const now = clock.now().getTime();
      await deletePairingsBefore(db, new Date(now - HOUR_MS));
      await deleteItemsBefore(db, new Date(now - RESTORE_MS));
      await purgeCopies(context);
    },
  }),
  handle<Context, Destined>(uploadForFrame, { run: showUpload }),
  ...prepareJobs,
];

/** A copy stays for at least a day after it was last played: an item may be restored, or a frame set back to its type. */
async function purgeCopies(context: Context): Promise<void> {
  const { db, clock } = context;
  const ago = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
  await markPlayedCopies(db, clock.now(), ago(1));
  for (const { id } of await listUnplayedCopies(db, clock.now(), ago(2), COPIES_AT_ONCE))
    await deleteObjects(context, await db.transaction((tx) => purgeMedia(tx, id)));
}
