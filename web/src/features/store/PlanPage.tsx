import { LIMITS, type Solution } from '@framelift/contract';
import { Skeleton, Text, Title } from '@mantine/core';
import IconCheck from '@tabler/icons-react/icons/IconCheck';
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { configQuery } from '../../api/config.ts';
import { useSession } from '../../api/session.ts';
import { planSolutionsQuery } from '../../api/shop.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { PlanIcon } from '../../ui/PlanIcon.tsx';
import { QueryState } from '../../ui/QueryState.tsx';
import classes from './PlanPage.module.css';
import { usePriceText } from './price.ts';

const ROOMS = ['a', 'b', 'c'];

/** /plan: what the membership plans bring and cost, and which one the member has. */
export function PlanPage() {
  const { t } = useTranslation('store');
  const { data: config } = useQuery(configQuery);
  const query = useQuery(planSolutionsQuery(currentLanguage()));
  return (
    <div className={classes.page}>
      <DocumentTitle title={t('plans.title')} />
      <header className={classes.head}>
        <Title order={1}>{t('plans.title')}</Title>
        <Text c="dimmed">{t('plans.lead')}</Text>
      </header>
      <QueryState
        query={query}
        failed={t('plans.failed')}
        className={classes.note ?? ''}
        loading={
          <div className={classes.plans} aria-hidden>
            {ROOMS.map((room) => (
              <Skeleton key={room} className={classes.room} />
            ))}
          </div>
        }
      >
        {(solutions) => <Plans plans={solutions.filter(({ costs }) => costs > 0)} />}
      </QueryState>
      <div>
        <Text c="dimmed">{t('plans.soon')}</Text>
        {config?.sandbox && (
          <Text size="sm" c="dimmed">
            {t('testOnly')}
          </Text>
        )}
      </div>
    </div>
  );
}

function Plans({ plans }: { plans: readonly Solution[] }) {
  const { t } = useTranslation('store');
  const session = useSession();
  const current = session.kind === 'member' ? session.user.myPlan.plan.id : LIMITS.planIds.nonMember;
  if (plans.length === 0) return <Text className={classes.note ?? ''}>{t('plans.none')}</Text>;
  return (
    <ul className={classes.plans}>
      {plans.map((plan) => (
        <Plan key={plan.id} plan={plan} isCurrent={plan.plan_id === current} />
      ))}
    </ul>
  );
}

function Plan({ plan, isCurrent }: { plan: Solution; isCurrent: boolean }) {
  const { t } = useTranslation('store');
  const priceText = usePriceText();
  return (
    <li className={classes.plan} data-current={isCurrent || undefined}>
      <div className={classes.top}>
        <span className={classes.icon} aria-hidden>
          <PlanIcon name={plan.icon} />
        </span>
        {isCurrent && (
          <span className={classes.current}>
            <IconCircleCheck size="1.1em" aria-hidden />
            {t('plans.current')}
          </span>
        )}
      </div>
      <Title order={2}>{plan.name}</Title>
      <Text className={classes.price ?? ''}>{priceText(plan)}</Text>
      <ul className={classes.benefits}>
        {plan.content.map((line) => (
          <li key={line}>
            <IconCheck size="1.25em" aria-hidden />
            <span>{line}</span>
          </li>
        ))}
      </ul>
    </li>
  );
}
