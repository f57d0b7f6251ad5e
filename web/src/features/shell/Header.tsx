import { ActionIcon, Button } from '@mantine/core';
import IconLogout from '@tabler/icons-react/icons/IconLogout';
import IconPhoto from '@tabler/icons-react/icons/IconPhoto';
import IconUserCircle from '@tabler/icons-react/icons/IconUserCircle';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { logout, useSession } from '../../api/session.ts';
import { Dropdown } from '../../ui/Dropdown.tsx';
import { LanguageChooser } from '../../ui/LanguageChooser.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { ThemeSwitch } from '../../ui/ThemeSwitch.tsx';
import { useUploadDialog } from '../../ui/uploadDialog.tsx';
import classes from './Header.module.css';
import { pageKey } from './transition.ts';

export function Header() {
  const { t } = useTranslation('shell');
  const session = useSession();
  const queries = useQueryClient();
  const { open } = useUploadDialog();
  const onLogin = pageKey(useLocation().pathname) === '/login';
  const leave = () => void logout(queries);

  return (
    <header className={classes.header}>
      <div className={classes.row}>
        <Link to="/player" className={classes.home} aria-label={t('home')}>
          <Logo />
        </Link>
        <nav aria-label={t('mainNavigation')} className={classes.nav}>
          {session.kind === 'member' && (
            <>
              <Button component={Link} to="/member/video" variant="subtle" color="gray" visibleFrom="sm">
                {t('myContent')}
              </Button>
              <Button onClick={() => open()} visibleFrom="sm">
                {t('convert')}
              </Button>
            </>
          )}
          {session.kind !== 'guest' && <LanguageChooser />}
          <ThemeSwitch />
          {session.kind === 'visitor' && !onLogin && (
            <Button component={Link} to="/login" variant="default" px="sm">
              {t('login')}
            </Button>
          )}
          {session.kind === 'member' && (
            <Dropdown
              label={t('memberMenu')}
              items={[
                {
                  key: 'content',
                  label: t('myContent'),
                  icon: <IconPhoto size={20} aria-hidden />,
                  to: '/member/video',
                },
                { key: 'menu', label: t('memberArea'), icon: <IconUserCircle size={20} aria-hidden />, to: '/menu' },
                { key: 'logout', label: t('logout'), icon: <IconLogout size={20} aria-hidden />, onSelect: leave },
              ]}
            >
              {() => <IconUserCircle size={24} aria-hidden />}
            </Dropdown>
          )}
          {(session.kind === 'guest' || session.kind === 'unconfirmed') && (
            <ActionIcon aria-label={t('logout')} onClick={leave}>
              <IconLogout size={20} aria-hidden />
            </ActionIcon>
          )}
        </nav>
      </div>
    </header>
  );
}
