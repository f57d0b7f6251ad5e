import type { PaymentInfo } from '@framelift/contract';

export type ResultView =
  | 'paid'
  | 'checking'
  | 'code'
  | 'tab'
  | 'unpaid'
  | 'failed'
  | 'cancelled'
  | 'expired'
  | 'refunded'
  | 'review';

interface Around {
  /** Whether the buyer has given it up on this page, or comes back from giving it up. */
  readonly isCancelled: boolean;
  /** Whether the card page is open in another tab. */
  readonly isElsewhere: boolean;
}

/** Returns what the page says about a payment. */
export function viewOf(
  { state, awaits_code, failure }: Pick<PaymentInfo, 'state' | 'awaits_code' | 'failure'>,
  { isCancelled, isElsewhere }: Around,
): ResultView {
  if (failure === 'inReview') return 'review';
  switch (state) {
    case 'granted':
      return 'paid';
    case 'failed':
    case 'refunded':
      return state;
    case 'expired':
      return isCancelled ? 'cancelled' : 'expired';
    case 'created':
      return isElsewhere ? 'tab' : 'unpaid';
    default:
      return awaits_code ? 'code' : 'checking';
  }
}
