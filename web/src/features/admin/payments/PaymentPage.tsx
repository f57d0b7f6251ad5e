import { formatMoney, type ManagedPaymentDetail } from '@framelift/contract';
import { Text, Title } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { managedPaymentQuery } from '../../../api/admin.ts';
import { formatDateTime } from '../../../i18n/format.ts';
import { currentLanguage } from '../../../i18n/index.ts';
import { QueryState } from '../../../ui/QueryState.tsx';
import adminClasses from '../Admin.module.css';
import { AdminTitle } from '../AdminTitle.tsx';
import { type Column, DataTable } from '../DataTable.tsx';
import { Loading } from '../Loading.tsx';
import { MemberCell } from '../MemberCell.tsx';
import { onePage } from '../one-page.ts';
import { Panel } from '../Panel.tsx';
import { PaymentActions } from './PaymentActions.tsx';
import { PaymentHistory } from './PaymentHistory.tsx';
import { PaymentMarks } from './PaymentMarks.tsx';
import classes from './Payments.module.css';
import { PROVIDER_NAMES, useProblemText } from './problem-text.ts';

/** /admin/payments/:id: one payment, what it gave, what can be done about it, and what happened to it. */
export function PaymentPage() {
  const { t } = useTranslation('adminPayments');
  const { id = '' } = useParams();
  const query = useQuery(managedPaymentQuery(id, currentLanguage()));
  const textOf = useProblemText();
  return (
    <>
      <Link to="/admin/payments" className={adminClasses.target}>
        {t('detail.back')}
      </Link>
      <QueryState query={query} loading={<Loading height="40rem" />} align="flex-start">
        {(payment) => (
          <>
            <AdminTitle title={payment.name} />
            <PaymentMarks payment={payment} />
            {payment.problem !== null && (
              <Text component="div" className={classes.help}>
                <IconAlertTriangle aria-hidden />
                {textOf(payment.problem).help}
              </Text>
            )}
            {payment.unanswered_since !== null && (
              <Text component="div" className={classes.help}>
                <IconAlertTriangle aria-hidden />
                {t('unanswered.help', {
                  provider: PROVIDER_NAMES[payment.method],
                  time: formatDateTime(payment.unanswered_since, currentLanguage()),
                })}
              </Text>
            )}
            <div className={adminClasses.columns}>
              <Facts payment={payment} />
              <div className={classes.stack}>
                <PaymentActions payment={payment} />
                <PaymentHistory payment={payment} />
              </div>
            </div>
            <Refunds payment={payment} />
          </>
        )}
      </QueryState>
    </>
  );
}

function Facts({ payment }: { payment: ManagedPaymentDetail }) {
  const { t } = useTranslation('adminPayments');
  const language = currentLanguage();
  const { costs, refunded, currency, sold, subscription_id } = payment;
  const money = (amount: number) => formatMoney({ amount, currency }, language);
  const when = (time: string | null) => time && <time dateTime={time}>{formatDateTime(time, language)}</time>;
  const number = (value: string | null) => value && <code>{value}</code>;
  const what = t(`detail.sold.${sold.kind}`, { count: sold.kind === 'points' ? sold.points : (sold.months ?? 1) });
  const facts: readonly (readonly [label: string, value: ReactNode])[] = [
    [t('member'), <MemberCell key="member" member={payment.member} />],
    [t('amount'), money(costs)],
    [t('detail.refunded'), refunded > 0 && money(refunded)],
    [t('item'), sold.kind === 'plan' && sold.points > 0 ? t('detail.withPoints', { what, count: sold.points }) : what],
    [t('detail.granted'), <Granted key="granted" payment={payment} />],
    [t('method'), t(`methods.${payment.method}`)],
    [t('detail.route'), t(`detail.routes.${payment.route}`)],
    [t('detail.failure'), payment.failure && t(`failures.${payment.failure}`)],
    [t('detail.code'), number(payment.code)],
    [t('detail.created'), when(payment.date)],
    [t('detail.paid'), when(payment.paid_at)],
    [t('detail.delivered'), when(payment.granted_at)],
    [t('detail.nextCheck'), when(payment.next_check_at)],
    [t('detail.td'), number(payment.td)],
    [t('detail.transaction'), number(payment.transaction_id)],
    [t('detail.providerOrder'), number(payment.provider_order_id)],
    [t('detail.order'), number(payment.order_id)],
  ];
  return (
    <Panel title={t('detail.facts')}>
      <dl className={adminClasses.facts}>
        {facts.map(([label, value]) => value && [<dt key={label}>{label}</dt>, <dd key={`${label} is`}>{value}</dd>])}
      </dl>
      {subscription_id !== null && (
        <Link to={`/admin/payments?subscription=${subscription_id}`} className={adminClasses.target}>
          {t('detail.sameSubscription')}
        </Link>
      )}
    </Panel>
  );
}

/** What the member has of it. */
function Granted({ payment: { granted_at, granted } }: { payment: ManagedPaymentDetail }) {
  const { t } = useTranslation('adminPayments');
  const { points, points_back, subscription } = granted;
  if (granted_at === null) return t('detail.nothingGranted');
  const until = subscription?.paid_until;
  const date = until ? formatDateTime(until, currentLanguage()) : '';
  const lines = [
    points > 0 && t('detail.pointsGiven', { count: points }),
    points_back > 0 && t('detail.pointsBack', { count: points_back }),
    subscription &&
      (subscription.state === 'active' && !until
        ? t('detail.subscription.noEnd')
        : t(`detail.subscription.${subscription.state}`, { date })),
  ].filter((line) => typeof line === 'string');
  return lines.map((line) => <div key={line}>{line}</div>);
}

type Refund = ManagedPaymentDetail['refunds'][number];

function Refunds({ payment }: { payment: ManagedPaymentDetail }) {
  const { t } = useTranslation('adminPayments');
  const language = currentLanguage();
  const { currency, refunds } = payment;
  if (refunds.length === 0) return null;
  const columns: Column<Refund>[] = [
    {
      key: 'date',
      label: t('refund.date'),
      cell: ({ date }) => <time dateTime={date}>{formatDateTime(date, language)}</time>,
    },
    {
      key: 'amount',
      label: t('amount'),
      cell: ({ costs }) => <span className="tabular">{formatMoney({ amount: costs, currency }, language)}</span>,
    },
    {
      key: 'state',
      label: t('state'),
      cell: ({ state, code }) => (
        <div>
          {t(`refund.states.${state}`)} {code !== null && <code>{code}</code>}
        </div>
      ),
    },
    {
      key: 'why',
      label: t('refund.why'),
      loose: true,
      // What nobody typed is a code.
      cell: ({ reason, by }) =>
        by === null ? t(`refund.reasons.${reason as 'reversed'}`, { defaultValue: reason }) : reason,
    },
    { key: 'by', label: t('refund.by'), cell: ({ by }) => by ?? t('refund.auto') },
  ];
  const query = { data: refunds, isError: false, error: null, refetch: () => {} };
  return (
    <>
      <Title order={2} size="h4">
        {t('refund.list')}
      </Title>
      <DataTable label={t('refund.list')} columns={columns} query={onePage<Refund>(query)} empty={t('refund.none')} />
    </>
  );
}
