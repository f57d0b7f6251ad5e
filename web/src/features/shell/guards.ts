import type { Session } from '../../api/session.ts';
import { readParameters } from './parameters.ts';

/** Intended users of a page. `link` is a page opened by a mailed link: everyone with the link may see it. */
export type Access = 'anyone' | 'visitor' | 'member' | 'guest' | 'unconfirmed' | 'link' | 'root';
export type Known = Exclude<Session['kind'], 'loading' | 'unreachable'>;

/**
 * Returns the redirect target for a user who opens a page, or null if they may see it. `path` is the page with its
 * query. A guest is confined to /guestPage, an unconfirmed member to /confirmation. Members and guests on a visitor's
 * page continue by `afterLogin`. A user who has just logged out is not asked to log in again.
 */
export function whereTo(access: Access, who: Known, path: string, loggedOut = false): string | null {
  if (access === 'link') return null;
  // The root path has no page of its own: its parameters are passed on to the page that it redirects to.
  const query = access === 'root' && path.includes('?') ? path.slice(path.indexOf('?')) : '';
  switch (who) {
    case 'guest':
      return access === 'guest' ? null : `/guestPage${query}`;
    case 'unconfirmed':
      return access === 'unconfirmed' ? null : '/confirmation';
    case 'member':
      if (access === 'root') return `/home${query}`;
      return access === 'anyone' || access === 'member' ? null : '/player';
    case 'visitor':
      if (access === 'root') return `/index${query}`;
      if (access === 'anyone' || access === 'visitor') return null;
      return loggedOut ? '/index' : `/login?redirect=${encodeURIComponent(path)}`;
  }
}

/**
 * Returns the path after a login: for a member the requested path, for a guest /guestPage, with the upload dialog open
 * if it was requested.
 */
export function afterLogin(who: 'member' | 'guest', wanted: string): string {
  if (who === 'member') return wanted;
  const { upload } = readParameters(new URL(wanted, 'http://localhost').search);
  if (!upload) return '/guestPage';
  const device = upload.deviceTypeId === undefined ? '' : `&device_type_id=${upload.deviceTypeId}`;
  return `/guestPage?action=upload${device}`;
}
