import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, ScrollRestoration, useLocation } from 'react-router';
import { useSession } from '../../api/session.ts';
import { followSession } from '../../i18n/index.ts';
import { AlertHost } from '../../ui/AlertHost.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { Toasts } from '../../ui/Toasts.tsx';
import { UploadDialogProvider } from '../../ui/uploadDialog.tsx';
import { BottomNav } from './BottomNav.tsx';
import { GlobalParameters } from './GlobalParameters.tsx';
import { Header } from './Header.tsx';
import classes from './Shell.module.css';
import { pageKey, transitionTo } from './transition.ts';

/** What stands around every page. `dialogs` are those that can be opened from any page. */
export function Shell({ dialogs }: { dialogs: ReactNode }) {
  const { pathname } = useLocation();
  const { t } = useTranslation('shell');
  const { kind } = useSession();
  const main = useRef<HTMLElement>(null);
  const page = pageKey(pathname);
  const shown = useRef(page);

  useEffect(() => {
    if (kind !== 'loading' && kind !== 'unreachable') void followSession();
  }, [kind]);

  useEffect(() => {
    // A new page starts at its top for keyboard and reader as well.
    if (shown.current !== page) main.current?.focus({ preventScroll: true });
    shown.current = page;
  }, [page]);

  return (
    <UploadDialogProvider>
      <div className={classes.shell}>
        <a href="#main" className={classes.skip}>
          {t('skipToContent')}
        </a>
        <Header />
        <main id="main" ref={main} tabIndex={-1} className={classes.main}>
          <Suspense fallback={<Spinner />}>
            <div key={page} className={classes.page} data-transition={transitionTo(pathname)}>
              <Outlet />
            </div>
          </Suspense>
        </main>
        <BottomNav />
      </div>
      {dialogs}
      <AlertHost />
      <Toasts />
      <GlobalParameters />
      <ScrollRestoration getKey={({ pathname, key }) => (key === 'default' ? pathname : key)} />
    </UploadDialogProvider>
  );
}
