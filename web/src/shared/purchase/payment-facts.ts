import { formatMoney, type PaymentInfo } from '@framelift/contract';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';

/** Returns what a receipt says, as names with values; those without a value do not apply. */
export function usePaymentFacts(payment: PaymentInfo): (readonly [name: string, value: string | undefined])[] {
  const { t } = useTranslation('payment');
  const language = currentLanguage();
  const { name, currency, costs, refunded, method, date, td, transaction_id } = payment;
  const money = (amount: number) => formatMoney({ amount, currency }, language);
  return [
    [t('receipt.what'), name],
    [t('receipt.amount'), money(costs)],
    [t('receipt.refunded'), refunded > 0 ? money(refunded) : undefined],
    [t('receipt.method'), t(method)],
    [t('receipt.date'), formatDateTime(date, language)],
    [t('receipt.number'), td],
    [t('receipt.transaction'), transaction_id ?? undefined],
  ];
}
