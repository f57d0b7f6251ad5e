/** Colour laid behind transparent parts of a picture: `#rrggbb`. */
export type Ground = `#${string}`;

export const WHITE_GROUND: Ground = '#ffffff';
/** Dark, but not black, so that black details of a white drawing can still be seen. */
export const DARK_GROUND: Ground = '#262626';

/** From this brightness (0 … 255) on a colour is hard to see on white. */
const NEARLY_WHITE = 208;
/** Share of the visible pixels that must be nearly white for the dark ground. */
const MOSTLY = 0.75;
/** Share of the picture that must be transparent for a ground to matter. */
const LEAST_TRANSPARENT = 0.001;
const OPAQUE = 250;

/**
 * Returns the ground on which a picture can be seen: white, or dark for a picture that is nearly white itself.
 *
 * @param pixels 8-bit RGBA, not premultiplied; a small version of the picture is enough
 */
export function groundFor(pixels: ArrayLike<number>): Ground {
  let visible = 0;
  let bright = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    const [r, g, b, alpha] = [pixels[i], pixels[i + 1], pixels[i + 2], pixels[i + 3]] as [
      number,
      number,
      number,
      number,
    ];
    visible += alpha;
    if (0.299 * r + 0.587 * g + 0.114 * b >= NEARLY_WHITE) bright += alpha;
  }
  return bright > visible * MOSTLY ? DARK_GROUND : WHITE_GROUND;
}

/** Returns whether enough of a picture (8-bit RGBA) is transparent for its ground to be seen. */
export function hasTransparency(pixels: ArrayLike<number>): boolean {
  let count = 0;
  for (let i = 3; i < pixels.length; i += 4) if ((pixels[i] as number) < OPAQUE) count++;
  return count > (pixels.length / 4) * LEAST_TRANSPARENT;
}

/** Lays RGB pixels with their opacity (0 … 255) on a ground, in sRGB values as browsers do. */
export function flatten(rgb: Uint8Array, alpha: Uint8Array, ground: Ground): Uint8Array {
  const under = [1, 3, 5].map((at) => Number.parseInt(ground.slice(at, at + 2), 16));
  const out = new Uint8Array(rgb.length);
  for (let pixel = 0, i = 0; pixel < alpha.length; pixel++) {
    const opacity = alpha[pixel] as number;
    for (let c = 0; c < 3; c++, i++)
      out[i] = Math.round(((rgb[i] as number) * opacity + (under[c] as number) * (255 - opacity)) / 255);
  }
  return out;
}
