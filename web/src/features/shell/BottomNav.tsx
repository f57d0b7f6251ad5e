import { UnstyledButton } from '@mantine/core';
import IconHome from '@tabler/icons-react/icons/IconHome';
import IconMenu2 from '@tabler/icons-react/icons/IconMenu2';
import IconPhoto from '@tabler/icons-react/icons/IconPhoto';
import IconPhotoPlus from '@tabler/icons-react/icons/IconPhotoPlus';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { useSession } from '../../api/session.ts';
import { useUploadDialog } from '../../ui/uploadDialog.tsx';
import classes from './BottomNav.module.css';

/** Navigation at the thumb, for members on phones. */
export function BottomNav() {
  const { t } = useTranslation('shell');
  const { kind } = useSession();
  const { open } = useUploadDialog();
  if (kind !== 'member') return null;
  return (
    <nav className={classes.nav} aria-label={t('bottomNavigation')}>
      <NavLink to="/player" className={classes.item ?? ''}>
        <span className={classes.icon}>
          <IconHome aria-hidden />
        </span>
        {t('homeShort')}
      </NavLink>
      <UnstyledButton className={classes.item ?? ''} onClick={() => open()}>
        <span className={classes.icon} data-main>
          <IconPhotoPlus aria-hidden />
        </span>
        {t('convertShort')}
      </UnstyledButton>
      <NavLink to="/member/video" className={classes.item ?? ''}>
        <span className={classes.icon}>
          <IconPhoto aria-hidden />
        </span>
        {t('myContent')}
      </NavLink>
      <NavLink to="/menu" className={classes.item ?? ''} end>
        <span className={classes.icon}>
          <IconMenu2 aria-hidden />
        </span>
        {t('menu')}
      </NavLink>
    </nav>
  );
}
