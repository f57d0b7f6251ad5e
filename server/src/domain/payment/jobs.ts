import { z } from 'zod';
import type { ParallelLimits } from '../../platform/in-parallel.ts';
import { defineJob } from '../../platform/jobs/job.ts';

/** Ends what PayPal would go on charging. Repeated for days, because every charge meanwhile has to be refunded. */
export const stopBilling = defineJob('payment.stopBilling', z.strictObject({ ref: z.string() }), {
  attempts: 60,
  retryDelay: 60,
  longestDelay: 6 * 3600,
});
/** Lets PayPal charge a plan again, or no more, as the member last wished. */
export const alignBilling = defineJob('payment.alignBilling', z.strictObject({ ref: z.string() }), {
  attempts: 60,
  retryDelay: 60,
  longestDelay: 6 * 3600,
});
/** How many payments or plans a run looks after at once. Each keeps its place for a slow provider for so long. */
export const AT_ONCE: ParallelLimits = { places: 4, limitMs: 30_000 };
export const reconcile = defineJob('payment.reconcile', z.strictObject({}), { every: 20 });
export const missedEvents = defineJob('payment.missedEvents', z.strictObject({}), { every: 6 * 3600 });
export const renew = defineJob('payment.renew', z.strictObject({}), { every: 600 });
