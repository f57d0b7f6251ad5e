import { CURRENCIES, type Currency, htmlLangOf, type Language, type Solution } from '@framelift/contract';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../i18n/index.ts';

/** Returns a price without decimals where it has none: `$30`, `$9.50`. */
function formatPrice(costs: number, currency: Currency, language: Language): string {
  return new Intl.NumberFormat(htmlLangOf(language), {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  }).format(costs / 10 ** CURRENCIES[currency].exponent);
}

/** Returns a function that writes the price of an offer, `$30 / 3 months`, in the current language. */
export function usePriceText(): (solution: Solution) => string {
  const { t } = useTranslation('store');
  return ({ costs, currency, period }) => {
    const price = formatPrice(costs, currency, currentLanguage());
    return period === null ? price : t('price', { price, count: period });
  };
}
