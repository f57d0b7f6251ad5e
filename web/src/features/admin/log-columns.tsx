import { AUDIT_ACTIONS, type AuditAction, type AuditEntry } from '@framelift/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatDateTime } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import classes from './Admin.module.css';
import type { Column } from './DataTable.tsx';

const isAction = (name: string): name is AuditAction => AUDIT_ACTIONS.some((action) => action === name);
/** Names of fields that the log knows in the reader's language; features and others keep their own. */
const FIELDS = [
  'confirmed',
  'restricted',
  'reason',
  'vip',
  'until',
  'admin',
  'ended',
  'revoked',
  'count',
  'days',
  'on',
  'from',
  'to',
] as const;
type Field = (typeof FIELDS)[number];
const isField = (name: string): name is Field => FIELDS.some((field) => field === name);
/** Ids say nothing to people. */
const HIDDEN = ['id'];

/** How the lines of the log are shown, wherever they are. */
export function useLogColumns(): Column<AuditEntry>[] {
  const { t } = useTranslation('admin');
  return [
    {
      key: 'at',
      label: t('log.at'),
      cell: ({ at }) => <time dateTime={at}>{formatDateTime(at, currentLanguage())}</time>,
    },
    {
      key: 'action',
      label: t('log.action'),
      cell: ({ action }) => (isAction(action) ? t(`log.actions.${action.replace('.', '_') as 'maintenance'}`) : action),
    },
    {
      key: 'subject',
      label: t('log.subject'),
      cell: ({ subject, target }) =>
        subject ? (
          <Link to={`/admin/users/${subject.id}`} className={classes.target}>
            {subject.name}
          </Link>
        ) : (
          target
        ),
    },
    { key: 'change', label: t('log.change'), cell: (entry) => <Changes entry={entry} /> },
    { key: 'by', label: t('log.by'), cell: ({ by }) => by?.name ?? t('log.gone') },
    { key: 'address', label: t('log.address'), cell: ({ address }) => address },
  ];
}

/** Each thing that differs: what it was, what it is. */
function Changes({ entry: { before, after } }: { entry: AuditEntry }) {
  const { t } = useTranslation('admin');
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const show = (value: unknown): string => {
    if (value === null || value === undefined) return t('log.nothing');
    if (typeof value === 'boolean') return t(value ? 'log.yes' : 'log.no');
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return formatDateTime(value, currentLanguage());
    if (typeof value !== 'object') return String(value);
    const text = 'text' in value ? (value.text as Record<string, unknown>)[currentLanguage()] : undefined;
    return typeof text === 'string' ? text : JSON.stringify(value);
  };
  const changed = names.filter((name) => !HIDDEN.includes(name) && show(before?.[name]) !== show(after?.[name]));
  return (
    <ul className={classes.changes}>
      {changed.map((name) => (
        <li key={name}>
          {isField(name) ? t(`log.fields.${name}`) : name}:{' '}
          {before && name in before && (
            <>
              <s className={classes.was}>{show(before[name])}</s> →{' '}
            </>
          )}
          {show(after?.[name])}
        </li>
      ))}
    </ul>
  );
}
