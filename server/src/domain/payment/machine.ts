import type { Money } from '@framelift/contract';
import type { PAYMENT_STATES } from '../../platform/db/schema.ts';

export type PaymentState = (typeof PAYMENT_STATES)[number];

/** What is known about the money of a payment. It comes from a provider or, for `expired`, from us. */
export type Evidence =
  | { readonly kind: 'captured'; readonly captureId: string; readonly money: Money }
  /** It may still come: under review, a code to pay with later, or an answer that was lost. */
  | { readonly kind: 'pending'; readonly reason: string }
  | { readonly kind: 'declined'; readonly code: string }
  /** Nobody waits for it any more. */
  | { readonly kind: 'expired' }
  /** All refunds together, in minor units of the payment. */
  | { readonly kind: 'refunded'; readonly total: number };

export interface Payment {
  readonly state: PaymentState;
  readonly amount: number;
  readonly currency: string;
  readonly captureId: string | null;
}

/** What a person has to look at. Nothing is granted for it. */
export type Problem = 'amountMismatch' | 'foreignCurrency' | 'paidTwice';

export type Step =
  | { readonly kind: 'stay' }
  | { readonly kind: 'move'; readonly to: PaymentState }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** A state is only ever left for one of a higher rank. */
export const RANKS: Readonly<Record<PaymentState, number>> = {
  created: 0,
  pending: 1,
  failed: 2,
  expired: 2,
  paid: 3,
  granted: 4,
  refunded: 5,
};

const STAY: Step = { kind: 'stay' };

/** Returns whether the money has come, and perhaps gone again. */
export function isPaid({ state }: Pick<Payment, 'state'>): boolean {
  return RANKS[state] >= RANKS.paid;
}

/**
 * Returns what evidence makes of a payment. Pure, and in any order and number: evidence that was seen before, or that
 * something later has overtaken, changes nothing. Money that arrives for a payment that failed or expired is paid all
 * the same: the buyer has parted with it.
 */
export function next(payment: Payment, evidence: Evidence): Step {
  switch (evidence.kind) {
    case 'captured':
      return onCaptured(payment, evidence);
    case 'pending':
      return upTo(payment, 'pending');
    case 'declined':
      return upTo(payment, 'failed');
    case 'expired':
      return upTo(payment, 'expired');
    case 'refunded':
      return isPaid(payment) && evidence.total >= payment.amount ? upTo(payment, 'refunded') : STAY;
  }
}

function onCaptured(payment: Payment, { captureId, money }: Extract<Evidence, { kind: 'captured' }>): Step {
  if (isPaid(payment)) return captureId === payment.captureId ? STAY : { kind: 'problem', problem: 'paidTwice' };
  if (money.currency !== payment.currency) return { kind: 'problem', problem: 'foreignCurrency' };
  if (money.amount !== payment.amount) return { kind: 'problem', problem: 'amountMismatch' };
  return { kind: 'move', to: 'paid' };
}

function upTo({ state }: Payment, to: PaymentState): Step {
  return RANKS[to] > RANKS[state] ? { kind: 'move', to } : STAY;
}
