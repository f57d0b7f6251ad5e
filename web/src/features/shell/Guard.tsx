import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation } from 'react-router';
import { useSession, useSessionProbe } from '../../api/session.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { AfterLogin } from './AfterLogin.tsx';
import { type Access, whereTo } from './guards.ts';
import classes from './Page.module.css';

/** Shows a page to those it is for and sends the others where they belong. */
export function Guard({ access, children }: { access: Access; children: ReactNode }) {
  const session = useSession();
  const { pathname, search } = useLocation();
  const { t } = useTranslation('shell');
  const probing = useSessionProbe(access === 'member' && session.kind === 'visitor');

  if (access === 'link') return children;
  if (session.kind === 'unreachable') {
    return (
      <Stack className={classes.centre} align="center" gap="lg">
        <Text>{t('unreachable')}</Text>
        <Button onClick={session.retry}>{t('tryAgain')}</Button>
      </Stack>
    );
  }
  if (session.kind === 'loading' || probing) return <Spinner />;
  if (access === 'visitor' && (session.kind === 'member' || session.kind === 'guest'))
    return <AfterLogin who={session.kind} />;
  const target = whereTo(access, session.kind, pathname + search, session.kind === 'visitor' && session.loggedOut);
  return target === null ? children : <Navigate to={target} replace />;
}
