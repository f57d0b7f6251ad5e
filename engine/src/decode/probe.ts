import { readFile } from 'node:fs/promises';
import type { Size } from '../types.ts';
import { readHeader } from './header.ts';
import { uprightSize } from './orientation.ts';
import type { PictureType } from './picture-types.ts';

/** Type of a picture file, detected from its bytes, and the size of the upright picture. */
export interface PictureInfo extends Size {
  readonly type: PictureType;
}

/**
 * Reads type and size from the header alone.
 *
 * @throws {EngineError} `fileEmpty`, `notAPicture`, `pictureDamaged`, `pictureTooLarge`
 */
export async function probePicture(path: string): Promise<PictureInfo> {
  const { type, stored, orientation } = await readHeader(await readFile(path));
  return { type, ...uprightSize(stored, orientation) };
}
