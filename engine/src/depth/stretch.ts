import { sharp } from '../decode/decoder.ts';
import type { Picture } from '../types.ts';

/** Stretches the picture to exactly width x height (Lanczos), regardless of its aspect. */
export async function stretchPicture(picture: Picture, width: number, height: number): Promise<Picture> {
  const { data } = picture;
  const pixels = await sharp(Buffer.from(data.buffer, data.byteOffset, data.byteLength), {
    raw: { width: picture.width, height: picture.height, channels: 3 },
    limitInputPixels: false,
  })
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer();
  return { data: pixels, width, height };
}
