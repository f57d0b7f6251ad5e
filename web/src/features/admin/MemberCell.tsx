import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import classes from './Admin.module.css';

interface Props {
  /** Null once the account is gone. */
  readonly member: { readonly id: string; readonly name: string; readonly email: string | null } | null;
}

/** Leads to a member. */
export function MemberCell({ member }: Props) {
  const { t } = useTranslation('admin');
  if (!member) return <Text c="dimmed">{t('log.gone')}</Text>;
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
