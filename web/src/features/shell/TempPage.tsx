import { Navigate, type NavigateFunction, useLocation } from 'react-router';
import { safePath } from '../../api/redirect.ts';

/** Loads the page that is shown anew: everything on it is made again. The history keeps its one entry of it. */
export function reloadPage(navigate: NavigateFunction): void {
  const { pathname, search, hash } = window.location;
  navigate('/temp', { replace: true, state: { from: pathname + search + hash } });
}

/** Puts the page in its place that it was opened from; nobody ever sees it. */
export function TempPage() {
  const { state } = useLocation() as { state: { from?: string } | null };
  const from = safePath(state?.from ?? null, window.location.origin) ?? '/';
  return <Navigate to={/^\/temp\b/i.test(from) ? '/' : from} replace />;
}
