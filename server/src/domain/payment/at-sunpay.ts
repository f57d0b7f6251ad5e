import { createHash } from 'node:crypto';
import { type CardFields, currencyCode, type Money, type PaymentStep } from '@framelift/contract';
import type { Context } from '../../context.ts';
import type { SunPay, SunPayCallback } from '../../platform/payments/sunpay/client.ts';
import { fitSunPayText, type SunPayOrder } from '../../platform/payments/sunpay/request.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/time.ts';
import type { UserRow } from '../user/user.sql.ts';
import { nameOf, tdOf } from './offers.ts';
import { type PaymentRow, type Sold, updatePayment } from './payment.sql.ts';
import type { News } from './settle.ts';
import { CODE_MS } from './unanswered.ts';

/** A pay page that nobody used is given up after this time. */
const PAGE_MS = DAY_MS;
/** A charge of which SunPay knows nothing is sent again after this time, and given up after some attempts. */
const LOST_MS = 5 * MINUTE_MS;
const RESENDS = 5;
const INFO_CHARACTERS = 50;
const EMAIL_CHARACTERS = 100;

/** SunPay did not tell what became of a payment. */
export class SunPaySilence extends Error {
  constructor(reason: string) {
    super(`SunPay does not tell what became of a payment: ${reason}`);
    this.name = 'SunPaySilence';
  }
}

/** @throws SunPaySilence if SunPay is switched off: a job, or an operator, asks again once it is back */
export function requireSunPay({ sunpay }: Pick<Context, 'sunpay'>): SunPay {
  if (!sunpay) throw new SunPaySilence('it is switched off');
  return sunpay;
}

/** The name under which SunPay keeps the card of a member: letters and digits only. */
export function cardHandleOf(userId: string): string {
  return userId.replaceAll('-', '');
}

/** Returns the order as SunPay takes it. It shows the buyer what they pay for in their language. */
export function orderAtSunPay(payment: PaymentRow, sold: Sold, user: Pick<UserRow, 'email' | 'name'>): SunPayOrder {
  const email = user.email ?? '';
  return {
    td: tdOf(payment),
    amount: payment.amount,
    info: [...nameOf(sold, payment.language)].slice(0, INFO_CHARACTERS).join('').trim(),
    name: fitSunPayText(user.name),
    note: tdOf(payment),
    language: payment.language,
    ...(email.length > 0 && email.length <= EMAIL_CHARACTERS ? { email } : {}),
  };
}

/** Signs the fields of a first payment. Those of route 2 are remembered: only these may be sent on, once. */
export async function beginAtSunPay(
  context: Context,
  sunpay: SunPay,
  payment: PaymentRow,
  sold: Sold,
  user: UserRow,
): Promise<PaymentStep> {
  const order = orderAtSunPay(payment, sold, user);
  if (payment.route === 'cash') return { kind: 'form', route: 1, ...sunpay.cashForm(order) };
  const fields = sunpay.tokenForm({ ...order, cardHandle: cardHandleOf(user.id) });
  await updatePayment(context.db, payment.id, { formHash: hashOf(fields), formAt: context.clock.now() });
  return { kind: 'token', route: 2, fields };
}

export function hashOf({ web, send_time, rsamsg, check_value }: CardFields): string {
  return createHash('sha256')
    .update(JSON.stringify([web, send_time, rsamsg, check_value]))
    .digest('base64url');
}

/** Returns what a verified message tells. */
export function newsOf(context: Context, callback: SunPayCallback, userId: string | null): News {
  switch (callback.result) {
    case 'success': {
      const { tradeNo: captureId, amount, currency, tokenKey } = callback;
      const cardToken = tokenKey && userId ? { cardToken: context.cardTokens.encrypt(tokenKey, userId) } : {};
      return { kind: 'captured', captureId, money: moneyOf(amount, currency), ...cardToken };
    }
    case 'failure':
      return { kind: 'declined', code: 'cardDeclined' };
    default:
      return { kind: 'pending', reason: 'code' };
  }
}

/** A currency that is none of ours is not that of the payment either. */
function moneyOf(amount: number, currency: string): Money {
  return { amount, currency: currencyCode.safeParse(currency).data ?? ('' as Money['currency']) };
}

/**
 * Asks SunPay about a payment. `resend` sends a charge again of which SunPay knows nothing: under the same number, so
 * that it can be charged once only.
 * @throws SunPaySilence
 */
export async function askSunPay(
  context: Context,
  payment: PaymentRow,
  resend: () => Promise<readonly News[]>,
): Promise<readonly News[]> {
  const check = await requireSunPay(context).checkPayment({ td: tdOf(payment) });
  const age = context.clock.now().getTime() - payment.createdAt.getTime();
  const isCharge = payment.route === 'charge';
  switch (check.state) {
    case 'success':
    case 'refunded': {
      const { tradeNo, amount, currency } = check;
      const captureId = tradeNo ?? tdOf(payment);
      const captured = { kind: 'captured', captureId, money: moneyOf(amount ?? 0, currency) } as const;
      return check.state === 'success'
        ? [captured]
        : [
            { ...captured, isBack: true },
            { kind: 'reversed', reversalId: `sunpay:${captureId}`, ifWhole: true },
          ];
    }
    case 'failure':
    case 'cancelled':
      return [{ kind: 'declined', code: check.state === 'failure' ? 'cardDeclined' : 'cancelled' }];
    case 'notFound':
      if (isCharge && age > LOST_MS) {
        return payment.checks < RESENDS ? resend() : [{ kind: 'declined', code: 'notFound' }];
      }
      return !isCharge && age > PAGE_MS ? [{ kind: 'expired' }] : [];
    case 'unfinished':
      if (isCharge) return age > HOUR_MS ? [{ kind: 'declined', code: 'unfinished' }] : [];
      return age > (payment.pendingReason === 'code' ? CODE_MS : PAGE_MS) ? [{ kind: 'expired' }] : [];
    default:
      throw new SunPaySilence(check.reason);
  }
}
