import { useEffect, useRef } from 'react';
import { useSession } from '../../api/session.ts';
import { forgetSelection } from './kept-selection.ts';
import { removeExpired } from './kept-store.ts';
import { forgetUploads } from './kept-upload.ts';

/** Removes the files that uploads have left in this browser: at the start what is too old, and after a logout all. */
export function ForgetKeptFiles() {
  const session = useSession();
  const { kind } = session;
  const loggedOut = kind === 'visitor' && session.loggedOut;
  const wasMember = useRef(false);
  useEffect(() => void removeExpired(), []);
  useEffect(() => {
    if (loggedOut) void forgetUploads();
    // What a guest has chosen waits for their account.
    if (loggedOut && wasMember.current) void forgetSelection();
    wasMember.current = kind === 'member';
  }, [kind, loggedOut]);
  return null;
}
