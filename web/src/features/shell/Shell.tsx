import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation, useNavigationType } from 'react-router';
import { useSession } from '../../api/session.ts';
import { followSession } from '../../i18n/index.ts';
import { UploadDialogProvider } from '../../shared/upload-dialog.tsx';
import { AlertHost } from '../../ui/AlertHost.tsx';
import { PageSkeleton } from '../../ui/PageSkeleton.tsx';
import { Toasts } from '../../ui/Toasts.tsx';
import { BottomNav } from './BottomNav.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Header } from './Header.tsx';
import { OfflineBanner } from './OfflineBanner.tsx';
import classes from './Shell.module.css';
import { pageKey, transitionTo } from './transition.ts';

/** Layout of every page. `dialogs` can be opened from any page, `banner` is shown above each. */
export function Shell({ dialogs, banner }: { dialogs: ReactNode; banner?: ReactNode }) {
  const { pathname } = useLocation();
  const { t } = useTranslation('shell');
  const { kind } = useSession();
  const main = useRef<HTMLElement>(null);
  const page = pageKey(pathname);
  const going = useNavigationType();
  const shown = useRef(page);
  // The landing page is painted before the app has come: it does not enter, unless one comes back to it.
  const [painted, setPainted] = useState(page === '/index');

  useEffect(() => {
    if (kind !== 'loading' && kind !== 'unreachable') void followSession();
  }, [kind]);

  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    setPainted(false);
    // A new page starts at its top, visually and for keyboard and screen reader. On back navigation the browser
    // restores the position.
    if (going !== 'POP') window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [page, going]);

  return (
    <UploadDialogProvider>
      <div className={classes.shell}>
        <a href="#main" className={classes.skip}>
          {t('skipToContent')}
        </a>
        <Header />
        <OfflineBanner />
        <ErrorBoundary fallback={null}>{banner}</ErrorBoundary>
        <main id="main" ref={main} tabIndex={-1} className={classes.main}>
          <Suspense fallback={<PageSkeleton />}>
            <div
              key={page}
              className={classes.page}
              data-transition={painted && page === '/index' ? 'none' : transitionTo(pathname)}
            >
              <ErrorBoundary>
                <Outlet />
              </ErrorBoundary>
            </div>
          </Suspense>
        </main>
        <BottomNav />
      </div>
      <ErrorBoundary fallback={null}>{dialogs}</ErrorBoundary>
      <AlertHost />
      <Toasts />
    </UploadDialogProvider>
  );
}
