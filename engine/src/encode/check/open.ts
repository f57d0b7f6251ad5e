import sharp, { type Metadata } from 'sharp';
import type { Picture, Size } from '../../types.ts';

/** One channel of a written file, 0 … 255, possibly downscaled. */
export interface Channel extends Size {
  readonly data: Uint8Array;
}

/** Treats damage that a decoder would conceal as an error. */
const STRICT = { failOn: 'warning', limitInputPixels: false } as const;

export type { Metadata };

export function readMetadata(bytes: Buffer): Promise<Metadata> {
  return sharp(bytes, STRICT).metadata();
}

/**
 * Decodes one channel of a file (0 red, 1 green, 2 blue), by default the one closest to luma. Decodes the whole file;
 * `shrink` (1, 2, 4, 8) lets a JPEG decoder skip detail, which is several times faster.
 */
export async function readChannel(bytes: Buffer, size: Size, shrink = 1, channel: 0 | 1 | 2 = 1): Promise<Channel> {
  const { width, height } = reducedBy(size, shrink);
  const file = sharp(bytes, { ...STRICT, pages: -1 });
  const reduced = shrink === 1 ? file : file.resize(width, height, { fit: 'fill', kernel: 'nearest' });
  const { data } = await reduced.extractChannel(channel).raw().toBuffer({ resolveWithObject: true });
  if (data.length !== width * height) throw new Error(`${data.length} bytes instead of ${width} x ${height}`);
  return { data, width, height };
}

export function reducedBy({ width, height }: Size, shrink: number): Size {
  return { width: Math.max(1, Math.round(width / shrink)), height: Math.max(1, Math.round(height / shrink)) };
}

/** Returns the green of a picture in a smaller size: fine patterns lose contrast there as they do in a decoded file. */
export async function reducedGreen({ data, width, height }: Picture, size: Size): Promise<Channel> {
  const resized = sharp(data, { raw: { width, height, channels: 3 } }).resize(size.width, size.height, { fit: 'fill' });
  return { data: await resized.extractChannel(1).raw().toBuffer(), width: size.width, height: size.height };
}

/** Decodes a grey 16-bit file. */
export async function readDepth16(bytes: Buffer): Promise<Uint16Array> {
  const { data } = await sharp(bytes, STRICT)
    .toColourspace('grey16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true });
  return new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2);
}
