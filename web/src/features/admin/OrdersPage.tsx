import type { OnSiteOrder } from '@framelift/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { onSiteOrdersQuery } from '../../api/admin.ts';
import { formatDate } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { Modal } from '../../ui/Modal.tsx';
import classes from './Admin.module.css';
import { AdminTitle } from './AdminTitle.tsx';
import { NewButton, RowButton } from './buttons.tsx';
import { type Column, DataTable } from './DataTable.tsx';
import { MemberCell } from './MemberCell.tsx';
import { NewOrder } from './NewOrder.tsx';
import { OrderFiles } from './OrderFiles.tsx';

/** /admin/orders: orders of pictures taken on site. An operator makes them for a member, who then owns the pictures. */
export function OrdersPage() {
  const { t } = useTranslation('admin');
  const list = useInfiniteQuery(onSiteOrdersQuery);
  const [asking, setAsking] = useState(false);
  const [order, setOrder] = useState<OnSiteOrder | null>(null);
  const [sending, setSending] = useState(false);
  const close = () => {
    setAsking(false);
    setOrder(null);
  };

  const columns: Column<OnSiteOrder>[] = [
    { key: 'name', label: t('orders.name'), cell: ({ name }) => name },
    {
      key: 'member',
      label: t('orders.member'),
      loose: true,
      cell: ({ member }) => <MemberCell member={member} />,
    },
    {
      key: 'media',
      label: t('orders.media'),
      cell: ({ media, finished }) => t('orders.finished', { finished, count: media }),
    },
    {
      key: 'created',
      label: t('orders.created'),
      cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDate(createdAt, currentLanguage())}</time>,
    },
    {
      key: 'act',
      label: t('orders.act'),
      cell: (one) => (
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
      <DataTable label={t('orders.title')} columns={columns} query={list} empty={t('orders.none')} />
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
