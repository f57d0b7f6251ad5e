import { Navigate, type NavigateFunction, useLocation } from 'react-router';
import { safePath } from '../../api/redirect.ts';

/** Remounts the current page without a new history entry. */
export function reloadPage(navigate: NavigateFunction): void {
  const { pathname, search, hash } = window.location;
  navigate('/temp', { replace: true, state: { from: pathname + search + hash } });
}

/** Immediately redirects back to the page that it was opened from; it is never visible. */
export function TempPage() {
  const { state } = useLocation() as { state: { from?: string } | null };
  const from = safePath(state?.from ?? null, window.location.origin) ?? '/';
  return <Navigate to={/^\/temp\b/i.test(from) ? '/' : from} replace />;
}
