import { deflateSync } from 'node:zlib';
import type { Sharp } from 'sharp';
import { sharp, UNTRUSTED } from './decoder.ts';
import { assemblePng, headerChunk } from './png.ts';
import type { Samples } from './samples.ts';

/**
 * Converts samples with an ICC profile to 8-bit sRGB. sharp reads profiles only from a file, so the samples are wrapped
 * in an uncompressed PNG. A profile that is not valid for an RGB picture is ignored.
 */
export async function profileToSrgb(samples: Samples, icc: Uint8Array): Promise<Uint8Array> {
  const decoder = sharp(storedPng(samples, icc), UNTRUSTED);
  const { depth, hasProfile } = await decoder.metadata();
  if (depth === 'ushort' && hasProfile) wideProfileToSrgb(decoder);
  return decoder.toColourspace('srgb').raw().toBuffer();
}

/**
 * Completes the conversion of a 16-bit picture to sRGB: sharp converts one with a profile to Display P3 only. Must not
 * be called for pictures without a profile, which sharp leaves unchanged.
 */
export function wideProfileToSrgb(decoder: Sharp): void {
  decoder.withIccProfile('srgb');
}

function storedPng({ data, width, height, max }: Samples, icc: Uint8Array): Buffer {
  const wide = data instanceof Uint16Array;
  const row = width * 3;
  const rows = Buffer.alloc(height * (1 + row * (wide ? 2 : 1)));
  for (let y = 0, to = 0; y < height; y++) {
    to++; // filter type of the row: none
    const line = data.subarray(y * row, (y + 1) * row);
    if (wide)
      for (let x = 0; x < row; x++) rows.writeUInt16BE(Math.round(((line[x] as number) * 65535) / max), to + x * 2);
    else rows.set(line, to);
    to += row * (wide ? 2 : 1);
  }
  return assemblePng([
    headerChunk(width, height, wide ? 16 : 8, 2),
    ['iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(icc)])],
    ['IDAT', deflateSync(rows, { level: 0 })],
  ]);
}
