import type { Context } from '../../context.ts';
import { type Handler, handle } from '../../platform/jobs/job.ts';
import { purgeDeleted } from './album.jobs.ts';
import { purgeAlbums } from './albums.ts';

export const albumHandlers: readonly Handler<Context>[] = [handle<Context, object>(purgeDeleted, { run: purgeAlbums })];
