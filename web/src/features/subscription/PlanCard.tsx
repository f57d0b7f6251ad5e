import { formatMoney, type SubscriptionInfo } from '@framelift/contract';
import { Button, Group, Loader, Text, Title } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle';
import IconCrown from '@tabler/icons-react/icons/IconCrown';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { isCallError } from '../../api/client.ts';
import { isEndedAtPayPal } from '../../api/payment.ts';
import { planSolutionsQuery } from '../../api/shop.ts';
import { cancelPlan, payPlanNow, resumePlan } from '../../api/subscriptions.ts';
import { formatDate } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { BuyButton } from '../../shared/purchase/BuyButton.tsx';
import { showError } from '../../shared/show-error.ts';
import { confirm } from '../../ui/confirm.ts';
import { PlanIcon } from '../../ui/PlanIcon.tsx';
import { showToast } from '../../ui/toasts.ts';
import classes from './Subscriptions.module.css';

/** A payment without an answer is awaited for this long; then the member can ask again. */
const CHECK_MS = 2 * 60_000;

type PlanState = 'active' | 'ending' | 'endedAtPayPal' | 'given' | 'suspended' | 'pending';

function stateOf(plan: SubscriptionInfo): PlanState {
  const { state, paid_until, cancel_at_end, renews } = plan;
  if (state === 'suspended' || state === 'pending') return state;
  if (paid_until === null) return 'given';
  if (isEndedAtPayPal(plan)) return 'endedAtPayPal';
  return cancel_at_end || !renews ? 'ending' : 'active';
}

interface Props {
  readonly plan: SubscriptionInfo;
  /** Whether the result of a payment is awaited. */
  readonly isChecking: boolean;
  readonly onCheck: (checking: boolean) => void;
  /** It was cancelled or kept: the button that did it goes, with the focus. */
  readonly onChanged: () => void;
}

/** The member's plan: how long it lasts, what is charged next, and what can be done about it. */
export function PlanCard({ plan, isChecking, onCheck, onChanged }: Props) {
  const { t } = useTranslation('subscription');
  const language = currentLanguage();
  const state = stateOf(plan);
  const { name, icon, paid_until, next_charge: next, due } = plan;
  const date = (time: string) => formatDate(time, language);
  const sum = due ?? next;
  const price = sum && formatMoney({ amount: sum.costs, currency: sum.currency }, language);
  // The month is over, and its payment has neither succeeded nor failed.
  const isRenewing = state === 'active' && paid_until !== null && Date.parse(paid_until) <= Date.now();
  const text =
    state === 'ending' || state === 'endedAtPayPal'
      ? t(`plan.${state}`, { date: date(paid_until ?? plan.date) })
      : t(isRenewing ? 'plan.renewing' : `plan.${state}`);
  const facts: [string, string | null][] = [
    [t('plan.since'), date(plan.date)],
    [t('plan.until'), paid_until !== null && state === 'active' ? date(paid_until) : null],
    [t('plan.open'), due && price],
    [t('plan.next'), next && !due ? (isRenewing ? price : t('plan.nextOn', { price, date: date(next.at) })) : null],
    [t('plan.nextTry'), next && due && date(next.at)],
    [t('plan.method'), plan.method && t(`methods.${plan.method}`)],
  ];
  return (
    <div className={classes.card}>
      <div className={classes.top}>
        <span className={classes.icon} aria-hidden>
          <PlanIcon name={icon} />
        </span>
        <Title order={3} className={classes.name ?? ''}>
          {name}
        </Title>
        <span className={classes.state} data-state={state === 'endedAtPayPal' ? 'ending' : state}>
          {t(`plan.state.${state === 'endedAtPayPal' ? 'ending' : state}`)}
        </span>
      </div>
      <Text className={state === 'suspended' ? (classes.warning ?? '') : ''}>
        {state === 'suspended' && <IconAlertTriangle size="1.25em" aria-hidden />}
        <span>{text}</span>
      </Text>
      <dl className={classes.facts}>
        {facts.map(
          ([fact, value]) =>
            value !== null && (
              <div key={fact}>
                <dt>{fact}</dt>
                <dd className="tabular">{value}</dd>
              </div>
            ),
        )}
      </dl>
      {state === 'suspended' ? (
        <Suspended plan={plan} price={price} isChecking={isChecking} onCheck={onCheck} onChanged={onChanged} />
      ) : (
        <Running plan={plan} state={state} onDone={onCheck} isChecking={isChecking} onChanged={onChanged} />
      )}
    </div>
  );
}

