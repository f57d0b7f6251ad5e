import { type PaymentInfo, paymentStates } from '@framelift/contract';
import IconAlertCircle from '@tabler/icons-react/icons/IconAlertCircle';
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck';
import IconCircleX from '@tabler/icons-react/icons/IconCircleX';
import IconClock from '@tabler/icons-react/icons/IconClock';
import IconReceiptRefund from '@tabler/icons-react/icons/IconReceiptRefund';

/** What members are told about a payment, and its icon. */
export const PAYMENT_STATES = {
  unpaid: IconClock,
  code: IconClock,
  checking: IconClock,
  review: IconAlertCircle,
  failed: IconAlertCircle,
  expired: IconCircleX,
  paid: IconCircleCheck,
  granted: IconCircleCheck,
  partly: IconReceiptRefund,
  refunded: IconReceiptRefund,
};
export type PaymentStateName = keyof typeof PAYMENT_STATES;

type Told = Pick<PaymentInfo, 'state'> & Partial<Pick<PaymentInfo, 'awaits_code' | 'refunded' | 'failure'>>;

export function paymentStateOf({ state, awaits_code = false, refunded = 0, failure }: Told): PaymentStateName {
  if (failure === 'inReview') return 'review';
  switch (state) {
    case 'created':
      return 'unpaid';
    case 'pending':
      return awaits_code ? 'code' : 'checking';
    case 'granted':
      return refunded > 0 ? 'partly' : 'granted';
    default:
      return state;
  }
}

const stepOf = ({ state }: Told) => paymentStates.options.indexOf(state);

/**
 * Returns the payment as it was read by itself, unless a list tells that it has got further since: states never go back.
 */
export function latest<L extends Told, O extends L>(listed: L, own: O | undefined): L {
  return own && stepOf(own) >= stepOf(listed) ? own : listed;
}
