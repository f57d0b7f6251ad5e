import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { consumeRedirect } from '../../api/redirect.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { afterLogin } from './guards.ts';

/** Takes somebody who has just logged in from a visitor's page to where they wanted to go. */
export function AfterLogin({ who }: { who: 'member' | 'guest' }) {
  const navigate = useNavigate();
  const done = useRef(false);
  useEffect(() => {
    // The stored path counts once; strict mode runs effects twice.
    if (done.current) return;
    done.current = true;
    navigate(afterLogin(who, consumeRedirect()), { replace: true });
  }, [who, navigate]);
  return <Spinner />;
}
