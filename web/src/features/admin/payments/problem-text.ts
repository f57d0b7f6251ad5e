import { useTranslation } from 'react-i18next';

const KNOWN = [
  ...(['amountMismatch', 'foreignCurrency', 'paidTwice', 'captureOfOther', 'foreignOrder', 'refundedTooMuch'] as const),
  ...(['noMember', 'subscriptionEnded', 'disputed', 'reversed', 'refundUnreadable'] as const),
  ...(['refundUnanswered', 'notStopped', 'outOfReach'] as const),
];

/** The providers are called the same in every language. */
export const PROVIDER_NAMES = { paypal: 'PayPal', card: 'SunPay' } as const;

/** Returns the name of a problem and what an operator does about it. */
export function useProblemText() {
  const { t } = useTranslation('adminPayments');
  return (code: string) => {
    const known = KNOWN.find((one) => one === code) ?? 'other';
    return { name: t(`problems.${known}.name`, { code }), help: t(`problems.${known}.help`) };
  };
}
