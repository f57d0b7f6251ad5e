import { Alert, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { adsQuery } from '../../api/points.ts';
import { errorText } from '../../i18n/error-text.ts';
import { formatList, formatNumber } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import type { Balance } from './price.ts';
import type { Payment } from './use-payment.ts';

const KINDS = ['freePoints', 'points'] as const;

/** Says what an upload costs and with which points it is paid; if there are too few, what to do next. */
export function PriceNote({ payment, prices }: { readonly payment: Payment; readonly prices: readonly number[] }) {
  const { t } = useTranslation(['upload', 'points']);
  const { balance, costOf, onWatchAd, onBuy } = payment;
  const cost = costOf(prices);
  const { data: ads } = useQuery({ ...adsQuery, enabled: !cost.isEnough });
  if (cost.points === 0 && cost.freePoints === 0) return null;
  const language = currentLanguage();
  const amounts = (of: Balance, isShown: (kind: (typeof KINDS)[number]) => boolean) =>
    formatList(
      KINDS.filter(isShown).map((kind) =>
        t(`points:amount.${kind}`, { count: of[kind], number: formatNumber(of[kind], language) }),
      ),
      language,
    );
  const needed = amounts(cost, (kind) => cost[kind] > 0);
  if (cost.isEnough)
    return (
      <Text size="sm" role="status">
        {t('price.costs', { cost: needed, have: amounts(balance, (kind) => cost[kind] > 0) })}
      </Text>
    );
  const canCombine = balance.points + balance.freePoints >= cost.points + cost.freePoints;
  return (
    <Alert color="coral" role="alert" title={errorText('notEnoughPoints')}>
      <Text size="sm">{t('price.short', { cost: needed, have: amounts(balance, () => true) })}</Text>
      {canCombine && <Text size="sm">{t('price.kinds')}</Text>}
      <Group gap="sm" mt="sm">
        {ads?.offered && (
          <Button variant="default" onClick={onWatchAd}>
            {t('points:watch')}
          </Button>
        )}
        <Button variant="default" onClick={onBuy}>
          {t('points:buy')}
        </Button>
      </Group>
    </Alert>
  );
}
