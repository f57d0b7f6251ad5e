import type { Context } from '../../context.ts';
import { inParallel, type ParallelLimits } from '../../platform/in-parallel.ts';
import { PayPalError } from '../../platform/payments/paypal/paypal-error.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, retryAt } from '../../platform/time.ts';
import { type SubscriptionRow, updateSubscription } from '../membership/membership.sql.ts';
import { askAboutOrder } from './at-paypal.ts';
import { askSunPay, SunPaySilence } from './at-sunpay.ts';
import { reportUnstopped, stopAtPayPal, syncBilling } from './billing.ts';
import { AT_ONCE } from './jobs.ts';
import { isPaid } from './machine.ts';
import { billingRef } from './offers.ts';
import {
  claimCheck,
  deleteStrayEvents,
  endChecks,
  findPayment,
  listDue,
  listPendingRefunds,
  listUnstopped,
  type PaymentRow,
} from './payment.sql.ts';
import { askAboutRefunds, repeatRefund, sendBackRest } from './refunds.ts';
import { charge } from './renewals.ts';
import { isUngrantable, settle } from './settle.ts';
import { endLooks, noteAnswer } from './unanswered.ts';

const BATCH = 50;
/** How long after its beginning an ended payment may still surprise us. */
const LATE_MS = 14 * DAY_MS;
const LONGEST_WAIT_MS = 6 * HOUR_MS;
/** How long we try to stop charges ourselves. */
const STOP_MS = 7 * DAY_MS;
const STRAY_DAYS = 90;
/** How long money can go back at PayPal, whose buyers can also dispute it for as long. */
const REFUNDABLE_MS = 180 * DAY_MS;
/** How long a provider that is switched off or silent is waited for with the last look at a payment that was paid. */
const LAST_LOOK_MS = 30 * DAY_MS;

/** Whether a provider did not answer, so that nobody knows more than before. */
export const isNoAnswer = (error: unknown): error is Error =>
  error instanceof PayPalError || error instanceof SunPaySilence;

/**
 * Asks the provider about a payment now, settles what it tells, and remembers since when it tells nothing.
 * @throws PayPalError, SunPaySilence
 */
export async function askProvider(context: Context, payment: PaymentRow): Promise<void> {
  try {
    await ask(context, payment);
  } catch (error) {
    if (isNoAnswer(error)) await noteAnswer(context, payment.id, false);
    throw error;
  }
  await noteAnswer(context, payment.id, true);
}

async function ask(context: Context, payment: PaymentRow): Promise<void> {
  switch (payment.route) {
    case 'order':
      await settle(context, payment.id, await askAboutOrder(context, payment));
      return;
    case 'billing': {
      const ref = billingRef(payment);
      if (ref) await syncBilling(context, ref);
      // It was never made at PayPal.
      else await settle(context, payment.id, await askAboutOrder(context, payment));
      return;
    }
    default: {
      const news = await askSunPay(context, payment, () => charge(context, payment));
      await settle(context, payment.id, news);
    }
  }
}

/**
 * Asks the provider about a payment unless somebody has within `everyMs`, and grants one whose grant was interrupted. The
 * next check is planned first, so that one that fails is repeated later.
 */
export async function checkPayment(context: Context, id: string, everyMs: number): Promise<void> {
  const { db, clock } = context;
  const now = clock.now();
  const seen = await findPayment(db, id);
  if (!seen) return;
  const unless = new Date(now.getTime() - everyMs);
  const next = nextCheck(context, seen, now);
  const payment = await claimCheck(db, seen, { now, next: next ?? new Date(now.getTime() + DAY_MS), unless });
  if (!payment) return;
  try {
    await look(context, payment);
  } catch (error) {
    if (isPaid(payment) && isNoAnswer(error)) {
      await noteAnswer(context, id, false);
      // After a long standstill of ours the first silence ends nothing.
      const silence = now.getTime() - (payment.unansweredSince ?? now).getTime();
      const isOver = ageOf(payment, now) >= REFUNDABLE_MS + LAST_LOOK_MS && silence >= LAST_LOOK_MS;
      if (next === null && isOver) await endLooks(context, payment);
    }
    throw error;
  }
  if (isPaid(payment)) await noteAnswer(context, id, true);
  // Only now: what the last look would have found must not be lost with the process.
  if (next === null) await endChecks(db, payment);
}

