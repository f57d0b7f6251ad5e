import type { PinCodeBatch } from '@framelift/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pinCodeBatchesQuery, setPinCodesRevoked } from '../../api/admin.ts';
import { formatDate, formatDateTime, formatNumber } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { Modal } from '../../ui/Modal.tsx';
import classes from './Admin.module.css';
import { AdminTitle } from './AdminTitle.tsx';
import { NewButton, RowButton } from './buttons.tsx';
import { type Column, DataTable } from './DataTable.tsx';
import { type Made, NewBatch } from './NewBatch.tsx';
import { NewCodes } from './NewCodes.tsx';
import { useUndoableAction } from './use-undoable-action.ts';

/** /admin/pin-codes: lists batches of serial codes and creates new ones. */
export function PinCodesPage() {
  const { t } = useTranslation('admin');
  const list = useInfiniteQuery(pinCodeBatchesQuery);
  const action = useUndoableAction();
  const [asking, setAsking] = useState(false);
  const [made, setMade] = useState<Made | null>(null);
  const number = (value: number) => formatNumber(value, currentLanguage());

  const set = (id: string, revoked: boolean) => () => setPinCodesRevoked(id, revoked);
  const toggle = ({ id, name, revokedAt }: PinCodeBatch) => {
    const revoked = revokedAt !== null;
    action.mutate({
      run: set(id, !revoked),
      done: t(revoked ? 'codes.restored' : 'codes.revoked', { name }),
      undo: set(id, revoked),
    });
  };

  const columns: Column<PinCodeBatch>[] = [
    { key: 'name', label: t('codes.name'), cell: ({ name }) => name || t('codes.unnamed') },
    {
      key: 'used',
      label: t('codes.used'),
      cell: ({ count, redeemed }) => t('codes.usedOf', { redeemed: number(redeemed), count: number(count) }),
    },
    {
      key: 'days',
      label: t('codes.gives'),
      cell: ({ days }) => (days ? t('codes.days', { count: days }) : t('user.noEnd')),
    },
    {
      key: 'expires',
      label: t('codes.expires'),
      cell: ({ expiresAt, revokedAt }) => {
        if (revokedAt) return <strong>{t('codes.isRevoked')}</strong>;
        return expiresAt ? formatDateTime(expiresAt, currentLanguage()) : t('codes.never');
      },
    },
    {
      key: 'made',
      label: t('codes.made'),
      cell: ({ createdAt, madeBy }) => (
        <>
          {formatDate(createdAt, currentLanguage())}
          {madeBy && ` · ${madeBy}`}
        </>
      ),
    },
    {
      key: 'act',
      label: t('codes.act'),
      cell: (batch) => (
        <RowButton
          loading={action.isPending}
          disabled={batch.redeemed === batch.count}
          aria-label={t(batch.revokedAt ? 'codes.restoreOf' : 'codes.revokeOf', { name: batch.name })}
          onClick={() => toggle(batch)}
        >
          {t(batch.revokedAt ? 'codes.restore' : 'codes.revoke')}
        </RowButton>
      ),
    },
  ];

  return (
    <>
      <AdminTitle title={t('codes.title')}>
        <NewButton onClick={() => setAsking(true)}>{t('codes.new')}</NewButton>
      </AdminTitle>
      <p className={classes.lead}>{t('codes.text')}</p>
      <DataTable label={t('codes.title')} columns={columns} query={list} empty={t('codes.none')} />
      <Modal
        opened={asking}
        onClose={() => {
          setAsking(false);
          setMade(null);
        }}
        // The codes are shown only once: an accidental click outside must not close the dialog.
        closeOnClickOutside={made === null}
        closeOnEscape={made === null}
        title={made ? t('codes.readyTitle') : t('codes.new')}
      >
        {made ? <NewCodes made={made} /> : <NewBatch onMade={setMade} />}
      </Modal>
    </>
  );
}
