import { byLanguage, formatMoney } from '@framelift/contract';
import { textsIn } from '@framelift/texts/node';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import type { Template } from '../../platform/mail/email-templates.ts';
import { sendEmail } from '../../platform/mail/send-email.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/time.ts';
import {
  findLiveSubscription,
  findSubscription,
  type SubscriptionRow,
  updateSubscription,
} from '../membership/membership.sql.ts';
import { grantSubscription, renewSubscription, suspendSubscription } from '../membership/subscriptions.ts';
import { dateIn } from '../notification/notification-text.ts';
import { notifyAdmins, notifyOfPayment } from '../notification/notify.ts';
import { changePoints } from '../points/points.ts';
import type { UserRow } from '../user/user.sql.ts';
import { writeEvent } from './events.ts';
import { stopBilling } from './jobs.ts';
import { type Evidence, isPaid, next, type PaymentState, type Problem, RANKS } from './machine.ts';
import { billingRef, methodOf, nameOf, type Provider, tdOf } from './offers.ts';
import {
  findPayment,
  findPaymentBy,
  findSold,
  insertRefund,
  listRefunds,
  lockPayment,
  type PaymentRow,
  type RefundRow,
  type Sold,
  updatePayment,
  updateRefund,
} from './payment.sql.ts';
import { takeBack } from './take-back.ts';
import { isUnanswered } from './unanswered.ts';

/** What a provider told about a payment. */
export type News =
  | (Evidence & {
      /** When the money moved, if the provider says so. */
      readonly at?: Date;
      /** All of the money has gone back since. */
      readonly isBack?: boolean;
      /** The card that paid, encrypted. */
      readonly cardToken?: string;
      /** The buyer gives it up, which is possible only while nothing is under way. */
      readonly byBuyer?: true;
      /** A subscription at PayPal that must charge nothing from now on. */
      readonly stop?: string;
    })
  /** The card of a plan, encrypted, in a message that is too late to be the proof of its money. */
  | { readonly kind: 'card'; readonly token: string }
  /** What the provider has is not what was ordered. It was not captured, and never is. */
  | { readonly kind: 'foreign'; readonly problem: Problem | 'foreignOrder'; readonly orderId: string }
  | { readonly kind: 'refund'; readonly refundId: string; readonly amount: number }
  /**
   * The provider has taken back all that was left. With `ifWhole` it does not tell how much: where a part is recorded, the
   * rest may still be there.
   */
  | { readonly kind: 'reversed'; readonly reversalId: string; readonly ifWhole?: true };

/** Why money went back that the provider took back by itself. */
const REVERSED = 'reversed';

/** Problems of a paid payment for which there is nothing to grant: the money has to go back. */
const UNGRANTABLE = ['noMember', 'subscriptionEnded'];

export function isUngrantable({ state, problem }: Pick<PaymentRow, 'state' | 'problem'>): boolean {
  return state === 'paid' && UNGRANTABLE.includes(problem ?? '');
}

/** A grant that has not followed by then was interrupted. */
const GRANT_MS = 10_000;

/**
 * Applies what a provider told to a payment, and grants what is paid. The only writer of the states. Two transactions,
 * each repeatable: what a crash leaves between them, or after either, the next check of the payment completes.
 */
export async function settle(context: Context, id: string, news: readonly News[]): Promise<PaymentRow | undefined> {
  const settled = await context.db.transaction(async (tx) => {
    const locked = await lockPayment(tx, id);
    if (!locked) return undefined;
    let { payment } = locked;
    for (const one of news) payment = await apply(context, tx, payment, locked.user, one);
    return payment;
  });
  if (settled?.state !== 'paid') return settled;
  await grant(context, id);
  return findPayment(context.db, id);
}

/**
 * Ends a payment that `isUnanswered`: an operator has looked at its provider, and nothing was charged. A renewal is tried
 * again, or paid by the member; a purchase is begun anew. Returns it before and after, undefined for any other, which stays
 * as it is.
 */
export async function closeUnanswered(
  context: Context,
  tx: Tx,
  id: string,
): Promise<{ readonly before: PaymentRow; readonly after: PaymentRow } | undefined> {
  const locked = await lockPayment(tx, id);
  if (!locked || !isUnanswered(context, locked.payment)) return undefined;
  const { payment: before, user } = locked;
  const after =
    before.subscriptionId === null
      ? await expire(context, tx, before, 'notCharged')
      : await apply(context, tx, before, user, { kind: 'declined', code: 'notCharged' });
  return { before, after };
}

