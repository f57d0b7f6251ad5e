import { addMonths, anchorDayOf, LIMITS, type Solution } from '@framelift/contract';
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { formatDate } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import classes from './Purchase.module.css';
import { usePriceText } from './price.ts';

interface Props {
  readonly solution: Solution;
  readonly name: string;
  readonly onCancel: () => void;
  readonly onBuy: () => void;
}

/** What is bought, for how much and until when, before any payment begins. */
export function ConfirmPurchase({ solution, name, onCancel, onBuy }: Props) {
  const { t } = useTranslation('payment');
  const priceText = usePriceText();
  const session = useSession();
  const plan = session.kind === 'member' ? session.user.myPlan.plan : null;
  const { plan_id, period } = solution;
  const now = new Date();
  const date = period === null ? '' : formatDate(addMonths(now, period, anchorDayOf(now)), currentLanguage());
  const replaces = plan_id !== null && plan && plan.id !== LIMITS.planIds.nonMember && plan.id !== plan_id;
  return (
    <Stack>
      <Text>{t('you_will_buy')}</Text>
      <div className={classes.bought}>
        <Text className={classes.name ?? ''}>{name}</Text>
        <Text className={classes.price ?? ''}>{priceText(solution)}</Text>
        <Text size="sm" c="dimmed">
          {period === null ? t('once') : t(plan_id === null ? 'until' : 'monthly', { date })}
        </Text>
        {replaces && <Text size="sm">{t('replaces', { name: plan.name })}</Text>}
      </div>
      <Text size="sm" c="dimmed">
        {t('terms')}{' '}
        <Anchor href="/terms" target="_blank" rel="noopener" underline="always">
          {t('readTerms')}
        </Anchor>
      </Text>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button onClick={onBuy} data-autofocus>
          {t('buy')}
        </Button>
      </Group>
    </Stack>
  );
}
