import sharp from 'sharp';
import { fitInto } from '../formats/index.ts';
import type { Picture, Size } from '../types.ts';
import type { Packed } from './encode.ts';

/** Returns the size of a picture that is scaled down to a longer side, and never up. */
export function within({ width, height }: Size, longestPx: number): Size {
  const scale = Math.min(1, longestPx / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Scales the crop to the frame's resolution, with black bars if the aspect ratios differ. */
export async function flatPicture(picture: Picture, frame: Size): Promise<Packed> {
  const { x, y, width, height } = fitInto(
    { x: 0, y: 0, ...frame },
    frame.width / frame.height,
    picture.width / picture.height,
  );
  const { data } = await sharp(picture.data, { raw: { width: picture.width, height: picture.height, channels: 3 } })
    .resize(width, height, { fit: 'fill' })
    .extend({
      left: x,
      top: y,
      right: frame.width - width - x,
      bottom: frame.height - height - y,
      background: 'black',
    })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: frame.width, height: frame.height };
}
