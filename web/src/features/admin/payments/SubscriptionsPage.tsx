import { formatMoney, type ManagedSubscription } from '@framelift/contract';
import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { managedSubscriptionsQuery } from '../../../api/admin.ts';
import { formatDate } from '../../../i18n/format.ts';
import { currentLanguage } from '../../../i18n/index.ts';
import classes from '../Admin.module.css';
import { AdminTitle } from '../AdminTitle.tsx';
import { type Column, DataTable } from '../DataTable.tsx';
import { FilterSelect } from '../Filters.tsx';
import markClasses from '../Marks.module.css';
import { MemberCell } from '../MemberCell.tsx';
import { Search } from '../Search.tsx';
import { useFilters } from '../use-filters.ts';
import { OnlyChip } from './OnlyChip.tsx';

const STATES = ['active', 'due', 'suspended', 'cancelled', 'ended'] as const;
const KINDS = ['plan', 'product'] as const;

/** /admin/subscriptions: what members have, until when, and what became of the last charge. */
export function SubscriptionsPage() {
  const { t } = useTranslation('adminPayments');
  const language = currentLanguage();
  const { given, change } = useFilters();
  const [q, member] = [given('q'), given('member')];
  const state = STATES.find((one) => one === given('state'));
  const kind = KINDS.find((one) => one === given('kind'));
  const filter = {
    ...(q !== '' && { q }),
    ...(member !== '' && { member }),
    ...(state && { state }),
    ...(kind && { kind }),
  };
  const list = useInfiniteQuery(managedSubscriptionsQuery(filter, language));
  const day = (time: string) => formatDate(time, language);

  const next = ({ state: is, paid_until, next_charge }: ManagedSubscription) => {
    if (is === 'suspended') return paid_until && t('subscriptions.unpaid', { date: day(paid_until) });
    if (is === 'ended') return null;
    if (next_charge) {
      const amount = formatMoney({ amount: next_charge.costs, currency: next_charge.currency }, language);
      return t('subscriptions.charge', { amount, date: day(next_charge.at) });
    }
    return paid_until === null ? t('subscriptions.noEnd') : t('subscriptions.until', { date: day(paid_until) });
  };
  const columns: Column<ManagedSubscription>[] = [
    {
      key: 'name',
      label: t('subscriptions.name'),
      cell: (one) => (
        <div>
          {one.name}
          <Text size="sm" c="dimmed" fw="normal">
            {t(`subscriptions.kinds.${one.kind}`)}
          </Text>
        </div>
      ),
    },
    { key: 'member', label: t('member'), loose: true, cell: ({ member: owner }) => <MemberCell member={owner} /> },
    {
      key: 'state',
      label: t('state'),
      cell: ({ state: is, cancel_at_end, paid_until, renews }) => (
        <ul className={markClasses.marks}>
          <li data-mark={is}>{t(`subscriptions.states.${is}`)}</li>
          {is === 'active' && cancel_at_end && <li>{t('subscriptions.states.cancelled')}</li>}
          {is === 'active' &&
            !cancel_at_end &&
            renews &&
            paid_until !== null &&
            Date.parse(paid_until) < Date.now() && <li data-mark="problem">{t('subscriptions.states.due')}</li>}
        </ul>
      ),
    },
    { key: 'next', label: t('subscriptions.next'), cell: next },
    { key: 'method', label: t('method'), cell: ({ method }) => method && t(`methods.${method}`) },
    {
      key: 'last',
      label: t('subscriptions.last'),
      cell: ({ id, name, member: owner, last_payment, failed_charges }) =>
        last_payment === null ? (
          t('subscriptions.given')
        ) : (
          <div>
            <Link to={`/admin/payments/${last_payment.id}`} className={classes.target}>
              {t('subscriptions.open', { state: t(`states.${last_payment.state}`), date: day(last_payment.date) })}
            </Link>
            {failed_charges > 0 && (
              <Text size="sm" c="var(--mantine-color-error)">
                {t('subscriptions.failed', { count: failed_charges })}
              </Text>
            )}
            <div>
              <Link
                to={`/admin/payments?subscription=${id}`}
                className={classes.target}
                aria-label={t('subscriptions.paymentsOf', { name, member: owner?.name ?? '' })}
              >
                {t('subscriptions.payments')}
              </Link>
            </div>
          </div>
        ),
    },
  ];
  return (
    <>
      <AdminTitle title={t('subscriptions.title')} />
      <Search key={q} label={t('subscriptions.search')} value={q} onSearch={(text) => change('q', text)} />
      <div className={classes.filters}>
        <FilterSelect
          label={t('filter.state')}
          all={t('subscriptions.allStates')}
          options={STATES}
          labelOf={(value) => t(`subscriptions.filters.${value}`)}
          value={state}
          onChange={(value) => change('state', value)}
        />
        <FilterSelect
          label={t('filter.kind')}
          all={t('filter.allKinds')}
          options={KINDS}
          labelOf={(value) => t(`subscriptions.kinds.${value}`)}
          value={kind}
          onChange={(value) => change('kind', value)}
        />
      </div>
      {member !== '' && (
        <div className={classes.chips}>
          <OnlyChip label={t('filter.oneMember')} onRemove={() => change('member', '')} />
        </div>
      )}
      <DataTable label={t('subscriptions.title')} columns={columns} query={list} empty={t('subscriptions.none')} />
    </>
  );
}
