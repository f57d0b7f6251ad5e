import type { Context } from '../../context.ts';
import { type Handler, handle } from '../../jobs/job.ts';
import { expireUploads, purge, reconcile } from './cleanup.ts';
import { type ConvertData, convert, giveUp } from './convert.ts';
import * as jobs from './media.jobs.ts';

/** @param converters conversions at one time in this process */
export function mediaHandlers(converters: number): Handler<Context>[] {
  return [
    handle<Context, ConvertData>(jobs.convertMedia, { run: convert, dead: giveUp, concurrency: converters }),
    handle<Context, object>(jobs.purgeMedia, { run: purge }),
    handle<Context, object>(jobs.expireUploads, { run: expireUploads }),
    handle<Context, object>(jobs.reconcileObjects, { run: reconcile }),
  ];
}
