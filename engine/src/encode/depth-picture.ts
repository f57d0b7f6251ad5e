import sharp from 'sharp';
import { type Layer, NEAREST } from '../depth/layers/layers.ts';
import type { Packed } from './encode.ts';

/** Blur sigma in pixels; softens depth steps, which third-party viewers would render as hard cuts. */
const SMOOTHING = 1;

/** Returns the layer's depth with softened steps, 16 bits, 65535 near. */
export async function softDepth({ depth, width, height }: Layer): Promise<Uint16Array> {
  const { data } = await sharp(depth, { raw: { width, height, channels: 1 } })
    .blur(SMOOTHING)
    .toColourspace('grey16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true });
  return new Uint16Array(data.buffer, data.byteOffset, width * height);
}

/** Thresholds of an ordered 8 x 8 dither (Bayer matrix). */
const THRESHOLDS = Float64Array.from({ length: 64 }, (_, i) => {
  let value = 0;
  const x = i % 8;
  const y = i >> 3;
  for (let bit = 0; bit < 3; bit++) {
    const a = (x >> bit) & 1;
    const b = (y >> bit) & 1;
    value = value * 4 + ((a ^ b) * 2 + b);
  }
  return (value + 0.5) / 64;
});

/** Converts 16 to 8 bits with dithering: 256 plain levels show as terraces in depth. */
export function dithered(values: Uint16Array, width: number): Uint8Array {
  const out = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const y = Math.floor(i / width);
    const level = ((values[i] as number) / NEAREST) * 255;
    out[i] = Math.min(255, Math.floor(level + (THRESHOLDS[((y & 7) << 3) | ((i - y * width) & 7)] as number)));
  }
  return out;
}

/** Colour on the left, depth as grey on the right, white near: the layout of Looking Glass software. */
export function besideDepth({ colour, width, height }: Layer, depth: Uint8Array): Packed {
  const data = new Uint8Array(3 * 2 * width * height);
  for (let y = 0; y < height; y++) {
    const at = 3 * 2 * width * y;
    data.set(colour.subarray(3 * width * y, 3 * width * (y + 1)), at);
    for (let x = 0, to = at + 3 * width; x < width; x++, to += 3) {
      data.fill(depth[y * width + x] as number, to, to + 3);
    }
  }
  return { data, width: 2 * width, height };
}
