import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { drawScene, encoder } from '../../engine/src/testing/pictures.ts';

const SIZE = { width: 4217, height: 2817 };

export interface BenchPhoto {
  readonly path: string;
  /** Name in the table. */
  readonly name: string;
}

/**
 * Returns the 12-megapixel photograph next to the checkout, or a drawn picture of the same size if it is missing.
 *
 * @param root the checkout
 * @param scratch folder for the drawn picture
 */
export async function benchPhoto(root: string, scratch: string): Promise<BenchPhoto> {
  const photo = join(root, '../shared/data/photos/japanese_shop.jpg');
  if (existsSync(photo)) return { path: photo, name: `japanese_shop.jpg, ${SIZE.width} x ${SIZE.height}` };
  const path = join(scratch, 'drawn.jpg');
  await encoder(drawScene(SIZE.width, SIZE.height)).jpeg({ quality: 92, progressive: true }).toFile(path);
  return { path, name: `a drawn picture, ${SIZE.width} x ${SIZE.height}` };
}
