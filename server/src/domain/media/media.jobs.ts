import { z } from 'zod';
import type { Context } from '../../context.ts';
import { defineJob, type Handler, handle } from '../../platform/jobs/job.ts';
import { fail } from './convert/attempt.ts';
import { convertPicture } from './convert/convert-picture.ts';
import { convertVideo, failVideo } from './convert/convert-video.ts';
import { guestPictureConversion, pictureConversion, videoConversion } from './convert/start-conversion.ts';
import { expireUploads, purge, reconcile } from './lifecycle/cleanup.ts';
import { remakeMissingJob, runRemakeMissing } from './lifecycle/remake-missing.ts';

const noData = z.strictObject({});
const purgeMedia = defineJob('media.purge', noData, { every: 3600 });
const expireUploadLinks = defineJob('uploads.expire', noData, { every: 300 });
const reconcileObjects = defineJob('objects.reconcile', noData, { every: 6 * 3600 });

/**
 * @param converters concurrent conversions of pictures in this process, and as many of guests
 * @param videos concurrent conversions of videos in this process
 */
export function mediaJobs(converters: number, videos: number): Handler<Context>[] {
  return [
    handle(pictureConversion, {
      run: (...job) => convertPicture(...job, false),
      dead: fail,
      concurrency: converters,
    }),
    handle(guestPictureConversion, {
      run: (...job) => convertPicture(...job, true),
      dead: fail,
      concurrency: converters,
    }),
    handle(videoConversion, { run: convertVideo, dead: failVideo, concurrency: videos }),
    handle(purgeMedia, { run: purge }),
    handle(expireUploadLinks, { run: expireUploads }),
    handle(reconcileObjects, { run: reconcile }),
    handle(remakeMissingJob, { run: runRemakeMissing }),
  ];
}
