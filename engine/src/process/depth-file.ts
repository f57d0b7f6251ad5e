import { readFile, writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
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

/** Disparity of a pair at depth 0 and 1 of its map, as shares of the width of an eye. */
export interface Disparity {
  readonly far: number;
  readonly near: number;
}

/** What precedes the JSON of the disparity in its PNG chunk, and where the chunk is: after the signature and the header. */
const DISPARITY = 'tEXtDisparity\0';
const CHUNK_AT = 33;

/**
 * Writes a 16-bit grey PNG, 65535 near.
 * @param disparity kept with the map, so that eyes are matched once; null for depth that is not of two eyes
 */
export async function writeDepth(depth: DepthMap, path: string, disparity?: Disparity | null): Promise<void> {
  const samples = Uint16Array.from(depth.data, (value) => Math.round(value * MAX));
  const png = await sharp(samples, { raw: { width: depth.width, height: depth.height, channels: 1 } })
    .toColourspace('grey16')
    .png()
    .toBuffer();
  if (disparity === undefined) return writeFile(path, png);
  const content = Buffer.from(`${DISPARITY}${JSON.stringify(disparity)}`, 'latin1');
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length - 4, 0);
  ends.writeUInt32BE(crc32(content), 4);
  const chunk = [ends.subarray(0, 4), content, ends.subarray(4)];
  await writeFile(path, Buffer.concat([png.subarray(0, CHUNK_AT), ...chunk, png.subarray(CHUNK_AT)]));
}

/** Returns the disparity that `writeDepth` wrote; undefined if it wrote none. */
export async function readDisparity(path: string): Promise<Disparity | null | undefined> {
  const png = await readFile(path);
  const start = CHUNK_AT + 4;
  const content = png.toString('latin1', start, start + 4 + png.readUInt32BE(CHUNK_AT));
  return content.startsWith(DISPARITY) ? JSON.parse(content.slice(DISPARITY.length)) : undefined;
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
