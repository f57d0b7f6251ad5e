import { formatMoney, type Solution } from '@framelift/contract';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../i18n/index.ts';

/** Returns a function that writes the price of an offer, `$30 / 3 months`, in the current language. */
export function usePriceText(): (solution: Solution) => string {
  const { t } = useTranslation('store');
  return ({ costs, currency, period }) => {
    const price = formatMoney({ amount: costs, currency }, currentLanguage(), true);
    return period === null ? price : t('price', { price, count: period });
  };
}
