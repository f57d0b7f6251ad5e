import type { User } from '@framelift/contract';
import { useTranslation } from 'react-i18next';
import classes from './AccountFacts.module.css';

/** Name, e-mail address and phone, if given. */
export function AccountFacts({ user: { name, email, phone } }: { user: Pick<User, 'name' | 'email' | 'phone'> }) {
  const { t } = useTranslation('menu');
  return (
    <dl className={classes.facts}>
      <dt>{t('name')}</dt>
      <dd>{name}</dd>
      <dt>{t('email')}</dt>
      <dd>{email}</dd>
      {phone !== '' && (
        <>
          <dt>{t('phone')}</dt>
          <dd>{phone}</dd>
        </>
      )}
    </dl>
  );
}
