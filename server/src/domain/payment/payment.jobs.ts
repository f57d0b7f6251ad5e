import type { Context } from '../../context.ts';
import { handle } from '../../platform/jobs/job.ts';
import { alignAtPayPal, reportUnstopped, stopAtPayPal } from './billing.ts';
import { reconcilePayments } from './check.ts';
import { alignBilling, missedEvents, reconcile, renew, stopBilling } from './jobs.ts';
import { renewDue } from './renewals.ts';
import { handleMissedEvents } from './webhook.ts';

type Billing = { readonly ref: string };

export const paymentJobs = [
  handle<Context, object>(reconcile, { run: (context) => reconcilePayments(context) }),
  handle<Context, object>(missedEvents, { run: handleMissedEvents }),
  handle<Context, object>(renew, { run: renewDue }),
  handle<Context, Billing>(stopBilling, {
    run: (context, { ref }) => stopAtPayPal(context, ref),
    dead: (context, { ref }) => reportUnstopped(context, ref),
  }),
  handle<Context, Billing>(alignBilling, {
    run: (context, { ref }) => alignAtPayPal(context, ref),
    dead: (context, { ref }) => reportUnstopped(context, ref),
  }),
];
