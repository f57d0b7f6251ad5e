import type { Context } from '../../context.ts';
import { type Handler, handle } from '../../platform/jobs/job.ts';
import { tidyFrames } from './frame.jobs.ts';
import { tidyPairings } from './frames.ts';

export const frameHandlers: readonly Handler<Context>[] = [handle<Context, object>(tidyFrames, { run: tidyPairings })];
