/** The picture shown on hover, unless another is named: of the same name with `_1` before the extension. */
export function hoverPath(src: string): string {
  const [, path = src, rest = ''] = /^([^?#]*)(.*)$/s.exec(src) ?? [];
  return path.replace(/(\.[^./]+)?$/, '_1$1') + rest;
}

/** Whether a path is one of our own vector pictures, which may be put into the page itself. */
export function isOwnSvg(src: string): boolean {
  const { origin, pathname } = new URL(src, window.location.href);
  return origin === window.location.origin && /\.svg$/i.test(pathname);
}
