import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const SHARED = new URL('../../../shared/data/photos/', import.meta.url);

/** Returns the path of a shared photograph, or undefined if the folder does not exist next to the checkout. */
export function sharedPhoto(name: string): string | undefined {
  const path = fileURLToPath(new URL(name, SHARED));
  return existsSync(path) ? path : undefined;
}

/**
 * Returns a generated picture as JPEG bytes: a textured wall far behind a textured box that stands on the ground.
 *
 * @param seed another seed gives other bytes, so that a second upload is another object
 */
export async function madePhoto(seed = 1, width = 900, height = 1200): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  let state = seed;
  const noise = (): number => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const box = x > width * 0.3 && x < width * 0.7 && y > height * 0.45 && y < height * 0.92;
      const ground = y > height * 0.6;
      const base = box ? [205, 90, 70] : ground ? [120, 110, 90] : [150, 180, 215];
      const grain = (noise() - 0.5) * (box ? 60 : 30);
      const at = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) pixels[at + c] = Math.max(0, Math.min(255, (base[c] ?? 0) + grain));
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 88 })
    .toBuffer();
}
