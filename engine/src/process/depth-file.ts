import { sharp, UNTRUSTED } from '../decode/decoder.ts';
import type { DepthMap, DepthSource } from '../types.ts';

const MAX = 65_535;

/**
 * Rounds a depth map to values that a 16-bit file can hold. Rendering from these makes a re-export from the file give
 * the same bytes as the first conversion.
 */
export function quantised(depth: DepthMap): DepthMap {
  return { ...depth, data: depth.data.map((value) => Math.round(value * MAX) / MAX) };
}

/** Writes a 16-bit grey PNG, 65535 near. */
export async function writeDepth(depth: DepthMap, path: string): Promise<void> {
  const samples = Uint16Array.from(depth.data, (value) => Math.round(value * MAX));
  await sharp(samples, { raw: { width: depth.width, height: depth.height, channels: 1 } })
    .toColourspace('grey16')
    .png()
    .toFile(path);
}

/**
 * Reads a depth map. Besides the engine's 16-bit grey files, accepts files of other tools: 8 or 16 bits, grey, palette
 * or RGB (first channel); 8 bits give 256 levels. Ignores colour profiles.
 *
 * @param longest maximum length of the longer side in pixels; larger maps are scaled down
 */
export async function readDepth(path: string, source: DepthSource, longest?: number): Promise<DepthMap> {
  const options = { ...UNTRUSTED, ignoreIcc: true };
  const { depth } = await sharp(path, options).metadata();
  const wide = depth === 'ushort';
  const opened = sharp(path, options);
  if (longest) opened.resize({ width: longest, height: longest, fit: 'inside', withoutEnlargement: true });
  const { data, info } = await opened
    .removeAlpha()
    .toColourspace(wide ? 'rgb16' : 'srgb')
    .extractChannel(0)
    .raw({ depth: wide ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const samples = wide ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
  const max = wide ? MAX : 255;
  return { data: Float32Array.from(samples, (v) => v / max), width: info.width, height: info.height, source };
}
