import type { User } from '@framelift/contract';
import { mutationOptions, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { call } from './client.ts';
import { QUIET } from './query-client.ts';

/**
 * The session itself is an HttpOnly cookie that no script can read. What is kept here is only a note that there is
 * one, so that a visitor's pages make no call that is bound to be refused. A member's note lives as long as the
 * cookie; a guest's in session storage, so that a new tab starts as a visitor.
 */
const KEY = 'session';
type Note = 'member' | 'guest' | null;

const listeners = new Set<() => void>();
let note: Note = read();
/** A note was seen since the page was loaded: when it is gone now, the session has really ended. */
let known = note !== null;
/** The last session was ended by its owner, not by time. */
let loggedOut = false;

function read(): Note {
  try {
    if (sessionStorage.getItem(KEY) === 'guest') return 'guest';
    return localStorage.getItem(KEY) === 'member' ? 'member' : null;
  } catch {
    return null;
  }
}

function write(next: Note): void {
  note = next;
  known = true;
  try {
    sessionStorage.removeItem(KEY);
    localStorage.removeItem(KEY);
    if (next === 'guest') sessionStorage.setItem(KEY, next);
    if (next === 'member') localStorage.setItem(KEY, next);
  } catch {
    // Without storage the session lasts until the page is reloaded.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  // Logging in or out in another tab counts here as well.
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
  /** There is a session, but the server cannot be reached to say whose. */
  | { readonly kind: 'unreachable'; readonly retry: () => void }
  /** `loggedOut`: on purpose, so that where they were is not where the next login leads. */
  | { readonly kind: 'visitor'; readonly loggedOut: boolean }
  | { readonly kind: 'guest' | 'unconfirmed' | 'member'; readonly user: User };

/** Who sits before the browser. */
export function useSession(): Session {
  const current = useSyncExternalStore(subscribe, () => note);
  const { data, isError, refetch } = useQuery({ ...userQuery, enabled: current !== null });
  if (current === null) return { kind: 'visitor', loggedOut };
  if (data) return { kind: data.isGuest ? 'guest' : data.isConfirmed ? 'member' : 'unconfirmed', user: data };
  return isError ? { kind: 'unreachable', retry: () => void refetch() } : { kind: 'loading' };
}

/** True while this browser holds a session, known without asking the server. */
export const hasSession = (): boolean => note !== null;
export const isGuestSession = (): boolean => note === 'guest';

/**
 * A member's note can be lost while the cookie lives on (browsers clear script storage earlier than cookies), so a
 * page that needs a login asks the server once before it sends anybody to the login form.
 */
export function useSessionProbe(wanted: boolean): boolean {
  const current = useSyncExternalStore(subscribe, () => note);
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
  return probing && probe.isLoading;
}

/** Remembers a fresh session and its user, and forgets everything of the one before. */
export function beginSession(queries: QueryClient, user: User): void {
  queries.clear();
  queries.setQueryData(userQuery.queryKey, user);
  loggedOut = false;
  write(user.isGuest ? 'guest' : 'member');
}

/** Forgets the session in this browser. */
export function forgetSession(queries: QueryClient): void {
  write(null);
  queries.clear();
}

/**
 * After a 401: forgets the session and clears its cookie. True for the first of several calls that failed together,
 * so that all of them make one toast and one logout.
 */
export function endExpiredSession(queries: QueryClient): boolean {
  if (note === null) return false;
  forgetSession(queries);
  // Only the cookie is left to clear; the server has forgotten the session already.
  call('logout').catch(() => {});
  return true;
}

/**
 * Leaves guest mode on the screen alone. The cookie stays, so that what the guest has sent moves along with the next
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

/** Ends the session on the server and here. Without an answer it is still forgotten here. */
export async function logout(queries: QueryClient): Promise<void> {
  try {
    await call('logout');
  } finally {
    loggedOut = true;
    forgetSession(queries);
  }
}
