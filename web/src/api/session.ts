import type { User } from '@framelift/contract';
import { mutationOptions, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { call } from './client.ts';
import { QUIET } from './query-client.ts';
import { localStored, sessionStored } from './stored.ts';

/**
 * The session itself is an HttpOnly cookie that scripts cannot read. This note only records that a session exists, so
 * that pages for visitors make no call that is certain to be refused. A member's note lives as long as the cookie; a
 * guest's is in session storage, so a new tab starts as a visitor.
 */
const KEY = 'session';
type Note = 'member' | 'guest' | null;

const listeners = new Set<() => void>();
let note: Note = read();
/** True once a note was seen since the page was loaded: if it is gone later, the session has ended. */
let known = note !== null;
/** True if the last session was ended by the user, not by expiry. */
let loggedOut = false;

function read(): Note {
  if (sessionStored.get(KEY) === 'guest') return 'guest';
  return localStored.get(KEY) === 'member' ? 'member' : null;
}

function write(next: Note): void {
  note = next;
  known = true;
  sessionStored.set(KEY, next === 'guest' ? next : null);
  localStored.set(KEY, next === 'member' ? next : null);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  // Logging in or out in another tab applies here as well.
  const onStorage = (event: StorageEvent) => {
    if (event.key !== KEY && event.key !== null) return;
    note = read();
    listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}

export const userQuery = queryOptions({
  queryKey: ['user'],
  queryFn: ({ signal }) => call('user', { signal }),
  staleTime: 60_000,
});

export type Session =
  | { readonly kind: 'loading' }
  /** There is a session, but the server cannot be reached to load its user. */
  | { readonly kind: 'unreachable'; readonly retry: () => void }
  /** `loggedOut`: the user logged out on purpose, so the next login does not return to the previous page. */
  | { readonly kind: 'visitor'; readonly loggedOut: boolean }
  | { readonly kind: 'guest' | 'unconfirmed' | 'member'; readonly user: User };

/** Returns the current session and its user. */
export function useSession(): Session {
  // The prerendered page is that of a visitor.
  const current = useSyncExternalStore(
    subscribe,
    () => note,
    () => null,
  );
  const { data, isError, refetch } = useQuery({ ...userQuery, enabled: current !== null });
  if (current === null) return { kind: 'visitor', loggedOut };
  if (data) return { kind: data.isGuest ? 'guest' : data.isConfirmed ? 'member' : 'unconfirmed', user: data };
  return isError ? { kind: 'unreachable', retry: () => void refetch() } : { kind: 'loading' };
}

/** True while this browser has a session; needs no call to the server. */
export const hasSession = (): boolean => note !== null;
export const isGuestSession = (): boolean => note === 'guest';

/**
 * Checks for a session without a note: browsers may clear script storage before cookies. A page that needs a login
 * therefore asks the server once before it redirects to the login form.
 */
export function useSessionProbe(wanted: boolean): boolean {
  const current = useSyncExternalStore(
    subscribe,
    () => note,
    () => null,
  );
  const probing = wanted && current === null && !known;
  const probe = useQuery({
    queryKey: ['session-probe'],
    queryFn: () => call('user'),
    enabled: probing,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    meta: QUIET,
  });
  const user = probe.data;
  useEffect(() => {
    if (user && note === null) write(user.isGuest ? 'guest' : 'member');
  }, [user]);
  // Until the note of a session that was found is written, too: its page must not be left for the login meanwhile.
  return probing && (probe.isLoading || probe.isSuccess);
}

/** Stores a new session and its user, and clears all cached data of the previous one. */
export function beginSession(queries: QueryClient, user: User): void {
  queries.clear();
  queries.setQueryData(userQuery.queryKey, user);
  loggedOut = false;
  write(user.isGuest ? 'guest' : 'member');
}

/** Clears the session in this browser. */
export function forgetSession(queries: QueryClient): void {
  write(null);
  queries.clear();
}

/**
 * After a 401: clears the session and its cookie. Returns true only for the first of several calls that failed
 * together, so that they cause one toast and one logout.
 */
export function endExpiredSession(queries: QueryClient): boolean {
  if (note === null) return false;
  forgetSession(queries);
  // Only the cookie is left to clear; the session no longer exists on the server.
  call('logout').catch(() => {});
  return true;
}

/**
 * Leaves guest mode in the interface only. The cookie stays, so that the guest's uploads are transferred by the next
 * registration or login [A55].
 */
export function leaveGuestMode(queries: QueryClient): void {
  loggedOut = true;
  forgetSession(queries);
}

/** Ends the session. */
export const logoutMutation = mutationOptions<void, Error, void>({
  mutationFn: (_variables, { client }) => logout(client),
  meta: QUIET,
});

/** Ends the session on the server and in this browser; without a response it is still cleared here. */
export async function logout(queries: QueryClient): Promise<void> {
  try {
    await call('logout');
  } finally {
    loggedOut = true;
    forgetSession(queries);
  }
}
