import type { Context } from './context.ts';
import { accountJobs } from './domain/account/account.jobs.ts';
import { albumJobs } from './domain/album/album.jobs.ts';
import { sampleJobs } from './domain/catalogue/samples/seed-samples.ts';
import { frameJobs } from './domain/frame/frame.jobs.ts';
import { friendJobs } from './domain/friend/friend.jobs.ts';
import { liveJobs } from './domain/live/live.jobs.ts';
import { mediaJobs } from './domain/media/media.jobs.ts';
import { membershipJobs } from './domain/membership/membership.jobs.ts';
import { paymentJobs } from './domain/payment/payment.jobs.ts';
import { shareJobs } from './domain/share/share.jobs.ts';
import { uploadLinkJobs } from './domain/upload-link/upload-link.jobs.ts';
import type { Handler } from './platform/jobs/job.ts';
import { mailJobs } from './platform/mail/mail.jobs.ts';

/**
 * Returns the handlers of all types of jobs.
 * @param converters concurrent conversions of pictures in this process
 * @param videos concurrent conversions of videos in this process
 */
export function createHandlers(converters: number, videos: number): readonly Handler<Context>[] {
  return [
    ...mailJobs,
    ...accountJobs,
    ...albumJobs,
    ...frameJobs,
    ...friendJobs,
    ...shareJobs,
    ...paymentJobs,
    ...uploadLinkJobs,
    ...membershipJobs,
    ...sampleJobs,
    ...liveJobs,
    ...mediaJobs(converters, videos),
  ];
}
