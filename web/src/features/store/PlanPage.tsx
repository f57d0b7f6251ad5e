import { LIMITS, type Solution, type SubscriptionInfo } from '@framelift/contract';
import { Button, Skeleton, Text, Title } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle';
import IconCalendarOff from '@tabler/icons-react/icons/IconCalendarOff';
import IconCheck from '@tabler/icons-react/icons/IconCheck';
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { configQuery } from '../../api/config.ts';
import { useSession } from '../../api/session.ts';
import { planSolutionsQuery } from '../../api/shop.ts';
import { formatDate } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { BuyButton } from '../../shared/purchase/BuyButton.tsx';
import { PayingClosed } from '../../shared/purchase/PayingClosed.tsx';
import { usePaying } from '../../shared/purchase/paying.ts';
import { usePriceText } from '../../shared/purchase/price.ts';
import { endOf, isPaused, useOwnPlan } from '../../shared/use-own-plan.ts';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { PlanIcon } from '../../ui/PlanIcon.tsx';
import { QueryState } from '../../ui/QueryState.tsx';
import classes from './PlanPage.module.css';

const ROOMS = ['a', 'b', 'c'];

/** /plan: what the membership plans bring and cost, and which one the member has. */
export function PlanPage() {
  // All texts at once: the page would be drawn anew for each later area.
  const { t } = useTranslation(['store', 'payment']);
  const { data: config } = useQuery(configQuery);
  const query = useQuery(planSolutionsQuery(currentLanguage()));
  const paying = usePaying();
  const session = useSession();
  const own = useOwnPlan(session.kind === 'member' ? session.user : null);
  // What stands above the plans would move them if it came after them.
  const isWaiting = paying === 'loading' || own === undefined;
  const rooms = (
    <div className={classes.plans} aria-hidden>
      {ROOMS.map((room) => (
        <Skeleton key={room} className={classes.room} />
      ))}
    </div>
  );
  return (
    <div className={classes.page}>
      <DocumentTitle title={t('plans.title')} />
      <header className={classes.head}>
        <Title order={1}>{t('plans.title')}</Title>
        <Text c="dimmed">{t('plans.lead')}</Text>
      </header>
      <QueryState query={query} failed={t('plans.failed')} className={classes.note ?? ''} loading={rooms}>
        {(solutions) => (isWaiting ? rooms : <Plans plans={solutions.filter(({ costs }) => costs > 0)} own={own} />)}
      </QueryState>
      {config?.sandbox && (
        <Text size="sm" c="dimmed">
          {t('testOnly')}
        </Text>
      )}
    </div>
  );
}

function Plans({ plans, own }: { plans: readonly Solution[]; own: SubscriptionInfo | null }) {
  const { t } = useTranslation(['store', 'payment']);
  const session = useSession();
  const end = endOf(own);
  const current = session.kind === 'member' ? session.user.myPlan.plan.id : LIMITS.planIds.nonMember;
  if (plans.length === 0) return <Text className={classes.note ?? ''}>{t('plans.none')}</Text>;
  return (
    <>
      <PayingClosed />
      {isPaused(own) && (
        <div className={classes.paused}>
          <IconAlertTriangle size="1.25em" aria-hidden />
          <Text>{t('plans.paused', { name: own.name })}</Text>
          <Button component={Link} to="/subscribedetail">
            {t('plans.pay')}
          </Button>
        </div>
      )}
      {own && end && (
        <div className={classes.paused}>
          <IconCalendarOff size="1.25em" aria-hidden />
          <Text>{t('plans.ends', { name: own.name, date: formatDate(end, currentLanguage()) })}</Text>
          <Button component={Link} to="/subscribedetail" variant="default">
            {t('payment:plans.manage')}
          </Button>
        </div>
      )}
      <ul className={classes.plans}>
        {plans.map((plan) => (
          <Plan key={plan.id} plan={plan} current={current} isPaused={isPaused(own) && plan.plan_id === own.plan_id} />
        ))}
      </ul>
    </>
  );
}

/** Chooses a plan, or leads to the page on which the member's own is managed. */
function Action({ plan, current }: { plan: Solution; current: number }) {
  const { t } = useTranslation('payment');
  const { kind } = useSession();
  if (kind === 'member' && plan.plan_id === current) {
    return (
      <Button component={Link} to="/subscribedetail" variant="default">
        {t('plans.manage')}
      </Button>
    );
  }
  if (kind === 'member') {
    return (
      <BuyButton solution={plan} name={plan.name}>
        {t(current === LIMITS.planIds.nonMember ? 'plans.choose' : 'plans.switchTo', { name: plan.name })}
      </BuyButton>
    );
  }
  return kind === 'visitor' ? (
    <Button component={Link} to={`/login?redirect=${encodeURIComponent('/plan')}`} variant="default">
      {t('plans.login')}
    </Button>
  ) : null;
}

function Plan({ plan, current, isPaused: waits }: { plan: Solution; current: number; isPaused: boolean }) {
  const { t } = useTranslation('store');
  const isCurrent = plan.plan_id === current;
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
        {waits && (
          <span className={classes.current}>
            <IconAlertTriangle size="1.1em" aria-hidden />
            {t('plans.isPaused')}
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
      <div className={classes.action}>
        <Action plan={plan} current={current} />
      </div>
    </li>
  );
}
