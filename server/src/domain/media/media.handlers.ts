import type { Context } from '../../context.ts';
import { type Handler, handle } from '../../platform/jobs/job.ts';
import { type ConvertData, giveUp } from './convert/attempt.ts';
import { convert } from './convert/convert-picture.ts';
import { convertVideo, giveUpVideo } from './convert/convert-video.ts';
import { expireUploads, purge, reconcile } from './lifecycle/cleanup.ts';
import * as jobs from './media.jobs.ts';

/**
 * @param converters conversions of pictures at one time in this process
 * @param videos conversions of videos at one time in this process
 */
export function mediaHandlers(converters: number, videos: number): Handler<Context>[] {
  return [
    handle<Context, ConvertData>(jobs.convertMedia, { run: convert, dead: giveUp, concurrency: converters }),
    handle<Context, ConvertData>(jobs.convertVideo, { run: convertVideo, dead: giveUpVideo, concurrency: videos }),
    handle<Context, object>(jobs.purgeMedia, { run: purge }),
    handle<Context, object>(jobs.expireUploads, { run: expireUploads }),
    handle<Context, object>(jobs.reconcileObjects, { run: reconcile }),
  ];
}
