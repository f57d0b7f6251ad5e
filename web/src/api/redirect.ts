import { LIMITS } from '@framelift/contract/limits';
import { localStored, sessionStored } from './stored.ts';

const KEY = 'redirect';
const HOUR_MS = 3_600_000;

/**
 * Returns the path if it is safe to redirect to, null otherwise. Only paths of our own origin are accepted: `//host`,
 * `/\host` and URLs with a scheme would send a freshly logged-in user to another site. So would a path whose dots end
 * in one, such as `/.//host`: it is checked as a browser reads it, then as a browser will read the result.
 */
export function safePath(wanted: string | null, origin: string): string | null {
  if (!wanted?.startsWith('/')) return null;
  try {
    const url = new URL(wanted, origin);
    const path = url.pathname + url.search + url.hash;
    return url.origin === origin && new URL(path, origin).href === url.href ? path : null;
  } catch {
    return null;
  }
}

/** Stores the path to open after the login. */
export function storeRedirect(wanted: string | null): void {
  const path = safePath(wanted, location.origin);
  if (path) sessionStored.set(KEY, path);
}

/**
 * Keeps the stored path for the other tabs of this browser too, because the link of an email opens in a new one. Like the
 * link it is valid for a day. Without a wanted path an earlier one is forgotten.
 */
export function keepRedirect(): void {
  const path = safePath(sessionStored.get(KEY), location.origin);
  const until = Date.now() + LIMITS.emailLinkHours * HOUR_MS;
  localStored.set(KEY, path && JSON.stringify({ path, until }));
}

/** Returns the stored path and removes it; `/` if there is none. */
export function consumeRedirect(): string {
  const path = safePath(sessionStored.get(KEY), location.origin) ?? readKept();
  sessionStored.set(KEY, null);
  localStored.set(KEY, null);
  return path ?? '/';
}

function readKept(): string | null {
  try {
    const { path, until } = JSON.parse(localStored.get(KEY) ?? '{}') as { path?: unknown; until?: unknown };
    return typeof path === 'string' && typeof until === 'number' && until > Date.now()
      ? safePath(path, location.origin)
      : null;
  } catch {
    return null;
  }
}
