import { ActionIcon, Box, Button } from '@mantine/core';
import IconLogout from '@tabler/icons-react/icons/IconLogout';
import IconMenu2 from '@tabler/icons-react/icons/IconMenu2';
import { useMutation } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import { logoutMutation, useSession } from '../../api/session.ts';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import { LanguageChooser } from '../../ui/LanguageChooser.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { lazyNamed } from '../../ui/lazy-named.ts';
import { ThemeSwitch } from '../../ui/ThemeSwitch.tsx';
import classes from './Header.module.css';
import { reloadPage } from './TempPage.tsx';
import { pageKey } from './transition.ts';
import { useSwitches } from './use-switches.ts';

const NotificationBell = lazyNamed(() => import('./NotificationBell.tsx'), 'NotificationBell');
const SideMenu = lazyNamed(() => import('./SideMenu.tsx'), 'SideMenu');

/** Header of every page. Items that do not fit on a phone are in the side menu. */
export function Header() {
  const { t } = useTranslation('shell');
  const { kind } = useSession();
  const logout = useMutation(logoutMutation);
  const { open } = useUploadDialog();
  const { stateOf, isShut } = useSwitches();
  const [menu, showMenu] = useState(false);
  const page = pageKey(useLocation().pathname);
  const navigate = useNavigate();
  if (isShut) return null;

  const link = (to: string, label: string, guide?: string, from: 'md' | 'lg' = 'md') => (
    <Button component={Link} to={to} variant="subtle" color="gray" px="sm" visibleFrom={from} data-guide={guide}>
      {label}
    </Button>
  );
  return (
    <header className={classes.header}>
      <div className={classes.row}>
        <Link
          to="/player"
          className={classes.home}
          aria-label={t('home')}
          onClick={(event) => {
            // On that page the link would have no effect: the page is reloaded instead.
            if (page !== '/player' || event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            reloadPage(navigate);
          }}
        >
          <Logo />
        </Link>
        <nav aria-label={t('mainNavigation')} className={classes.nav}>
          {kind === 'visitor' && link('/plan', t('side.plans'))}
          {kind === 'member' && (
            <>
              {stateOf('store') === 'on' && link('/store', t('side.store'), undefined, 'lg')}
              {link('/subscribe', t('side.plans'))}
              {link('/member/video', t('side.content'), 'content')}
              {stateOf('frameSetting') === 'on' && link('/menu/frameSetting', t('side.frameSetting'))}
              {link('/menu', t('memberArea'))}
              {stateOf('convert2to3') === 'on' && (
                <Button onClick={() => open()} visibleFrom="sm" data-guide="convert">
                  {t('convert')}
                </Button>
              )}
              <Suspense fallback={<span className={classes.room} />}>
                <NotificationBell />
              </Suspense>
            </>
          )}
          {kind !== 'guest' && <LanguageChooser />}
          <ThemeSwitch visibleFrom="sm" />
          {kind === 'visitor' && page !== '/login' && (
            <Button component={Link} to="/login" variant="default" px="sm">
              {t('side.login')}
            </Button>
          )}
          {kind === 'loading' && <Box component="span" className={classes.room} visibleFrom="sm" />}
          {(kind === 'member' || kind === 'guest' || kind === 'unconfirmed') && (
            <ActionIcon
              aria-label={t('side.logout')}
              title={t('side.logout')}
              onClick={() => logout.mutate()}
              {...(kind === 'member' && { visibleFrom: 'sm' })}
            >
              <IconLogout size={20} aria-hidden />
            </ActionIcon>
          )}
          <ActionIcon
            aria-label={t('sideMenu')}
            aria-haspopup="dialog"
            aria-expanded={menu}
            onClick={() => showMenu(true)}
          >
            <IconMenu2 size={22} aria-hidden />
          </ActionIcon>
        </nav>
      </div>
      <Suspense fallback={null}>{menu && <SideMenu onClosed={() => showMenu(false)} />}</Suspense>
    </header>
  );
}
