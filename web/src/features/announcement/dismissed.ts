import type { Announcement } from '@framelift/contract';

const COOKIE = 'isKnown';
const CLOSED = 'announcement';

/** Whether this announcement need not be shown: never again by the cookie, or not once more in this visit. */
export function isDismissed({ id }: Announcement): boolean {
  return document.cookie.split('; ').includes(`${COOKIE}=${id}`) || sessionStorage.getItem(CLOSED) === id;
}

/**
 * Remembers that it was closed. 'Never again' is a cookie with the announcement's own id, so that it holds for this one
 * alone, and it lives as long as that can be shown: there is no use in keeping it longer.
 */
export function rememberDismissed({ id, to }: Announcement, never: boolean): void {
  sessionStorage.setItem(CLOSED, id);
  if (!never) return;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and older Safari.
  document.cookie = `${COOKIE}=${id}; path=/; expires=${new Date(to).toUTCString()}; samesite=lax`;
}
