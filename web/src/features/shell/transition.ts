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

/** Normalises a path for comparison: case and a trailing slash are ignored. */
export const plainPath = (pathname: string): string => pathname.toLowerCase().replace(/\/+$/, '') || '/';

/** Pages with the same key are one page: login and register are tabs of one card and keep their input. */
export function pageKey(pathname: string): string {
  const path = plainPath(pathname);
  return path === '/register' ? '/login' : path;
}
