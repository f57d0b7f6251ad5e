const KEY = 'redirect';

/**
 * The path to go to, or null when it leads elsewhere. Only paths of our own origin pass: `//host`, `/\host` and
 * addresses with a scheme would send a fresh login to a stranger's site.
 */
export function safePath(wanted: string | null, origin: string): string | null {
  if (!wanted?.startsWith('/')) return null;
  try {
    const url = new URL(wanted, origin);
    return url.origin === origin ? url.pathname + url.search + url.hash : null;
  } catch {
    return null;
  }
}

/** Keeps the path that a login should lead to. */
export function storeRedirect(wanted: string | null): void {
  const path = safePath(wanted, location.origin);
  if (path) sessionStorage.setItem(KEY, path);
}

/** The stored path, once; `/` when there is none. */
export function consumeRedirect(): string {
  const path = safePath(sessionStorage.getItem(KEY), location.origin);
  sessionStorage.removeItem(KEY);
  return path ?? '/';
}
