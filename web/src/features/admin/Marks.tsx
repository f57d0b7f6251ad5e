import type { MemberRow } from '@framelift/contract';
import { useTranslation } from 'react-i18next';
import classes from './Marks.module.css';

/** Badges for the special properties of a member. */
export function Marks({ member }: { member: MemberRow }) {
  const { t } = useTranslation('admin');
  const marks = [
    member.isAdmin && 'admin',
    member.VIP && 'vip',
    !member.isConfirmed && 'unconfirmed',
    member.isRestricted && 'restricted',
    member.isSuspended && 'suspended',
    member.deletionAt && 'deleting',
  ].filter((mark) => mark !== false && mark !== null);
  if (marks.length === 0) return null;
  return (
    <ul className={classes.marks}>
      {marks.map((mark) => (
        <li key={mark} data-mark={mark}>
          {t(`marks.${mark as 'admin'}`)}
        </li>
      ))}
    </ul>
  );
}
