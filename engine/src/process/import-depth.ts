import { readFile } from 'node:fs/promises';
import type { PictureNote } from '@framelift/contract';
import { LIMITS } from '@framelift/contract/limits';
import { readHeader } from '../decode/header.ts';
import type { PictureType } from '../decode/picture-types.ts';
import { EngineError } from '../errors.ts';
import { LARGEST_CROP } from '../geometry/index.ts';
import type { Size } from '../types.ts';
import { readDepth, writeDepth } from './depth-file.ts';

const TYPES: readonly PictureType[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

export interface ImportedDepth extends Size {
  readonly notes: readonly PictureNote[];
}

/**
 * Imports a depth map that a member made with other tools: converts any 8- or 16-bit mode that `readDepth` accepts to
 * the engine's format. Pictures are never processed above the size of the largest crop, so larger maps are downscaled,
 * and those that would take long to decode are refused by their header.
 *
 * @returns the size of the supplied file, to check its aspect ratio, and notes for the user
 * @throws {EngineError} `fileEmpty`, `notAPicture`, `pictureDamaged`, `pictureTooLarge`, `depthMapTooLarge`
 */
export async function importDepthMap({ path, outPath }: { path: string; outPath: string }): Promise<ImportedDepth> {
  const { type, stored } = await readHeader(await readFile(path));
  if (!TYPES.includes(type)) throw new EngineError('notAPicture', `a depth map of type ${type}`);
  const { maxPixels } = LIMITS.depthMap;
  if (stored.width * stored.height > maxPixels)
    throw new EngineError(
      'depthMapTooLarge',
      `${stored.width} x ${stored.height} pixels; at most ${maxPixels / 1e6} megapixels are read`,
    );
  const depth = await readDepth(path, 'member', LARGEST_CROP).catch((cause: Error) => {
    throw new EngineError('pictureDamaged', `depth map: ${cause.message}`, { cause });
  });
  await writeDepth(depth, outPath);
  return { ...stored, notes: depth.incomplete ? ['depthIncomplete'] : [] };
}
