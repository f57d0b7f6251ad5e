import { useQuery } from '@tanstack/react-query';
import { Navigate, Outlet, useLocation } from 'react-router';
import { configQuery } from '../../api/config.ts';
import { useSession } from '../../api/session.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { pageKey } from './transition.ts';

/** Pages that remain accessible during maintenance. */
const OPEN: readonly string[] = ['/maintenance', '/login'];

/** Redirects everyone except administrators to the maintenance page during maintenance. */
export function MaintenanceGate() {
  const { data } = useQuery(configQuery);
  const session = useSession();
  const { pathname, search, hash } = useLocation();
  if (!data?.isMaintenance || OPEN.includes(pageKey(pathname))) return <Outlet />;
  if (session.kind === 'loading') return <Spinner />;
  if (session.kind === 'member' && session.user.isAdmin) return <Outlet />;
  return <Navigate to="/maintenance" replace state={{ from: pathname + search + hash }} />;
}
