import type { Texts } from '@framelift/texts';
import { Button, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { consumeRedirect } from '../../api/redirect.ts';
import { useSession, useSessionProbe } from '../../api/session.ts';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { PageSkeleton } from '../../ui/PageSkeleton.tsx';
import { GlobalParameters } from './GlobalParameters.tsx';
import { type Access, afterLogin, whereTo } from './guards.ts';
import classes from './Page.module.css';

/** Key of a page title in the shell's texts. */
export type PageTitle = keyof Texts['shell']['titles'];

/**
 * Renders a page for those who may see it and redirects all others. With `to` the page only redirects. Global query
 * parameters are read where a page is rendered, so that redirects keep them.
 */
export function Guard({
  access,
  title,
  to,
  children,
}: {
  access: Access;
  title?: PageTitle;
  to?: string;
  children?: ReactNode;
}) {
  const session = useSession();
  const { pathname, search } = useLocation();
  const { t } = useTranslation('shell');
  const probing = useSessionProbe(access === 'member' && session.kind === 'visitor');

  const shown = (
    <>
      {title && <DocumentTitle title={t(`titles.${title}`)} />}
      <GlobalParameters />
      {children}
    </>
  );
  if (access === 'link') return shown;
  if (session.kind === 'unreachable') {
    return (
      <Stack className={classes.centre} align="center" gap="lg">
        <Title order={1} size="h3">
          {t('unreachable')}
        </Title>
        <Button onClick={session.retry}>{t('tryAgain')}</Button>
      </Stack>
    );
  }
  if (session.kind === 'loading' || probing) return <PageSkeleton />;
  // The address of an unconfirmed member was confirmed elsewhere meanwhile.
  const confirmed = access === 'unconfirmed' && session.kind === 'member';
  if (confirmed || (access === 'visitor' && (session.kind === 'member' || session.kind === 'guest')))
    return <AfterLogin who={session.kind} />;
  const target = whereTo(access, session.kind, pathname + search, session.kind === 'visitor' && session.loggedOut);
  if (target !== null) return <Navigate to={target} replace />;
  return to === undefined ? shown : <Navigate to={to + search} replace />;
}

/** Redirects a user who has just logged in to the page that was requested. */
function AfterLogin({ who }: { who: 'member' | 'guest' }) {
  const navigate = useNavigate();
  const done = useRef(false);
  useEffect(() => {
    // The stored path is consumed once; strict mode runs effects twice.
    if (done.current) return;
    done.current = true;
    navigate(afterLogin(who, consumeRedirect()), { replace: true });
  }, [who, navigate]);
  return <PageSkeleton />;
}
