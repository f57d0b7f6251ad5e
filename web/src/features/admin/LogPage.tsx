import { AUDIT_ACTIONS, type AuditAction, type AuditFilter } from '@framelift/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { auditLogQuery, csvAddress } from '../../api/admin.ts';
import classes from './Admin.module.css';
import { AdminTitle } from './AdminTitle.tsx';
import { CsvButton } from './CsvButton.tsx';
import { DataTable } from './DataTable.tsx';
import { FilterDays, FilterSelect } from './Filters.tsx';
import { startOfDay } from './local-time.ts';
import { useLogColumns } from './log-columns.tsx';
import { useFilters } from './use-filters.ts';

/**
 * /admin/log: changes made by administrators. The filter is stored in the URL; its parameter is `what`, because
 * `action` opens the upload dialog.
 */
export function LogPage() {
  const { t } = useTranslation('admin');
  const { given, change } = useFilters();
  const what = AUDIT_ACTIONS.find((action) => action === given('what'));
  const since = given('since');
  const until = given('until');
  const from = startOfDay(since);
  const to = startOfDay(until, 1);
  const filter: AuditFilter = { ...(what && { action: what }), ...(from && { from }), ...(to && { to }) };
  const list = useInfiniteQuery(auditLogQuery(filter));
  const columns = useLogColumns();

  const label = (action: AuditAction) => t(`log.actions.${action.replace('.', '_') as 'maintenance'}`);

  return (
    <>
      <AdminTitle title={t('log.title')}>
        <CsvButton href={csvAddress('auditLogCsv', filter)} />
      </AdminTitle>
      <div className={classes.filters}>
        <FilterSelect
          label={t('log.what')}
          all={t('log.everything')}
          options={AUDIT_ACTIONS}
          labelOf={label}
          value={what}
          onChange={(value) => change('what', value)}
        />
        <FilterDays
          labels={{ since: t('log.since'), until: t('log.until') }}
          since={since}
          until={until}
          onChange={change}
        />
      </div>
      <DataTable label={t('log.title')} columns={columns} query={list} empty={t('log.none')} />
    </>
  );
}
