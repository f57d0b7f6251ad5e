import { sharp } from '../decode/decoder.ts';
import { sharedBytes } from '../depth/layers/layers.ts';
import type { Layout } from '../formats/index.ts';
import type { Picture } from '../types.ts';
import type { Packed } from './encode.ts';
import type { Steps } from './steps.ts';

/** Places the two photographed eyes as a layout has its pair: nothing is drawn, every pixel is a photographed one. */
export async function layEyes(left: Picture, right: Picture, layout: Layout, steps: Steps): Promise<Packed> {
  const { width, height, view, cells } = layout;
  const data = sharedBytes(3 * width * height);
  for (const [i, { position, x, y }] of cells.entries()) {
    steps.at('views', i / cells.length);
    const eye = await resized(position < 0 ? left : right, view);
    const row = 3 * view.width;
    for (let line = 0; line < view.height; line++)
      data.set(eye.subarray(line * row, (line + 1) * row), 3 * ((y + line) * width + x));
  }
  return { data, width, height };
}

async function resized({ data, width, height }: Picture, size: Layout['view']): Promise<Uint8Array> {
  if (width === size.width && height === size.height) return data;
  return sharp(data, { raw: { width, height, channels: 3 } })
    .resize({ ...size, fit: 'fill' })
    .raw()
    .toBuffer();
}
