import { writeFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import type { Size } from '../types.ts';
import { encodeInStrips } from './jpeg-strips.ts';

const JPEG_QUALITY = 92;

/** RGB bytes of a packed picture, in shared memory or not. */
export interface Packed extends Size {
  readonly data: Uint8Array;
}

function rgb({ data, width, height }: Packed): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/**
 * Writes a JPEG with an sRGB profile and no other metadata.
 * @param subsampling `4:4:4` if views are adjacent or colours belong to eyes: subsampled chroma would leak
 */
export async function writeJpeg(packed: Packed, path: string, subsampling: '4:4:4' | '4:2:0'): Promise<void> {
  await writeFile(path, await encodeJpeg(packed, subsampling));
}

/** Returns the bytes that `writeJpeg` writes. */
export async function encodeJpeg(packed: Packed, subsampling: '4:4:4' | '4:2:0'): Promise<Buffer> {
  const { data, width, height } = packed;
  const rows = (top: number, count: number) =>
    rgb({ data: data.subarray(3 * width * top, 3 * width * (top + count)), width, height: count });
  return taggedSrgb(await encodeInStrips({ width, height }, JPEG_QUALITY, subsampling, rows));
}

/** Writes an RGB PNG. */
export async function writePng(packed: Packed, path: string): Promise<void> {
  await rgb(packed).png({ compressionLevel: 6 }).toFile(path);
}

/** Writes a grey PNG of 16 bits (`Uint16Array`) or 8 bits. */
export async function writeGreyPng(values: Uint16Array | Uint8Array, size: Size, path: string): Promise<void> {
  const space = values instanceof Uint16Array ? 'grey16' : 'b-w';
  await sharp(values, { raw: { width: size.width, height: size.height, channels: 1 } })
    .toColourspace(space)
    .png({ compressionLevel: 6 })
    .toFile(path);
}

/** Writes an endlessly looping WebP or GIF from frames stacked vertically. */
export async function writeAnimation(
  packed: Packed,
  frameHeight: number,
  frameMs: number,
  type: 'webp' | 'gif',
  path: string,
): Promise<void> {
  const { data, width, height } = packed;
  const frames = sharp(data, { raw: { width, height, channels: 3, pageHeight: frameHeight } });
  const timing = { loop: 0, delay: new Array(height / frameHeight).fill(frameMs) };
  // One palette for all frames, which wander over the same picture; what hardly changes is not stored again.
  const encoded =
    type === 'gif'
      ? frames.gif({ ...timing, effort: 4, dither: 0.7, interFrameMaxError: 4, reuse: true })
      : frames.webp({ ...timing, quality: 80, effort: 2 });
  await encoded.toFile(path);
}

/**
 * Returns a JPEG marker segment.
 * @param marker second byte of the marker
 */
export function jpegSegment(marker: number, content: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** Offset at which own segments may be inserted: after SOI and the JFIF segment, which must come first. */
export function afterJfif(jpeg: Buffer): number {
  return jpeg.readUInt16BE(2) === 0xffe0 ? 4 + jpeg.readUInt16BE(4) : 2;
}

let profile: Promise<Buffer> | undefined;

/**
 * Adds the sRGB profile to a JPEG without one. sharp's own option runs each pixel through colour management that
 * changes nothing, which takes half as long as the encoding.
 */
async function taggedSrgb(jpeg: Buffer): Promise<Buffer> {
  profile ??= srgbProfile();
  const icc = await profile;
  const segment = jpegSegment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), icc]));
  const at = afterJfif(jpeg);
  return Buffer.concat([jpeg.subarray(0, at), segment, jpeg.subarray(at)]);
}

async function srgbProfile(): Promise<Buffer> {
  const sample = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'black' } })
    .withIccProfile('srgb')
    .jpeg()
    .toBuffer();
  const { icc } = await sharp(sample).metadata();
  if (!icc) throw new Error('sharp wrote no sRGB profile');
  return icc;
}
