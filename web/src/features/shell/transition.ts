export type Transition = 'slide-up' | 'slide-down' | 'fade';

/** How a page comes in. */
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

/** A path as it is compared: without regard to case and to a stroke at its end. */
export const plainPath = (pathname: string): string => pathname.toLowerCase().replace(/\/+$/, '') || '/';

/** Pages with the same key are one page: login and register are tabs of one card and keep what was typed. */
export function pageKey(pathname: string): string {
  const path = plainPath(pathname);
  return path === '/register' ? '/login' : path;
}
