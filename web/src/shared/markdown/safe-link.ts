const SCHEMES = ['https:', 'http:', 'mailto:'];

/** Returns the path to which a link of this site leads; null for any other. */
export function pathOf(href: string): string | null {
  // Browsers read a backslash as a slash, and two slashes as another site.
  return /^\/(?![/\\])/.test(href) ? href : null;
}

/** Returns the URL of a link to another site or to a mail address; null for what could run code or has no scheme. */
export function urlOf(href: string): string | null {
  if (!URL.canParse(href)) return null;
  const { protocol, href: url } = new URL(href);
  return SCHEMES.includes(protocol) ? url : null;
}
