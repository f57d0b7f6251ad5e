import type { User } from '@framelift/contract';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { beginSession, useSession } from '../api/session.ts';
import { AlertHost } from '../ui/AlertHost.tsx';
import { aMember } from './page.tsx';

/** Renders its children as for a member right after a login, until the session ends. */
export function LoggedIn({ as = {}, children }: { as?: Partial<User>; children: ReactNode }) {
  const queries = useQueryClient();
  const [begun, setBegun] = useState(false);
  const { kind } = useSession();
  // Once, as a login does.
  useEffect(() => {
    beginSession(queries, { ...aMember, ...as });
    setBegun(true);
  }, []);
  return (
    <>
      {begun && (kind === 'visitor' ? <h1>Logged out</h1> : children)}
      <AlertHost />
    </>
  );
}
