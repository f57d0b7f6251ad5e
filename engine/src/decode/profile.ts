import { deflateSync } from 'node:zlib';
import type { Sharp } from 'sharp';
import { sharp, UNTRUSTED } from './decoder.ts';
import { assemblePng, headerChunk } from './png.ts';
import type { Samples } from './samples.ts';

/**
 * Samples with an ICC profile → 8-bit sRGB. sharp takes profiles only from a file, so the samples are wrapped as a PNG
 * that is stored, not compressed. A profile that cannot belong to an RGB picture is ignored.
 */
export async function profileToSrgb(samples: Samples, icc: Uint8Array): Promise<Uint8Array> {
  const decoder = sharp(storedPng(samples, icc), UNTRUSTED);
  const { depth, hasProfile } = await decoder.metadata();
  if (depth === 'ushort' && hasProfile) wideProfileToSrgb(decoder);
  return decoder.toColourspace('srgb').raw().toBuffer();
}

/**
 * sharp converts a 16-bit picture with a profile to Display P3 and leaves it there. This asks for the second half of the
 * way; it must not be called for pictures without a profile, which sharp leaves as they are.
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
