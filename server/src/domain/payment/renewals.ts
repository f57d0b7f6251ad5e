import { byLanguage } from '@framelift/contract';
import type { Context } from '../../context.ts';
import { inParallel } from '../../platform/in-parallel.ts';
import { sendEmail } from '../../platform/mail/send-email.ts';
import { DAY_MS, MINUTE_MS, retryAt } from '../../platform/time.ts';
import { findSubscription, type SubscriptionRow, updateSubscription } from '../membership/membership.sql.ts';
import { dateIn } from '../notification/notification-text.ts';
import { notifyOfPayment } from '../notification/notify.ts';
import { findUser, findUserForUpdate } from '../user/user.sql.ts';
import { cardHandleOf, orderAtSunPay, requireSunPay } from './at-sunpay.ts';
import { LOOK_BACK_MS, SILENCE_MS, syncBilling } from './billing.ts';
import { AT_ONCE } from './jobs.ts';
import { nameOf, priceAt } from './offers.ts';
import {
  claimReminder,
  countFailedCharges,
  countOpenCharges,
  findPayment,
  findSold,
  LATEST_CHARGE_MS,
  listDueCharges,
  listEnding,
  listOverdueBillings,
  type PaymentRow,
} from './payment.sql.ts';
import { insertPurchase } from './purchase.ts';
import { type News, settle } from './settle.ts';

const BATCH = 200;
/** A card that was refused is tried again this long after the end of what is paid. */
const TRIES_MS = [0, 3 * DAY_MS, 7 * DAY_MS] as const;
/** Members are told about the end of what does not go on by itself so long before. */
const REMIND_MS = 3 * DAY_MS;

/** Charges the plans by card whose month is over, asks PayPal about silent renewals, and reminds of what ends. */
export async function renewDue(context: Context): Promise<void> {
  const { db, clock } = context;
  const now = clock.now();
  if (context.sunpay) {
    const due = await listDueCharges(db, now, TRIES_MS, BATCH);
    await each(context, due, (plan) => chargeDue(context, plan));
  }
  if (context.paypal) {
    const [since, before] = [new Date(now.getTime() - LOOK_BACK_MS), new Date(now.getTime() - SILENCE_MS)];
    const silent = await listOverdueBillings(db, now, { since, before, limit: BATCH });
    await each(context, silent, async ({ id, providerRef, paidUntil }) => {
      // First, so that one of which PayPal tells nothing waits longer each time.
      await updateSubscription(db, id, {
        nextCheckAt: retryAt(now, paidUntil ?? now, { least: SILENCE_MS, most: DAY_MS }),
      });
      if (providerRef) await syncBilling(context, providerRef);
    });
  }
  const ending = await listEnding(db, now, new Date(now.getTime() + REMIND_MS), BATCH);
  await each(context, ending, (row) => remind(context, row));
}

/** One that fails, or whose provider is slow, must not keep the others from being renewed; the next run repeats it. */
function each(
  { log }: Context,
  rows: readonly SubscriptionRow[],
  task: (row: SubscriptionRow) => Promise<unknown>,
): Promise<void> {
  return inParallel(rows, AT_ONCE, task, (err, { id: subscriptionId }) =>
    log.error({ err, subscriptionId }, 'A subscription could not be looked after'),
  );
}

async function chargeDue(context: Context, plan: SubscriptionRow): Promise<void> {
  const at = await nextCharge(context, plan);
  if (!at || at > context.clock.now()) return;
  const payment = await beginCharge(context, plan.id, null);
  if (payment) await sendCharge(context, payment);
}

/**
 * Returns when a plan is charged by itself next, now for one that is due; null for one that is not. A card that was refused
 * is tried again by us; PayPal charges a plan that it has suspended no more.
 */
export async function nextCharge({ db, clock }: Context, plan: SubscriptionRow): Promise<Date | null> {
  const { id, state, paidUntil, provider, renews, cancelAtEnd } = plan;
  if (!renews || cancelAtEnd || state === 'ended' || !paidUntil) return null;
  if (state === 'suspended' && provider === 'paypal') return null;
  const failed = state === 'suspended' ? await countFailedCharges(db, id, paidUntil) : 0;
  const wait = TRIES_MS[failed];
  const [end, now] = [paidUntil.getTime(), clock.now().getTime()];
  // After a long standstill of ours the attempts that are left are not made: `listDueCharges`.
  if (wait === undefined || (state === 'suspended' && now - end >= LATEST_CHARGE_MS)) return null;
  return new Date(Math.max(end + wait, now));
}

