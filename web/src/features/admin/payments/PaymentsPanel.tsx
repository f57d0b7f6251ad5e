import { formatMoney, type SiteStatus } from '@framelift/contract';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { currentLanguage } from '../../../i18n/index.ts';
import { Panel } from '../Panel.tsx';
import classes from './Payments.module.css';

/** What the month brought, and the payments that need somebody. */
export function PaymentsPanel({ payments }: Pick<SiteStatus, 'payments'>) {
  const { t } = useTranslation('adminPayments');
  const { problems, ungranted, unanswered, takings } = payments;
  return (
    <Panel title={t('overview.title')}>
      {takings.length === 0 ? (
        <Text c="dimmed">{t('overview.nothing')}</Text>
      ) : (
        <dl className={classes.takings}>
          {takings.map(({ currency, paid, refunded }) => {
            const shown = (amount: number) => formatMoney({ amount, currency }, currentLanguage());
            return (
              <div key={currency}>
                <dt>{t('overview.taken', { currency })}</dt>
                <dd className={`tabular ${classes.sum}`}>{shown(paid)}</dd>
                {refunded > 0 && <dd className="tabular">{t('overview.refunded', { amount: shown(refunded) })}</dd>}
              </div>
            );
          })}
        </dl>
      )}
      <ul className={classes.links}>
        {problems > 0 && (
          <li>
            <Link to="/admin/payments?problem=yes">{t('overview.problems', { count: problems })}</Link>
          </li>
        )}
        {unanswered > 0 && (
          <li>
            <Link to="/admin/payments?problem=unanswered">{t('overview.unanswered', { count: unanswered })}</Link>
          </li>
        )}
        {ungranted > 0 && (
          <li>
            <Link to="/admin/payments?state=paid&problem=no">{t('overview.ungranted', { count: ungranted })}</Link>
          </li>
        )}
        <li>
          <Link to="/admin/payments">{t('overview.payments')}</Link>
        </li>
        <li>
          <Link to="/admin/subscriptions">{t('overview.subscriptions')}</Link>
        </li>
      </ul>
    </Panel>
  );
}
