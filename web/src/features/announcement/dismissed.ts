import type { Announcement } from '@framelift/contract';
import { sessionStored } from '../../api/stored.ts';

const COOKIE = 'isKnown';
const CLOSED = 'announcement';
/** Lifetime of "never show again" in seconds: a year, also if the announcement is prolonged meanwhile. */
const NEVER_SECONDS = 365 * 24 * 60 * 60;

/** True if the announcement was dismissed: permanently by the cookie, or for this visit. */
export function isDismissed({ id }: Announcement): boolean {
  return document.cookie.split('; ').includes(`${COOKIE}=${id}`) || sessionStored.get(CLOSED) === id;
}

/**
 * Stores that the announcement was closed. 'Never again' is a cookie with its id: another announcement is shown again.
 */
export function rememberDismissed({ id }: Announcement, never: boolean): void {
  sessionStored.set(CLOSED, id);
  if (!never) return;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and older Safari.
  document.cookie = `${COOKIE}=${id}; path=/; max-age=${NEVER_SECONDS}; samesite=lax`;
}
