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
 * JPEG tagged as sRGB, nothing else in it.
 * @param subsampling `4:4:4` wherever views lie side by side or colours belong to eyes: halved colour would leak
 */
export async function writeJpeg(packed: Packed, path: string, subsampling: '4:4:4' | '4:2:0'): Promise<void> {
  await writeFile(path, await encodeJpeg(packed, subsampling));
}

/** The bytes that `writeJpeg` writes. */
export async function encodeJpeg(packed: Packed, subsampling: '4:4:4' | '4:2:0'): Promise<Buffer> {
  const { data, width, height } = packed;
  const rows = (top: number, count: number) =>
    rgb({ data: data.subarray(3 * width * top, 3 * width * (top + count)), width, height: count });
  return taggedSrgb(await encodeInStrips({ width, height }, JPEG_QUALITY, subsampling, rows));
}

/** RGB PNG. */
export async function writePng(packed: Packed, path: string): Promise<void> {
  await rgb(packed).png({ compressionLevel: 6 }).toFile(path);
}

/** Grey PNG of 16 bits (`Uint16Array`) or 8. */
export async function writeGreyPng(values: Uint16Array | Uint8Array, size: Size, path: string): Promise<void> {
  const space = values instanceof Uint16Array ? 'grey16' : 'b-w';
  await sharp(values, { raw: { width: size.width, height: size.height, channels: 1 } })
    .toColourspace(space)
    .png({ compressionLevel: 6 })
    .toFile(path);
}

/** Endlessly looping WebP of frames that lie one below the other. */
export async function writeAnimation(packed: Packed, frameHeight: number, frameMs: number, path: string) {
  const { data, width, height } = packed;
  await sharp(data, { raw: { width, height, channels: 3, pageHeight: frameHeight } })
    .webp({ quality: 80, effort: 2, loop: 0, delay: new Array(height / frameHeight).fill(frameMs) })
    .toFile(path);
}

/** A marker segment of a JPEG. @param marker its second byte */
export function jpegSegment(marker: number, content: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** Where segments of our own may begin: after SOI and the JFIF segment, which has to be the first. */
export function afterJfif(jpeg: Buffer): number {
  return jpeg.readUInt16BE(2) === 0xffe0 ? 4 + jpeg.readUInt16BE(4) : 2;
}

let profile: Promise<Buffer> | undefined;

/**
 * Adds the sRGB profile to a JPEG without one. sharp's own option runs every pixel through a colour engine that changes
 * none of them, which takes as long as half the encoding.
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
