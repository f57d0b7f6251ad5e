const SCHEMES = ['https:', 'http:', 'mailto:'];

const HERE = 'https://here.invalid';

/** Returns the path to which a link of this site leads; null for any other. */
export function pathOf(href: string): string | null {
  if (!href.startsWith('/') || !URL.canParse(href, HERE)) return null;
  // As browsers read it: two slashes lead to another site, and so do a backslash and what they leave out, such as tabs.
  const { origin, pathname, search, hash } = new URL(href, HERE);
  return origin === HERE ? pathname + search + hash : null;
}

/** Returns the URL of a link to another site or to a mail address; null for what could run code or has no scheme. */
export function urlOf(href: string): string | null {
  if (!URL.canParse(href)) return null;
  const { protocol, href: url } = new URL(href);
  return SCHEMES.includes(protocol) ? url : null;
}
