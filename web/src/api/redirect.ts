const KEY = 'redirect';

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
  if (path) sessionStorage.setItem(KEY, path);
}

/** Returns the stored path and removes it; `/` if there is none. */
export function consumeRedirect(): string {
  const path = safePath(sessionStorage.getItem(KEY), location.origin);
  sessionStorage.removeItem(KEY);
  return path ?? '/';
}