async function apply(
  context: Context,
  tx: Tx,
  payment: PaymentRow,
  user: UserRow | undefined,
  news: News,
): Promise<PaymentRow> {
  if (news.kind === 'refund' || news.kind === 'reversed') return applyRefund(context, tx, payment, user, news);
  if (news.kind === 'card') return keepCard(tx, payment, news.token);
  if (news.kind === 'foreign') return report(context, tx, payment, news.problem, { orderId: news.orderId });
  if (news.byBuyer && payment.state === 'pending' && !isCancellable(payment)) return payment;
  const now = context.clock.now();
  const step = next({ ...payment, captureId: payment.providerCaptureId }, news);
  if (step.kind === 'problem') {
    // It went back: nothing is left to do, but to stop what would go on charging it.
    const wrong = { ...payment, problem: step.problem };
    if (news.isBack) return RANKS[payment.state] < RANKS.expired ? expire(context, tx, wrong, 'cancelled') : payment;
    const body = news.kind === 'captured' ? { captureId: news.captureId, ...news.money } : {};
    // Nobody has a plan for it, and PayPal would charge it every month. Once: to stop it reads its charges again.
    const ref = !isPaid(payment) && payment.subscriptionId === null ? billingRef(payment) : null;
    if (ref && payment.problem !== step.problem) await context.jobs.enqueue(tx, stopBilling, { ref });
    return report(context, tx, payment, step.problem, body);
  }
  if (step.kind === 'stay') {
    if (news.kind === 'pending' && payment.state === 'pending' && payment.pendingReason !== news.reason) {
      return updatePayment(tx, payment.id, { pendingReason: news.reason });
    }
    return news.kind === 'captured' ? keepCard(tx, payment, news.cardToken) : payment;
  }
  switch (news.kind) {
    case 'captured': {
      const { captureId, at = now, cardToken = payment.cardToken } = news;
      const other = await findPaymentBy(tx, { captureId }, payment.provider);
      if (other) return report(context, tx, payment, 'captureOfOther', { captureId, other: tdOf(other) });
      return change(context, tx, payment, {
        state: step.to,
        providerCaptureId: captureId,
        paidAt: new Date(Math.min(at.getTime(), now.getTime())),
        cardToken,
        endedAt: null,
        pendingReason: null,
        failureCode: null,
        formHash: null,
        ...checkAfter(now, GRANT_MS),
      });
    }
    case 'pending':
      return change(context, tx, payment, {
        state: step.to,
        pendingReason: news.reason,
        ...checkAfter(now, MINUTE_MS),
      });
    case 'declined': {
      const { code: failureCode } = news;
      const ended = { failureCode, endedAt: now, ...checkAfter(now, lateCheckMs(payment)) };
      const failed = await change(context, tx, payment, { state: step.to, ...ended });
      if (payment.route === 'charge' && user) await suspendFor(context, tx, failed, user);
      if (news.stop) await context.jobs.enqueue(tx, stopBilling, { ref: news.stop });
      return failed;
    }
    default:
      return expire(context, tx, payment, news.byBuyer ? 'cancelled' : null);
  }
}

/**
 * Returns whether the buyer may cancel a pending payment: one by a code, and one that waits for an operator, because
 * nothing is captured or granted for it any more by itself.
 */
export const isCancellable = ({ pendingReason, problem }: Pick<PaymentRow, 'pendingReason' | 'problem'>): boolean =>
  pendingReason === 'code' || problem !== null;

/**
 * Keeps the card of a plan until its money has come. It may also be told after the money was found by asking: from then on
 * the plan renews by itself.
 */
async function keepCard(tx: Tx, payment: PaymentRow, token: string | undefined): Promise<PaymentRow> {
  if (token === undefined || payment.route !== 'token') return payment;
  if (RANKS[payment.state] <= RANKS.paid) return updatePayment(tx, payment.id, { cardToken: token });
  const plan = payment.subscriptionId && (await findSubscription(tx, payment.subscriptionId));
  if (plan && plan.provider === 'sunpay' && plan.token === null) {
    await updateSubscription(tx, plan.id, { token, renews: true });
  }
  return payment;
}

/**
 * Returns how long after its end a payment is asked about again: a buyer may still pay on a page of the card provider,
 * or approve a subscription, that was opened before, and SunPay may carry out a charge late. An order at PayPal cannot be
 * paid without us.
 */
function lateCheckMs({ route }: Pick<PaymentRow, 'route'>): number | null {
  if (route === 'order') return null;
  return route === 'billing' ? DAY_MS : HOUR_MS;
}

