import { type ManagedOrder, ORDER_TYPE } from '@framelift/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { managedOrdersQuery } from '../../api/admin.ts';
import { formatDate } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { Modal } from '../../ui/Modal.tsx';
import classes from './Admin.module.css';
import { AdminTitle } from './AdminTitle.tsx';
import { NewButton, RowButton } from './buttons.tsx';
import { type Column, DataTable } from './DataTable.tsx';
import { FilterSelect } from './Filters.tsx';
import { MemberCell } from './MemberCell.tsx';
import { NewOrder } from './NewOrder.tsx';
import { OrderFiles } from './OrderFiles.tsx';
import { Search } from './Search.tsx';
import { useFilters } from './use-filters.ts';

const KINDS = Object.keys(ORDER_TYPE) as (keyof typeof ORDER_TYPE)[];

/**
 * /admin/orders: the orders of all members. An operator makes those of pictures taken on site, which then belong to the
 * member.
 */
export function OrdersPage() {
  const { t } = useTranslation('admin');
  const { given, change } = useFilters();
  const q = given('q');
  const kind = KINDS.find((one) => one === given('kind'));
  const list = useInfiniteQuery(managedOrdersQuery({ ...(q && { q }), ...(kind && { kind }) }));
  const [asking, setAsking] = useState(false);
  const [order, setOrder] = useState<ManagedOrder | null>(null);
  const [sending, setSending] = useState(false);
  const close = () => {
    setAsking(false);
    setOrder(null);
  };

  const columns: Column<ManagedOrder>[] = [
    { key: 'name', label: t('orders.name'), cell: ({ name }) => name },
    {
      key: 'member',
      label: t('orders.member'),
      loose: true,
      cell: ({ member }) => <MemberCell member={member} />,
    },
    {
      key: 'type',
      label: t('orders.type'),
      cell: ({ type }) =>
        KINDS.filter((one) => ORDER_TYPE[one] === type).map((one) => (
          <span key={one} className={classes.line}>
            {t(`orders.types.${one}`)}
          </span>
        )),
    },
    {
      key: 'media',
      label: t('orders.media'),
      cell: ({ media, finished }) => (media > 0 ? t('orders.finished', { finished, count: media }) : '–'),
    },
    {
      key: 'created',
      label: t('orders.created'),
      cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDate(createdAt, currentLanguage())}</time>,
    },
    {
      key: 'act',
      label: t('orders.act'),
      cell: (one) =>
        one.type === ORDER_TYPE.onSite && (
          <RowButton aria-label={t('orders.addTo', { name: one.name })} onClick={() => setOrder(one)}>
            {t('orders.add')}
          </RowButton>
        ),
    },
  ];

  return (
    <>
      <AdminTitle title={t('orders.title')}>
        <NewButton onClick={() => setAsking(true)}>{t('orders.new')}</NewButton>
      </AdminTitle>
      <p className={classes.lead}>{t('orders.text')}</p>
      <Search key={q} label={t('orders.search')} value={q} onSearch={(text) => change('q', text)} />
      <div className={classes.filters}>
        <FilterSelect
          label={t('orders.type')}
          all={t('orders.all')}
          options={KINDS}
          labelOf={(one) => t(`orders.types.${one}`)}
          value={kind}
          onChange={(value) => change('kind', value)}
        />
      </div>
      <DataTable
        label={t('orders.title')}
        columns={columns}
        query={list}
        empty={q || kind ? t('orders.noneFound') : t('orders.none')}
      />
      <Modal
        opened={asking || order !== null}
        onClose={close}
        // An accidental click outside must not end the sending.
        closeOnClickOutside={!sending}
        closeOnEscape={!sending}
        title={order ? t('orders.addTo', { name: order.name }) : t('orders.new')}
      >
        {order ? <OrderFiles order={order} onSending={setSending} onDone={close} /> : <NewOrder onMade={setOrder} />}
      </Modal>
    </>
  );
}
