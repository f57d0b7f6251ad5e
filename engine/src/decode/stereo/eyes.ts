import type { Rect, Size } from '../../types.ts';
import { decodeRaster, sharp } from '../decoder.ts';
import type { GreyPicture } from './matcher.ts';

/** Brightness of one eye's picture. */
export interface Eye extends GreyPicture {
  readonly incomplete: boolean;
}

/** Places of both eyes in a file, and the size at which one is shown, which differs from its pixels when squeezed. */
export interface EyePlaces {
  readonly left: Rect;
  readonly right: Rect;
  readonly shown: Size;
}

export function workingSize({ width, height }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Returns both halves of a picture that is decoded once, scaled so that their longer side is at most `side`. */
export async function readEyes(
  bytes: Uint8Array,
  { left, right, shown }: EyePlaces,
  side: number,
): Promise<[left: Eye, right: Eye]> {
  const size = workingSize(shown, side);
  const beside = left.y === right.y;
  const whole = beside ? { ...size, width: 2 * size.width } : { ...size, height: 2 * size.height };
  const { data, incomplete } = await greyOf(bytes, whole);
  const part = (x: number, y: number): Eye => {
    const out = new Uint8Array(size.width * size.height);
    for (let row = 0; row < size.height; row++) {
      const from = (y + row) * whole.width + x;
      out.set(data.subarray(from, from + size.width), row * size.width);
    }
    return { ...size, data: out, incomplete };
  };
  const first = part(0, 0);
  const second = beside ? part(size.width, 0) : part(0, size.height);
  return left.x <= right.x && left.y <= right.y ? [first, second] : [second, first];
}

/** Returns the brightness of a picture, scaled to `size` whatever its shape. */
export async function greyOf(bytes: Uint8Array, size: Size): Promise<Eye> {
  const { value, incomplete } = await decodeRaster(bytes, (decoder) =>
    decoder
      .flatten({ background: '#fff' })
      .resize({ ...size, fit: 'fill' })
      .greyscale()
      .toColourspace('b-w')
      .raw({ depth: 'uchar' })
      .toBuffer(),
  );
  return { ...size, data: new Uint8Array(value.buffer, value.byteOffset, value.length), incomplete };
}

/** Returns the samples scaled to `size` whatever its shape. */
export async function resizedGrey({ data, width, height }: GreyPicture, size: Size): Promise<Uint8Array> {
  return sharp(data, { raw: { width, height, channels: 1 } })
    .resize({ ...size, fit: 'fill' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
}
