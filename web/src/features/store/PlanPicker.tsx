import type { Solution } from '@framelift/contract';
import { Radio, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { usePriceText } from '../../shared/purchase/price.ts';
import classes from './ProductDialog.module.css';

interface Props {
  readonly plans: readonly Solution[];
  /** Name of the product, which an offer without an own name bears. */
  readonly product: string;
  readonly chosen: number | null;
  readonly onChoose: (planId: number) => void;
}

/** What a product can be bought for; one is chosen. */
export function PlanPicker({ plans, product, chosen, onChoose }: Props) {
  const { t } = useTranslation('store');
  const priceText = usePriceText();
  return (
    <Radio.Group
      label={t('choosePlan')}
      value={chosen === null ? null : String(chosen)}
      onChange={(value) => onChoose(Number(value))}
      classNames={{ label: classes.label ?? '' }}
    >
      <div className={classes.plans}>
        {plans.map((plan) => (
          <Radio.Card key={plan.id} value={String(plan.id)} className={classes.plan ?? ''} aria-label={priceText(plan)}>
            <Radio.Indicator size="md" />
            <span className={classes.about}>
              <Text component="span" fw={600}>
                {priceText(plan)}
              </Text>
              {[plan.name === product ? null : plan.name, ...plan.content].map(
                (line) =>
                  line && (
                    <Text key={line} component="span" size="sm" c="dimmed">
                      {line}
                    </Text>
                  ),
              )}
            </span>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}