/**
 * Ends a payment for which nobody waits any more. The payment is locked.
 * @param failureCode null for one that was never paid
 */
export async function expire(
  context: Context,
  tx: Tx,
  payment: PaymentRow,
  failureCode: 'cancelled' | 'replaced' | 'notCharged' | null,
): Promise<PaymentRow> {
  const now = context.clock.now();
  // It is approved, perhaps unseen, or has charged another amount: PayPal would go on to charge it by itself.
  const isStopped = payment.state === 'pending' || payment.problem || failureCode === 'notCharged';
  const ref = isStopped ? billingRef(payment) : null;
  if (ref) await context.jobs.enqueue(tx, stopBilling, { ref });
  const ended = { state: 'expired', failureCode, endedAt: now, formHash: null } as const;
  // The capture of one that is pending may have taken its money.
  const again = lateCheckMs(payment) ?? (payment.state === 'pending' ? DAY_MS : null);
  return change(context, tx, payment, { ...ended, ...checkAfter(now, again) });
}

const checkAfter = (now: Date, ms: number | null) => ({
  nextCheckAt: ms === null ? null : new Date(now.getTime() + ms),
  checks: 0,
});

/** Changes a payment and writes what happened into its history. */
async function change(
  context: Context,
  tx: Tx,
  payment: PaymentRow,
  values: Partial<PaymentRow> & { readonly state: PaymentState },
): Promise<PaymentRow> {
  const { state, providerCaptureId, failureCode, pendingReason } = values;
  const told = {
    from: payment.state,
    captureId: providerCaptureId,
    code: failureCode ?? undefined,
    reason: pendingReason ?? undefined,
  };
  await writeEvent(context, tx, payment.id, `state.${state}`, told);
  context.log.info({ paymentId: payment.id, from: payment.state, to: state }, 'A payment changed its state');
  return updatePayment(tx, payment.id, values);
}

/** Leaves a payment to an operator, who is told once of the same problem. */
export async function reportProblem(
  context: Context,
  { id }: Pick<PaymentRow, 'id'>,
  problem: string,
  body: Record<string, unknown> = {},
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const locked = await lockPayment(tx, id);
    if (locked) await report(context, tx, locked.payment, problem, body);
  });
}

/** Leaves a payment to an operator. */
async function report(
  context: Context,
  tx: Tx,
  payment: PaymentRow,
  problem: string,
  body: Record<string, unknown>,
): Promise<PaymentRow> {
  context.log.error({ paymentId: payment.id, problem, ...body }, 'A payment needs an operator');
  if (payment.problem === problem) return payment;
  await writeEvent(context, tx, payment.id, `problem.${problem}`, body);
  await notifyAdmins(context, tx, 'paymentProblem');
  // One that is paid is still to be granted, and asked about for refunds; one that has ended, about money that comes late.
  const later = RANKS[payment.state] < RANKS.failed ? { nextCheckAt: null } : {};
  return updatePayment(tx, payment.id, { problem, ...later });
}

