import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { adsQuery } from '../../api/points.ts';
import { formatMoment, formatNumber } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';

/** Says what an ad gives and how many are left today, or when the next one can be watched. */
export function AdOffer() {
  const { t } = useTranslation('points');
  const { data: ads } = useQuery(adsQuery);
  const language = currentLanguage();
  if (!ads) return null;
  const { left, next_at, reward } = ads;
  if (left === 0) return t('limit', { time: next_at ? formatMoment(next_at, new Date(), language) : '' });
  if (next_at) return t('soon');
  const numbers = (count: number) => ({ count, number: formatNumber(count, language) });
  return (
    <>
      {t('gives', numbers(reward.amount))}
      <br />
      {t('left', numbers(left))}
    </>
  );
}
