import type { Broadcast } from '@framelift/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { managedNotificationsQuery, setNotificationWithdrawn } from '../../api/admin.ts';
import { formatDateTime, formatNumber } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { Modal } from '../../ui/Modal.tsx';
import classes from './Admin.module.css';
import { AdminTitle } from './AdminTitle.tsx';
import { NewButton, RowButton } from './buttons.tsx';
import { type Column, DataTable } from './DataTable.tsx';
import { NewNotification } from './NewNotification.tsx';
import { useUndoableAction } from './use-undoable-action.ts';

/** /admin/notifications: what was sent to members, and what is to be sent. */
export function NotificationsPage() {
  const { t } = useTranslation('admin');
  const list = useInfiniteQuery(managedNotificationsQuery);
  const action = useUndoableAction();
  const [writing, setWriting] = useState(false);
  const number = (value: number) => formatNumber(value, currentLanguage());
  const set = (id: string, withdrawn: boolean) => () => setNotificationWithdrawn(id, withdrawn);
  const toggle = ({ id, withdrawn }: Broadcast) =>
    action.mutate({
      run: set(id, !withdrawn),
      done: t(withdrawn ? 'notices.againDone' : 'notices.withdrawnDone'),
      undo: set(id, withdrawn),
    });
  const titleOf = ({ title }: Broadcast) => title[currentLanguage()] || title.en;

  const columns: Column<Broadcast>[] = [
    { key: 'title', label: t('notices.heading'), cell: titleOf, loose: true },
    {
      key: 'to',
      label: t('notices.receivers'),
      cell: ({ audience, member }) => member?.email ?? t(`notices.audiences.${audience}`),
      loose: true,
    },
    {
      key: 'when',
      label: t('notices.when'),
      cell: ({ release_at, withdrawn }) => {
        if (withdrawn) return <strong>{t('notices.withdrawn')}</strong>;
        const isComing = Date.parse(release_at) > Date.now();
        const time = <time dateTime={release_at}>{formatDateTime(release_at, currentLanguage())}</time>;
        return isComing ? (
          <span>
            {t('notices.coming')} · {time}
          </span>
        ) : (
          time
        );
      },
    },
    {
      key: 'read',
      label: t('notices.read'),
      cell: ({ sent, read }) => t('notices.readOf', { read: number(read), sent: number(sent) }),
    },
    {
      key: 'act',
      label: t('notices.act'),
      cell: (one) => (
        <RowButton
          loading={action.isPending}
          aria-label={`${t(one.withdrawn ? 'notices.again' : 'notices.withdraw')}: ${titleOf(one)}`}
          onClick={() => toggle(one)}
        >
          {t(one.withdrawn ? 'notices.again' : 'notices.withdraw')}
        </RowButton>
      ),
    },
  ];

  return (
    <>
      <AdminTitle title={t('notices.title')}>
        <NewButton onClick={() => setWriting(true)}>{t('notices.send')}</NewButton>
      </AdminTitle>
      <p className={classes.lead}>{t('notices.text')}</p>
      <DataTable label={t('notices.list')} columns={columns} query={list} empty={t('notices.none')} />
      <Modal
        opened={writing}
        onClose={() => setWriting(false)}
        // A long text must not be lost by an accidental click.
        closeOnClickOutside={false}
        size="lg"
        title={t('notices.send')}
      >
        <NewNotification onSent={() => setWriting(false)} />
      </Modal>
    </>
  );
}
