import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Panel } from '../Panel.tsx';
import classes from './Payments.module.css';

/** Leads to what a member paid and has. */
export function UserPurchases({ id }: { id: string }) {
  const { t } = useTranslation('adminPayments');
  return (
    <Panel title={t('user.title')}>
      <ul className={classes.links}>
        <li>
          <Link to={`/admin/payments?member=${id}`}>{t('user.payments')}</Link>
        </li>
        <li>
          <Link to={`/admin/subscriptions?member=${id}`}>{t('user.subscriptions')}</Link>
        </li>
      </ul>
    </Panel>
  );
}
