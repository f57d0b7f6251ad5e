import type { ManagedPayment } from '@framelift/contract';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import classes from '../Admin.module.css';

/** Leads to the member, whose account may be gone. */
export function MemberCell({ member }: Pick<ManagedPayment, 'member'>) {
  const { t } = useTranslation('adminPayments');
  if (!member) return <Text c="dimmed">{t('gone')}</Text>;
  return (
    <div>
      <Link to={`/admin/users/${member.id}`} className={classes.target}>
        {member.name}
      </Link>
      <Text size="sm" c="dimmed">
        {member.email}
      </Text>
    </div>
  );
}