/**
 * Makes the payment of one renewal by card: before the card is charged, so that its outcome is never lost. Null where
 * another charge is under way, or nothing is due any more.
 * @param requestKey of an attempt of the member; null for one of ours, of which there are only so many
 */
export async function beginCharge(
  context: Context,
  subscriptionId: string,
  requestKey: string | null,
): Promise<PaymentRow | null> {
  const { db, clock } = context;
  return db.transaction(async (tx) => {
    const seen = await findSubscription(tx, subscriptionId);
    const user = seen && (await findUserForUpdate(tx, seen.userId));
    const plan = user && (await findSubscription(tx, subscriptionId));
    const now = clock.now();
    if (!user || !plan?.token || plan.provider !== 'sunpay' || plan.state === 'ended' || plan.cancelAtEnd) return null;
    if (!plan.paidUntil || plan.paidUntil > now || (await countOpenCharges(tx, plan.id)) > 0) return null;
    const sold = plan.offerId === null ? undefined : await findSold(tx, plan.offerId);
    const price = sold && priceAt(sold, 'sunpay');
    if (!price) return null;
    const { id: userId, language } = user;
    return insertPurchase(context, tx, {
      ...{ userId, sold, price, language, subscriptionId: plan.id, requestKey, checkAfterMs: MINUTE_MS },
      ...{ provider: 'sunpay', route: 'charge', state: 'pending', pendingReason: 'charging' },
    });
  });
}

/** Charges the card, and settles a refusal at once. Whether money moved is told by a callback, or by asking. */
export async function sendCharge(context: Context, payment: PaymentRow): Promise<PaymentRow | undefined> {
  return settle(context, payment.id, await charge(context, payment));
}

/** Sends a charge that is under way, possibly again, under the number of its payment. */
export async function charge(context: Context, { id }: Pick<PaymentRow, 'id'>): Promise<readonly News[]> {
  const { db, cardTokens } = context;
  const payment = await findPayment(db, id);
  const plan = payment?.subscriptionId ? await findSubscription(db, payment.subscriptionId) : undefined;
  const user = plan && (await findUser(db, plan.userId));
  const sold = payment && (await findSold(db, payment.offerId));
  if (!payment || !plan?.token || !user || !sold) return [{ kind: 'declined', code: 'noCard' }];
  // Decided while SunPay was asked, or long ago: the plan may have been paid by another charge since.
  if (payment.state !== 'pending') return [];
  // The member cancelled between two attempts.
  if (plan.state === 'ended') return [{ kind: 'declined', code: 'planEnded' }];
  const answer = await requireSunPay(context).chargeToken({
    ...orderAtSunPay(payment, sold, user),
    cardHandle: cardHandleOf(user.id),
    tokenKey: cardTokens.decrypt(plan.token, user.id),
  });
  switch (answer.state) {
    case 'refused':
      return [{ kind: 'declined', code: answer.code }];
    case 'accepted':
      // Nobody is there to confirm it at the bank.
      return answer.needsOwner ? [{ kind: 'declined', code: 'needsOwner' }] : [{ kind: 'pending', reason: 'accepted' }];
    default:
      return [{ kind: 'pending', reason: 'unknown' }];
  }
}

async function remind(context: Context, { id }: SubscriptionRow): Promise<void> {
  const { db, clock, settings } = context;
  await db.transaction(async (tx) => {
    const row = await findSubscription(tx, id);
    const user = row && (await findUser(tx, row.userId));
    const sold = row?.offerId ? await findSold(tx, row.offerId) : undefined;
    if (!row?.paidUntil || !user || !sold) return;
    const reminder = { subscriptionId: id, kind: 'ending', paidUntil: row.paidUntil, createdAt: clock.now() };
    // Claimed without an address, too: otherwise it would take the others' turn in each run.
    if (!(await claimReminder(tx, reminder)) || !user.email) return;
    const { language } = user;
    const values = { item: nameOf(sold, language), date: dateIn(row.paidUntil, language) };
    const link = `${settings.publicUrl}/subscribedetail`;
    const data = { name: user.name, link, values };
    await sendEmail(context, tx, { userId: user.id, to: user.email, language, template: 'subscriptionEnding', data });
    const told = { userId: user.id, name: byLanguage((of) => nameOf(sold, of)), endsAt: row.paidUntil };
    await notifyOfPayment(context, tx, 'subscriptionEnding', told);
  });
}
