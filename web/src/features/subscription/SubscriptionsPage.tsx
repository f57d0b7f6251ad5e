import type { SubscriptionInfo } from '@framelift/contract';
import { Skeleton, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { subscriptionsQuery } from '../../api/subscriptions.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { QueryState } from '../../ui/QueryState.tsx';
import { Ended } from './Ended.tsx';
import { NoPlan, PlanCard } from './PlanCard.tsx';
import { Products } from './Products.tsx';
import classes from './Subscriptions.module.css';

/** A payment that is being checked is looked at this often. */
const LOOK_MS = 5000;

/** /subscribedetail: the plan and the products that the member has, and what has ended. */
export function SubscriptionsPage() {
  const { t } = useTranslation('subscription');
  const [isChecking, setChecking] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  // After the question before it has returned the focus to the button that goes.
  const toHeading = () => void setTimeout(() => heading.current?.focus(), 0);
  const awaits = ({ state }: SubscriptionInfo) => state === 'pending' || (isChecking && state === 'suspended');
  const query = useQuery({
    ...subscriptionsQuery(currentLanguage()),
    refetchInterval: ({ state }) => (state.data?.some(awaits) ? LOOK_MS : false),
  });
  return (
    <div className={classes.page}>
      <DocumentTitle title={t('title')} />
      <Title order={1}>{t('title')}</Title>
      <QueryState
        query={query}
        failed={t('failed')}
        className={classes.note ?? ''}
        loading={
          <Stack gap="lg" aria-hidden>
            <Skeleton className={classes.planRoom} />
            <Skeleton className={classes.rowRoom} />
          </Stack>
        }
      >
        {(all) => {
          const plan = all.find(({ kind }) => kind === 'plan');
          return (
            <>
              <section aria-labelledby="plan" className={classes.section}>
                <Title order={2} size="h3" id="plan" ref={heading} tabIndex={-1}>
                  {t('plan.title')}
                </Title>
                {plan ? (
                  <PlanCard plan={plan} isChecking={isChecking} onCheck={setChecking} onChanged={toHeading} />
                ) : (
                  <NoPlan />
                )}
              </section>
              <Products products={all.filter(({ kind }) => kind === 'product')} />
              <Ended />
            </>
          );
        }}
      </QueryState>
    </div>
  );
}
