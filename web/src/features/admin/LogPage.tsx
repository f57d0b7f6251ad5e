import { AUDIT_ACTIONS, type AuditAction, type AuditFilter } from '@framelift/contract';
import { NativeSelect, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { auditLogQuery, csvAddress } from '../../api/admin.ts';
import classes from './Admin.module.css';
import { AdminTitle } from './AdminTitle.tsx';
import { CsvButton } from './CsvButton.tsx';
import { DataTable } from './DataTable.tsx';
import { startOfDay } from './local-time.ts';
import { useLogColumns } from './log-columns.tsx';

/**
 * /admin/log: changes made by administrators. The filter is stored in the URL; its parameter is `what`, because
 * `action` opens the upload dialog.
 */
export function LogPage() {
  const { t } = useTranslation('admin');
  const [query, setQuery] = useSearchParams();
  const what = AUDIT_ACTIONS.find((action) => action === query.get('what'));
  const since = query.get('since') ?? '';
  const until = query.get('until') ?? '';
  const from = startOfDay(since);
  const to = startOfDay(until, 1);
  const filter: AuditFilter = { ...(what && { action: what }), ...(from && { from }), ...(to && { to }) };
  const list = useInfiniteQuery(auditLogQuery(filter));
  const columns = useLogColumns();

  const change = (name: string, value: string) =>
    setQuery(
      (now) => {
        if (value === '') now.delete(name);
        else now.set(name, value);
        return now;
      },
      { replace: true },
    );
  const label = (action: AuditAction) => t(`log.actions.${action.replace('.', '_') as 'maintenance'}`);

  return (
    <>
      <div className={classes.head}>
        <AdminTitle title={t('log.title')} />
        <CsvButton href={csvAddress('auditLogCsv', filter)} />
      </div>
      <div className={classes.filters}>
        <NativeSelect
          className={classes.grow ?? ''}
          size="md"
          label={t('log.what')}
          value={what ?? ''}
          onChange={(event) => change('what', event.currentTarget.value)}
          data={[
            { value: '', label: t('log.everything') },
            ...AUDIT_ACTIONS.map((action) => ({ value: action, label: label(action) })),
          ]}
        />
        <TextInput
          className={classes.grow ?? ''}
          type="date"
          label={t('log.since')}
          value={since}
          max={until || undefined}
          onChange={(event) => change('since', event.currentTarget.value)}
        />
        <TextInput
          className={classes.grow ?? ''}
          type="date"
          label={t('log.until')}
          value={until}
          min={since || undefined}
          onChange={(event) => change('until', event.currentTarget.value)}
        />
      </div>
      <DataTable label={t('log.title')} columns={columns} query={list} empty={t('log.none')} />
    </>
  );
}
