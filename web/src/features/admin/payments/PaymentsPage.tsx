import {
  formatMoney,
  type ManagedPayment,
  type ManagedPaymentFilter,
  PAYMENT_METHODS,
  paymentStates,
} from '@framelift/contract';
import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { csvAddress, managedPaymentsQuery } from '../../../api/admin.ts';
import { formatDateTime } from '../../../i18n/format.ts';
import { currentLanguage } from '../../../i18n/index.ts';
import classes from '../Admin.module.css';
import { AdminTitle } from '../AdminTitle.tsx';
import { CsvButton } from '../CsvButton.tsx';
import { type Column, DataTable } from '../DataTable.tsx';
import { FilterDays, FilterSelect } from '../Filters.tsx';
import { startOfDay } from '../local-time.ts';
import { MemberCell } from '../MemberCell.tsx';
import { Search } from '../Search.tsx';
import { useFilters } from '../use-filters.ts';
import { OnlyChip } from './OnlyChip.tsx';
import { PaymentMarks } from './PaymentMarks.tsx';
import ownClasses from './Payments.module.css';

const STATES = paymentStates.options;
const PROBLEMS = ['yes', 'no', 'unanswered'] as const;

/** /admin/payments: all payments, newest first. */
export function PaymentsPage() {
  const { t } = useTranslation('adminPayments');
  const language = currentLanguage();
  const { given, change } = useFilters();
  const [q, member, subscription] = [given('q'), given('member'), given('subscription')];
  const [since, until] = [given('since'), given('until')];
  const state = STATES.find((one) => one === given('state'));
  const method = PAYMENT_METHODS.find((one) => one === given('method'));
  const problem = PROBLEMS.find((one) => one === given('problem'));
  const from = startOfDay(since);
  const to = startOfDay(until, 1);
  const filter: ManagedPaymentFilter = {
    ...(q !== '' && { q }),
    ...(member !== '' && { member }),
    ...(subscription !== '' && { subscription }),
    ...(state && { state }),
    ...(method && { method }),
    ...(problem && { problem }),
    ...(from && { from }),
    ...(to && { to }),
  };
  const list = useInfiniteQuery(managedPaymentsQuery(filter, language));

  const columns: Column<ManagedPayment>[] = [
    {
      key: 'item',
      label: t('item'),
      cell: ({ id, name, date, method: by }) => (
        <div>
          <Link to={`/admin/payments/${id}`} className={classes.target}>
            {name}
          </Link>
          <Text size="sm" c="dimmed" fw="normal">
            <time dateTime={date}>{formatDateTime(date, language)}</time>
            <br />
            {t(`methods.${by}`)}
          </Text>
        </div>
      ),
    },
    {
      key: 'amount',
      label: t('amount'),
      cell: ({ costs, refunded, currency }) => (
        <div className="tabular">
          {formatMoney({ amount: costs, currency }, language)}
          {refunded > 0 && (
            <Text size="sm" c="dimmed">
              {t('refundedPart', { amount: formatMoney({ amount: refunded, currency }, language) })}
            </Text>
          )}
        </div>
      ),
    },
    { key: 'state', label: t('state'), cell: (payment) => <PaymentMarks payment={payment} /> },
    { key: 'member', label: t('member'), loose: true, cell: ({ member: owner }) => <MemberCell member={owner} /> },
  ];

  return (
    <>
      <AdminTitle title={t('title')}>
        <CsvButton href={csvAddress('managedPaymentsCsv', filter)} />
      </AdminTitle>
      <Search key={q} label={t('search')} value={q} onSearch={(text) => change('q', text)} />
      <div className={classes.filters}>
        <FilterSelect
          label={t('filter.state')}
          all={t('filter.allStates')}
          options={STATES}
          labelOf={(value) => t(`states.${value}`)}
          value={state}
          onChange={(value) => change('state', value)}
        />
        <FilterSelect
          label={t('filter.method')}
          all={t('filter.allMethods')}
          options={PAYMENT_METHODS}
          labelOf={(value) => t(`methods.${value}`)}
          value={method}
          onChange={(value) => change('method', value)}
        />
        <FilterSelect
          label={t('filter.problem')}
          all={t('filter.any')}
          options={PROBLEMS}
          labelOf={(value) => t(`filter.${value}`)}
          value={problem}
          onChange={(value) => change('problem', value)}
        />
        <div className={ownClasses.days}>
          <FilterDays
            labels={{ since: t('filter.since'), until: t('filter.until') }}
            since={since}
            until={until}
            onChange={change}
          />
        </div>
      </div>
      {(member !== '' || subscription !== '') && (
        <div className={classes.chips}>
          {member !== '' && <OnlyChip label={t('filter.oneMember')} onRemove={() => change('member', '')} />}
          {subscription !== '' && (
            <OnlyChip label={t('filter.oneSubscription')} onRemove={() => change('subscription', '')} />
          )}
        </div>
      )}
      <DataTable label={t('title')} columns={columns} query={list} empty={t('none')} />
    </>
  );
}