/** @throws PayPalError, SunPaySilence */
async function look(context: Context, payment: PaymentRow): Promise<void> {
  const { id } = payment;
  if (payment.state === 'paid') {
    const settled = await settle(context, id, []);
    // It can give nothing: its money has to go back, and may have done so by hand.
    if (settled?.state === 'paid') {
      await askAboutRefunds(context, settled);
      await sendBackRest(context, id);
    }
  } else if (payment.state === 'granted') await askAboutRefunds(context, payment);
  else if (payment.state !== 'refunded') await askProvider(context, payment);
}

/** Since its money came. */
const ageOf = ({ paidAt, createdAt }: PaymentRow, now: Date): number => now.getTime() - (paidAt ?? createdAt).getTime();

/** Returns when a payment is looked at again: soon at first, then less and less often. */
function nextCheck(context: Context, payment: PaymentRow, now: Date): Date | null {
  const { state, checks, createdAt, provider, unansweredSince } = payment;
  const after = (ms: number) => new Date(now.getTime() + ms);
  switch (isUngrantable(payment) ? 'granted' : state) {
    case 'created':
    case 'pending':
    case 'paid':
      return after(Math.min(MINUTE_MS * 2 ** Math.min(checks, 10), LONGEST_WAIT_MS));
    case 'failed':
    case 'expired': {
      // A provider that is switched off, or silent, is asked once it is back, however long that takes.
      const isOut = !context[provider] || unansweredSince !== null;
      return now.getTime() - createdAt.getTime() < LATE_MS || isOut ? after(DAY_MS) : null;
    }
    case 'granted': {
      const age = ageOf(payment, now);
      return age < REFUNDABLE_MS ? after(Math.min(Math.max(age, DAY_MS), 30 * DAY_MS)) : null;
    }
    default:
      return null;
  }
}

/** Stops the charges of what has ended, ever less often; after some time an operator has to do it at PayPal. */
async function stopEnded(context: Context, plan: SubscriptionRow, now: Date): Promise<void> {
  const { id, providerRef, endedAt, nextCheckAt } = plan;
  const since = endedAt ?? now;
  await updateSubscription(context.db, id, { nextCheckAt: retryAt(now, since, { least: MINUTE_MS, most: DAY_MS }) });
  const ref = providerRef ?? '';
  try {
    await stopAtPayPal(context, ref);
  } catch (error) {
    // After a long standstill of ours the first attempt that fails says nothing.
    const isRepeated = nextCheckAt !== null;
    if (isRepeated && now.getTime() - since.getTime() > STOP_MS) await reportUnstopped(context, ref);
    throw error;
  }
}

/**
 * Completes what was interrupted: payments that are not decided, paid ones that are not granted, refunds without an
 * answer, and subscriptions at PayPal that have ended here. A few at once: a provider that is slow for one of them holds up
 * no other. The next look at each is planned before its provider is asked.
 */
export async function reconcilePayments(context: Context, limits: ParallelLimits = AT_ONCE): Promise<void> {
  const { db, clock, log } = context;
  const now = clock.now();
  const each = <T extends { readonly id: string }>(rows: readonly T[], task: (row: T) => Promise<void>) =>
    inParallel(rows, limits, task, (err, { id }) => log.warn({ err, id }, 'A payment could not be reconciled now'));
  await each(await listDue(db, now, BATCH), ({ id }) => checkPayment(context, id, 0));
  await each(await listPendingRefunds(db, now, BATCH), (refund) => repeatRefund(context, refund, now));
  if (context.paypal) await each(await listUnstopped(db, now, BATCH), (row) => stopEnded(context, row, now));
  await deleteStrayEvents(db, new Date(now.getTime() - STRAY_DAYS * DAY_MS));
}
