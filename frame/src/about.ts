import type { FrameScreen } from '@framelift/contract';

const SYSTEMS = [
  ['Samsung TV', /Tizen|SMART-TV/],
  ['LG TV', /Web0S|webOS/i],
  ['Fire TV', /\bAFT/],
  ['Chromecast', /CrKey/],
  ['Android', /Android/],
  ['iPad', /iPad/],
  ['iPhone', /iPhone/],
  ['ChromeOS', /CrOS/],
  ['Windows', /Windows/],
  ['Mac', /Macintosh/],
  ['Linux', /Linux/],
] as const;
/** Order matters: a user agent string may also name browsers further down the list. */
const BROWSERS = [
  ['Samsung Internet', /SamsungBrowser\//],
  ['Edge', /Edg\w*\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrom(?:e|ium)\/|CriOS\//],
  ['Safari', /Safari\//],
] as const;

const firstOf = (names: readonly (readonly [string, RegExp])[], text: string) =>
  names.find(([, shape]) => shape.test(text))?.[0];

/** Returns browser and system for display, e.g. `Chrome, Android`. May be empty. */
export function kindOf(userAgent: string, touchPoints: number): string {
  const named = firstOf(SYSTEMS, userAgent);
  // An iPad identifies itself as a Mac; no Mac has a touch screen.
  const system = named === 'Mac' && touchPoints > 1 ? 'iPad' : named;
  return [firstOf(BROWSERS, userAgent), system].filter(Boolean).join(', ');
}

type Measured = Pick<Window, 'innerWidth' | 'innerHeight' | 'devicePixelRatio'> & {
  readonly screen: Pick<Screen, 'width' | 'height'>;
};

/** Returns the physical pixels of the screen as it is oriented; some browsers always report the portrait size. */
export function screenOf({ screen, innerWidth, innerHeight, devicePixelRatio }: Measured): FrameScreen {
  const pixelRatio = Math.min(Math.max(devicePixelRatio || 1, 0.1), 16);
  const [short, long] = [Math.min(screen.width, screen.height), Math.max(screen.width, screen.height)];
  const lit = (side: number) => Math.min(Math.max(Math.round(side * pixelRatio), 1), 32_768);
  const isWide = innerWidth > innerHeight;
  return { width: lit(isWide ? long : short), height: lit(isWide ? short : long), pixelRatio };
}
