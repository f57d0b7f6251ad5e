import { readFile } from 'node:fs/promises';
import { sharp } from '../decode/decoder.ts';
import { continueDown, decodeFirstChannel } from '../decode/embedded/nearness.ts';
import { readHeader } from '../decode/header.ts';
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

export interface ReadDepth extends DepthMap {
  /** A part of the map is missing or damaged in the file. */
  readonly incomplete: boolean;
}

/**
 * Reads a depth map. Besides the engine's 16-bit grey files, accepts files of other tools: 8 or 16 bits, grey, palette
 * or RGB (first channel); 8 bits give 256 levels. Ignores colour profiles.
 *
 * @param longest maximum length of the longer side in pixels; larger maps are scaled down
 */
export async function readDepth(path: string, source: DepthSource, longest?: number): Promise<ReadDepth> {
  const bytes = await readFile(path);
  const { wide } = await readHeader(bytes);
  const { value, incomplete } = await decodeFirstChannel(bytes, wide, longest);
  if (incomplete) continueDown(value);
  return { ...value, source, incomplete };
}
