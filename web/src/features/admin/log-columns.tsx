import {
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditEntry,
  currencyCode,
  FEATURE_STATES,
  formatMoney,
} from '@framelift/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatDateTime } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import classes from './Admin.module.css';
import type { Column } from './DataTable.tsx';

const isAction = (name: string): name is AuditAction => AUDIT_ACTIONS.some((action) => action === name);
/** Fields with a translated name; fields written by another version are shown under their raw name. */
const FIELDS = [
  ...['confirmed', 'restricted', 'reason', 'vip', 'until', 'admin', 'ended', 'revoked', 'count', 'days', 'expires_at'],
  ...['on', 'from', 'to', 'announcement', 'searched', 'action', 'subject', 'by', 'deleting'],
  ...['name', 'note', 'ratio', 'extendResolution', 'isActive', 'format', 'quilt', 'disparityBudget'],
  ...['percent', 'active', 'limit', 'points', 'freePoints', 'picture', 'video', 'provider', 'adUnitPath', 'reward'],
  ...['question', 'answer', 'address', 'hours', 'mapUrl', 'place', 'number', 'builtin'],
  ...['costs', 'currency', 'problem', 'plan', 'withdrawn'],
];
const STATES: readonly string[] = FEATURE_STATES;
/** Fields that are not shown: ids mean nothing to users, and a currency is shown with its amount. */
const HIDDEN = ['id', 'currency'];

/** Returns the columns of the audit log, shared by all pages that show it. */
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
      cell: ({ subject, target, action }) =>
        subject ? (
          <>
            <Link to={`/admin/users/${subject.id}`} className={classes.target}>
              {subject.name}
            </Link>
            {isOfPayment(action) && target && <PaymentLink td={target} />}
          </>
        ) : isOfPayment(action) && target ? (
          <PaymentLink td={target} />
        ) : action === 'features' && target ? (
          t(`features.presets.${target as 'full'}`)
        ) : (
          target
        ),
    },
    { key: 'change', label: t('log.change'), cell: (entry) => <Changes entry={entry} /> },
    { key: 'by', label: t('log.by'), cell: ({ by }) => by?.name ?? t('log.gone') },
    { key: 'address', label: t('log.address'), cell: ({ address }) => address },
  ];
}

const isOfPayment = (action: string) => action.startsWith('payment.');

function PaymentLink({ td }: { td: string }) {
  const { t } = useTranslation('admin');
  return (
    <div>
      <Link to={`/admin/payments?q=${td}`} className={classes.target}>
        {t('log.payment')}
      </Link>
    </div>
  );
}

/** Each changed field with its old and new value. */
function Changes({ entry: { action, before, after } }: { entry: AuditEntry }) {
  const { t } = useTranslation('admin');
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const show = (value: unknown): string => {
    if (value === null || value === undefined) return t('log.nothing');
    if (typeof value === 'boolean') return t(value ? 'log.yes' : 'log.no');
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return formatDateTime(value, currentLanguage());
    if (action === 'features' && STATES.includes(String(value))) return t(`features.states.${value as 'on'}`);
    if (typeof value !== 'object') return String(value);
    const text = 'text' in value ? (value.text as Record<string, unknown>)[currentLanguage()] : undefined;
    return typeof text === 'string' ? text : JSON.stringify(value);
  };
  const currency = currencyCode.safeParse(after?.currency).data;
  const shown = (name: string, value: unknown): string =>
    currency && name === 'costs' && typeof value === 'number'
      ? formatMoney({ amount: value, currency }, currentLanguage())
      : show(value);
  const label = (name: string): string => {
    if (action === 'features') return t(`features.names.${name as 'store'}`, { defaultValue: name });
    return FIELDS.includes(name) ? t(`log.fields.${name as 'on'}`) : name;
  };
  const changed = names.filter((name) => !HIDDEN.includes(name) && show(before?.[name]) !== show(after?.[name]));
  return (
    <ul className={classes.changes}>
      {changed.map((name) => (
        <li key={name}>
          {t('log.label', { name: label(name) })}{' '}
          {before && name in before && before[name] !== null && (
            <>
              <s className={classes.was}>{show(before[name])}</s> →{' '}
            </>
          )}
          {shown(name, after?.[name])}
        </li>
      ))}
    </ul>
  );
}
