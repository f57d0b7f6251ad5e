import { z } from 'zod';
import type { Context } from '../../context.ts';
import { defineJob, type Handler, handle } from '../../platform/jobs/job.ts';
import { uploadForAlbum } from '../media/upload/destination.ts';
import { fillAlbum, purgeAlbums } from './albums.ts';

/** Purges deleted albums after their grace period. */
const purge = defineJob('album.purge', z.strictObject({}), { every: 3600 });

export const albumJobs: readonly Handler<Context>[] = [
  handle<Context, object>(purge, { run: purgeAlbums }),
  handle(uploadForAlbum, { run: fillAlbum }),
];
