import { readFile } from 'node:fs/promises';
import { readHeader } from '../decode/header.ts';
import type { PictureType } from '../decode/picture-types.ts';
import { EngineError } from '../errors.ts';
import { LARGEST_CROP } from '../geometry/index.ts';
import type { Size } from '../types.ts';
import { readDepth, writeDepth } from './depth-file.ts';

const TYPES: readonly PictureType[] = ['image/png', 'image/jpeg', 'image/webp'];

/**
 * Takes in a depth map that a member made with other tools: any mode of 8 or 16 bits that `readDepth` understands becomes
 * a map like our own. No picture is worked on at more pixels than the largest crop, so a larger map is made smaller.
 *
 * @returns the size of the file that was given, for a judgement of its proportions
 * @throws {EngineError} `fileEmpty`, `notAPicture`, `pictureDamaged`, `pictureTooLarge`
 */
export async function importDepthMap({ path, outPath }: { path: string; outPath: string }): Promise<Size> {
  const { type, stored } = await readHeader(await readFile(path));
  if (!TYPES.includes(type)) throw new EngineError('notAPicture', `a depth map of type ${type}`);
  const depth = await readDepth(path, 'member', LARGEST_CROP).catch((cause: Error) => {
    throw new EngineError('pictureDamaged', `depth map: ${cause.message}`, { cause });
  });
  await writeDepth(depth, outPath);
  return stored;
}
