export type Transition = 'slide-up' | 'slide-down' | 'fade';

/** Returns the transition with which a page enters. */
export function transitionTo(pathname: string): Transition {
  switch (pageKey(pathname)) {
    case '/mainindex':
      return 'slide-up';
    case '/login':
      return 'slide-down';
    default:
      return 'fade';
  }
}

/** Returns the path in the form used for comparison: lower case, without a trailing slash. */
export const plainPath = (pathname: string): string => pathname.toLowerCase().replace(/\/+$/, '') || '/';

/** Returns the key of a page. Login and register share one, because they are tabs of one card and keep their input. */
export function pageKey(pathname: string): string {
  const path = plainPath(pathname);
  return path === '/register' ? '/login' : path;
}