async function applyRefund(
  context: Context,
  tx: Tx,
  payment: PaymentRow,
  user: UserRow | undefined,
  news: Extract<News, { kind: 'refund' | 'reversed' }>,
): Promise<PaymentRow> {
  // Its capture comes first: whoever calls has read that from the provider too.
  if (!isPaid(payment)) return payment;
  const now = context.clock.now();
  const rows = await listRefunds(tx, payment.id);
  const sumOf = (states: readonly string[]) =>
    rows.filter(({ state }) => states.includes(state)).reduce((sum, { amount }) => sum + amount, 0);
  const done = sumOf(['completed']);
  const refundId = news.kind === 'refund' ? news.refundId : news.reversalId;
  const known = rows.find(({ providerRefundId }) => providerRefundId === refundId);
  if (known?.state === 'completed') return payment;
  if (news.kind === 'reversed' && news.ifWhole && rows.some(({ state }) => state !== 'failed')) return payment;
  const amount = news.kind === 'refund' ? news.amount : payment.amount - done;
  if (amount <= 0) return payment;
  // One of ours, whose answer was overtaken by the provider's message.
  const own = known ?? rows.find((row) => row.state === 'pending' && !row.providerRefundId && row.amount === amount);
  const complete = async () => {
    if (own) {
      await updateRefund(tx, own.id, { state: 'completed', amount, providerRefundId: refundId, endedAt: now });
      return;
    }
    const reason = news.kind === 'refund' ? 'refundedAtProvider' : REVERSED;
    const values = { id: context.ids.uuid(), paymentId: payment.id, amount, reason, providerRefundId: refundId };
    await insertRefund(tx, { ...values, state: 'completed', createdAt: now, endedAt: now });
  };
  if (done + amount > payment.amount) {
    // It crossed with a reversal, which was told as the sum of all that was left: this is a part of that.
    const whole = rows.find((row) => row.state === 'completed' && row.reason === REVERSED && row.amount >= amount);
    if (!whole && done === payment.amount) return payment;
    if (!whole) return report(context, tx, payment, 'refundedTooMuch', { refundId, amount });
    const rest = whole.amount - amount;
    await updateRefund(tx, whole.id, rest > 0 ? { amount: rest } : { state: 'failed', failureCode: 'toldInParts' });
    await complete();
    await writeEvent(context, tx, payment.id, 'refund.part', { refundId, amount, total: payment.amount });
    return payment;
  }
  await complete();
  const refunded = done + amount;
  const step = next({ ...payment, captureId: payment.providerCaptureId }, { kind: 'refunded', total: refunded });
  await writeEvent(context, tx, payment.id, 'refunded', { refundId, amount, total: refunded });
  if (user) await tellOfPayment(context, tx, payment, user, 'paymentRefunded', { price: amount });
  if (step.kind !== 'move') return updatePayment(tx, payment.id, { refunded });
  if (payment.state === 'granted' && user) await takeBack(context, tx, payment);
  // Without a plan nobody would ask about what PayPal goes on charging.
  const ref = payment.state === 'paid' && payment.subscriptionId === null ? billingRef(payment) : null;
  if (ref) await context.jobs.enqueue(tx, stopBilling, { ref });
  return change(context, tx, payment, { state: step.to, refunded, endedAt: now, nextCheckAt: null });
}

/**
 * Grants what was paid, once: in the transaction that marks it as granted, with the entry in the ledger of points and the
 * receipt. An interrupted one is repeated by the reconciliation.
 */
async function grant(context: Context, id: string): Promise<void> {
  const { db, clock } = context;
  await db.transaction(async (tx) => {
    const locked = await lockPayment(tx, id);
    if (locked?.payment.state !== 'paid' || isUngrantable(locked.payment)) return;
    const { payment, user } = locked;
    const sold = await findSold(tx, payment.offerId);
    if (!sold) throw new Error(`The offer ${payment.offerId} of a payment is gone`);
    const given = user ? await give(context, tx, payment, sold, user.id) : 'noMember';
    if (typeof given === 'string') return sendBack(context, tx, payment, given);
    const { subscriptionId } = given;
    const granted = { state: 'granted', grantedAt: clock.now(), subscriptionId, cardToken: null } as const;
    await change(context, tx, payment, { ...granted, ...checkAfter(clock.now(), DAY_MS) });
    if (user) await tellOfPayment(context, tx, payment, user, 'receipt', {});
  });
}

/** Returns what was given, or why nothing can be. */
async function give(
  context: Context,
  tx: Tx,
  payment: PaymentRow,
  sold: Sold,
  userId: string,
): Promise<{ subscriptionId: string | null } | 'subscriptionEnded'> {
  const { offer, plan } = sold;
  const { id: reference, provider, route, language } = payment;
  const note = nameOf(sold, language);
  const paidAt = payment.paidAt ?? context.clock.now();
  if (offer.kind === 'points') {
    await changePoints(context, tx, {
      userId,
      kind: 'points',
      reason: 'pack',
      reference,
      amount: offer.points ?? 0,
      note,
    });
    return { subscriptionId: null };
  }
  if (offer.kind === 'product') {
    const { subscription } = await grantSubscription(context, tx, { userId, offer, provider, paidAt, renews: false });
    return { subscriptionId: subscription.id };
  }
  let subscriptionId = payment.subscriptionId;
  if (subscriptionId !== null) {
    const months = offer.period ?? 1;
    if (!(await renewSubscription(tx, subscriptionId, { paidAt, months }))) return 'subscriptionEnded';
  } else {
    const before = await findLiveSubscription(tx, userId, { kind: 'plan' });
    const providerRef = billingRef(payment);
    const renews = route === 'billing' || payment.cardToken !== null;
    const paid = { userId, offer, provider, paidAt, renews, providerRef, token: payment.cardToken };
    const { subscription } = await grantSubscription(context, tx, paid);
    await stopOther(context, tx, before, providerRef);
    subscriptionId = subscription.id;
  }
  const points = { userId, kind: 'points', reason: 'plan', reference, amount: plan?.points ?? 0, note } as const;
  await changePoints(context, tx, points);
  return { subscriptionId };
}

