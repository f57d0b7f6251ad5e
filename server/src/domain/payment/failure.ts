import type { PaymentFailure } from '@framelift/contract';
import type { PaymentRow } from './payment.sql.ts';
import { isUngrantable } from './settle.ts';

/** Codes that are not a refusal of the bank or of PayPal. */
const FAILURES: Readonly<Record<string, PaymentFailure>> = {
  cancelled: 'cancelled',
  // The subscription at PayPal, and the plan here, before it could be charged.
  CANCELLED: 'cancelled',
  planEnded: 'cancelled',
  replaced: 'replaced',
  EXPIRED: 'expired',
  noCard: 'noCard',
  needsOwner: 'needsOwner',
  // A charge that never reached SunPay, or never came to an end there.
  notFound: 'providerUnreachable',
  unfinished: 'providerUnreachable',
  // An operator has found nothing at the silent provider.
  notCharged: 'providerUnreachable',
};

/** Begins the code of a payment that its provider did not begin; what the provider said follows. */
export const NOT_STARTED = 'notStarted';

/** Returns why a payment brought nothing; null while it is under way, and for one that was paid. */
export function failureOf(payment: Pick<PaymentRow, 'state' | 'problem' | 'failureCode'>): PaymentFailure | null {
  const { state, problem, failureCode: code } = payment;
  switch (state) {
    case 'created':
    case 'pending':
      return problem === null ? null : 'inReview';
    case 'paid':
      return isUngrantable(payment) ? 'inReview' : null;
    case 'failed':
    case 'expired':
      if (problem !== null) return 'inReview';
      if (code === null) return state === 'failed' ? 'declined' : 'expired';
      return code.startsWith(NOT_STARTED) ? 'providerUnreachable' : (FAILURES[code] ?? 'declined');
    default:
      return null;
  }
}
