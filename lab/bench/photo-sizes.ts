import { join } from 'node:path';
import sharp from 'sharp';
import type { PictureRequest } from '../../engine/src/types.ts';
import { measurePhoto } from './photo-to-quilt.ts';

export interface PhotoSizeFigures {
  readonly megapixels: number;
  readonly ms: number;
  readonly rssMb: number;
}

const MEGAPIXELS = [1, 3, 12, 24, 48];

/** Measures the same photograph at sizes from 1 to 48 megapixels, each warm in a new process. */
export async function measurePhotoSizes(
  request: Omit<PictureRequest, 'outDir'>,
  scratch: string,
): Promise<PhotoSizeFigures[]> {
  const { width = 1, height = 1 } = await sharp(request.input).metadata();
  const figures: PhotoSizeFigures[] = [];
  for (const megapixels of MEGAPIXELS) {
    const scale = Math.sqrt((1e6 * megapixels) / (width * height));
    const input = join(scratch, `photo-${megapixels}mp.jpg`);
    await sharp(request.input)
      .resize(Math.round(width * scale), Math.round(height * scale), { fit: 'fill' })
      .jpeg({ quality: 92 })
      .toFile(input);
    const { ms, rssMb } = await measurePhoto({ ...request, input }, scratch, 1);
    figures.push({ megapixels, ms, rssMb });
  }
  return figures;
}