/** Another subscription at PayPal has charged the plan until now. */
async function stopOther(
  { jobs }: Context,
  tx: Tx,
  before: SubscriptionRow | undefined,
  providerRef: string | null,
): Promise<void> {
  const ref = before?.provider === 'paypal' ? before.providerRef : null;
  if (ref && ref !== providerRef) await jobs.enqueue(tx, stopBilling, { ref });
}

/** Sends money back for which there is nothing to give: by itself where the provider lets us, else by an operator. */
async function sendBack(context: Context, tx: Tx, payment: PaymentRow, problem: string): Promise<void> {
  const reported = await report(context, tx, payment, problem, {});
  // Whether it went back by hand is asked, as of what was granted.
  await updatePayment(tx, payment.id, checkAfter(context.clock.now(), DAY_MS));
  if (payment.provider !== 'paypal' || reported.state !== 'paid') return;
  const refund = { id: context.ids.uuid(), amount: null, reason: problem, actorId: null };
  await insertPendingRefund(context, tx, payment, refund);
}

/** Leaves the answer of a call in progress this time to arrive. */
const PATIENCE_MS = MINUTE_MS;

/**
 * Records a refund before the provider is asked for it: a part, or all that is left for null. Undefined where so much is
 * not left, because all refunds that did not fail are together never more than what was paid. The payment is locked.
 */
export async function insertPendingRefund(
  context: Context,
  tx: Tx,
  { id: paymentId, amount: paid }: PaymentRow,
  refund: { id: string; amount: number | null; reason: string; actorId: string | null },
): Promise<RefundRow | undefined> {
  const rows = await listRefunds(tx, paymentId);
  const left = paid - rows.filter(({ state }) => state !== 'failed').reduce((sum, row) => sum + row.amount, 0);
  const amount = refund.amount ?? left;
  if (amount <= 0 || amount > left) return undefined;
  const createdAt = context.clock.now();
  await writeEvent(context, tx, paymentId, 'refund.begun', { amount });
  const nextCheckAt = new Date(createdAt.getTime() + PATIENCE_MS);
  return insertRefund(tx, { ...refund, paymentId, amount, state: 'pending', createdAt, nextCheckAt });
}

/** A renewal failed: the plan is suspended until it is paid, and the member is told. */
async function suspendFor(context: Context, tx: Tx, payment: PaymentRow, user: UserRow): Promise<void> {
  if (payment.subscriptionId === null) return;
  const before = await findSubscription(tx, payment.subscriptionId);
  if (before?.state !== 'active') return;
  await suspendSubscription(context, tx, payment.subscriptionId);
  await tellOfPayment(context, tx, payment, user, 'renewalFailed', {});
}

const NOTICES = {
  receipt: 'paymentReceived',
  paymentRefunded: 'paymentRefunded',
  renewalFailed: 'renewalFailed',
} as const;

/**
 * Tells a member about a payment: by a notification, and by an email in the language in which it was made. `price` replaces
 * the whole amount.
 */
export async function tellOfPayment(
  context: Context,
  tx: Tx,
  payment: PaymentRow,
  user: UserRow,
  template: Extract<Template, 'receipt' | 'renewalFailed' | 'paymentRefunded'>,
  { price = payment.amount }: { readonly price?: number },
): Promise<void> {
  const { language } = payment;
  const sold = await findSold(tx, payment.offerId);
  const { publicUrl } = context.settings;
  const link = `${publicUrl}/${template === 'renewalFailed' ? 'subscribedetail' : 'order'}`;
  const values = {
    item: sold ? nameOf(sold, language) : '',
    price: formatMoney({ amount: price, currency: payment.currency }, language),
    number: tdOf(payment),
    date: dateIn(payment.paidAt ?? context.clock.now(), language),
    method: methodName(payment.provider, language),
  };
  const data = { name: user.name, link, values };
  await sendEmail(context, tx, { userId: user.id, to: user.email ?? '', language, template, data });
  if (!sold) return;
  const told = { amount: price, currency: payment.currency };
  await notifyOfPayment(context, tx, NOTICES[template], {
    userId: user.id,
    name: byLanguage((of) => nameOf(sold, of)),
    price: told,
  });
}

function methodName(provider: Provider, language: PaymentRow['language']): string {
  return textsIn(language, 'emails')(`methods.${methodOf(provider)}`);
}
