import { VisuallyHidden } from '@mantine/core';
import { Fragment, type KeyboardEvent, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { storeRedirect } from '../../api/redirect.ts';
import { lazyNamed } from '../../ui/lazy-named.ts';
import classes from './AuthPage.module.css';
import { GuestEntry } from './GuestEntry.tsx';
import { LoginForm } from './LoginForm.tsx';

const RegisterForm = lazyNamed(() => import('./RegisterForm.tsx'), 'RegisterForm');

const TABS = ['login', 'register'] as const;
type Tab = (typeof TABS)[number];

/** Login and registration: two tabs of one card, each with its own URL. Both keep their input. */
export function AuthPage({ tab }: { tab: Tab }) {
  const { t } = useTranslation('auth');
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const redirect = query.get('redirect');
  // After a password change or a confirmation the address is passed in the state.
  const state = useLocation().state as { email?: string; confirmed?: boolean } | null;
  const [email, setEmail] = useState(state?.email ?? '');
  const tabs = useRef<HTMLDivElement>(null);
  // The login does not wait for the other form; a page that begins with it does.
  const [Waiting] = useState(() => (tab === 'login' ? Suspense : Fragment));

  useEffect(() => storeRedirect(redirect), [redirect]);

  const show = (wanted: Tab) => navigate(`/${wanted}`, { replace: true, preventScrollReset: true });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const other = tab === 'login' ? 'register' : 'login';
    show(other);
    tabs.current?.querySelector<HTMLElement>(`#tab-${other}`)?.focus();
  };

  return (
    <div className={classes.page}>
      <div className={classes.card}>
        <VisuallyHidden component="h1">{t(tab)}</VisuallyHidden>
        <div ref={tabs} role="tablist" aria-label={t('tabs')} className={classes.tabs} onKeyDown={onKeyDown}>
          {TABS.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`tab-${name}`}
              aria-selected={name === tab}
              aria-controls={`panel-${name}`}
              tabIndex={name === tab ? 0 : -1}
              className={classes.tab}
              onClick={() => show(name)}
            >
              {t(name)}
            </button>
          ))}
        </div>
        {TABS.map((name) => (
          <div
            key={name}
            role="tabpanel"
            id={`panel-${name}`}
            aria-labelledby={`tab-${name}`}
            hidden={name !== tab}
            className={classes.panel}
          >
            {name === 'login' ? (
              <LoginForm email={email} onEmail={setEmail} confirmed={state?.confirmed === true} />
            ) : (
              <Waiting>
                <RegisterForm email={email} onEmail={setEmail} />
              </Waiting>
            )}
          </div>
        ))}
        <GuestEntry />
      </div>
    </div>
  );
}