function useCancelling(plan: SubscriptionInfo, onChanged: () => void) {
  const { t } = useTranslation('subscription');
  const cancelling = useMutation(cancelPlan);
  const resuming = useMutation(resumePlan);
  const { name, paid_until, state } = plan;
  const resume = () =>
    resuming.mutateAsync().then(
      () => {
        onChanged();
        showToast({ kind: 'success', text: t('plan.resumed') });
      },
      () => {},
    );
  const cancel = async () => {
    const lasts = state === 'active' && paid_until !== null && Date.parse(paid_until) > Date.now();
    const until = lasts ? formatDate(paid_until, currentLanguage()) : null;
    const agreed = await confirm({
      title: t('cancelling.title', { name }),
      content: until ? t('cancelling.atEnd', { name, date: until }) : t('cancelling.now', { name }),
      label: t('plan.cancel'),
      cancel: t('cancelling.keep'),
    });
    if (!agreed) return;
    // Not a callback of the call: this card is gone by then if the plan has ended.
    await cancelling.mutateAsync().then(
      (now) => {
        onChanged();
        if (now.state === 'ended' || now.paid_until === null) {
          showToast({ kind: 'info', text: t('cancelling.ended', { name }) });
          return;
        }
        showToast({
          kind: 'info',
          text: t('cancelling.done', { name, date: formatDate(now.paid_until, currentLanguage()) }),
          action: { label: t('cancelling.undo'), run: () => void resume() },
        });
      },
      () => {},
    );
  };
  return { cancel: () => void cancel(), resume: () => void resume(), cancelling, resuming };
}

interface RunningProps {
  readonly plan: SubscriptionInfo;
  readonly state: Exclude<PlanState, 'suspended'>;
  readonly isChecking: boolean;
  readonly onDone: (checking: false) => void;
  readonly onChanged: () => void;
}

/** What can be done about a plan that is not suspended. */
function Running({ plan, state, isChecking, onDone, onChanged }: RunningProps) {
  const { t } = useTranslation('subscription');
  const { cancel, resume, cancelling, resuming } = useCancelling(plan, onChanged);
  // The payment that restored it was awaited until now.
  useEffect(() => {
    if (!isChecking || state === 'pending') return;
    onDone(false);
    showToast({ kind: 'success', text: t('plan.restored') });
  }, [isChecking, state, onDone, t]);
  if (state === 'pending') return null;
  return (
    <Group gap="sm">
      {state === 'endedAtPayPal' && <BuyAgain plan={plan} />}
      {plan.cancel_at_end && state !== 'endedAtPayPal' && (
        <Button onClick={resume} loading={resuming.isPending}>
          {t('plan.resume')}
        </Button>
      )}
      <Button component={Link} to="/subscribe" variant="default">
        {t('plan.change')}
      </Button>
      {!plan.cancel_at_end && state !== 'ending' && state !== 'endedAtPayPal' && (
        <Button variant="subtle" color="gray" onClick={cancel} loading={cancelling.isPending}>
          {t('plan.cancel')}
        </Button>
      )}
    </Group>
  );
}

/** Buys the same plan once more, as long as it is for sale. */
function BuyAgain({ plan: { plan_id, name } }: { plan: SubscriptionInfo }) {
  const { t } = useTranslation('subscription');
  const { data } = useQuery(planSolutionsQuery(currentLanguage()));
  const solution = data?.find((one) => one.plan_id === plan_id);
  return (
    solution && (
      <BuyButton solution={solution} name={name}>
        {t('plan.again')}
      </BuyButton>
    )
  );
}

/** Why a plan is suspended, and the ways to get it back. */
function Suspended({ plan, price, isChecking, onCheck, onChanged }: Props & { readonly price: string | null }) {
  const { t } = useTranslation('subscription');
  const { cancel, cancelling } = useCancelling(plan, onChanged);
  const [isDeclined, setDeclined] = useState(false);
  const paying = useMutation(payPlanNow);
  useEffect(() => {
    if (!isChecking) return;
    const timer = setTimeout(() => onCheck(false), CHECK_MS);
    return () => clearTimeout(timer);
  }, [isChecking, onCheck]);
  const pay = () => {
    setDeclined(false);
    // Not a callback of the call: this card is gone by then if the plan is restored.
    paying.mutateAsync().then(
      () => showToast({ kind: 'success', text: t('plan.restored') }),
      (error: unknown) => {
        const code = isCallError(error) ? error.code : '';
        if (code === 'paymentPending') onCheck(true);
        else if (code === 'transactionFailed') setDeclined(true);
        else showError(error);
      },
    );
  };
  const isPaying = paying.isPending || isChecking;
  return (
    <>
      {/* Always there: a message is announced only by what was on the page before it. */}
      <div role="status" className={classes.progress}>
        {isPaying && (
          <>
            <Loader size="1.25rem" aria-hidden />
            <Text>{t(isChecking ? 'plan.checking' : 'plan.paying')}</Text>
          </>
        )}
        {isDeclined && <Text className={classes.declined ?? ''}>{t('plan.declined')}</Text>}
      </div>
      <Group gap="sm">
        <Button onClick={pay} disabled={isPaying}>
          {price === null ? t('plan.payNow') : t('plan.payNowPrice', { price })}
        </Button>
        <Button component={Link} to="/subscribe" variant="default">
          {t('plan.payOtherwise')}
        </Button>
        <Button variant="subtle" color="gray" onClick={cancel} disabled={isPaying} loading={cancelling.isPending}>
          {t('plan.cancel')}
        </Button>
      </Group>
    </>
  );
}

/** Shown to a member without a plan. */
export function NoPlan() {
  const { t } = useTranslation('subscription');
  return (
    <div className={classes.empty}>
      <IconCrown size="2.5rem" stroke={1.2} aria-hidden />
      <Title order={3} size="h4">
        {t('plan.none')}
      </Title>
      <Text c="dimmed">{t('plan.noneText')}</Text>
      <Button component={Link} to="/subscribe">
        {t('plan.see')}
      </Button>
    </div>
  );
}
