/** Input and output files of the stereo scoring tool next to the checkout. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sharp } from '../../engine/src/decode/decoder.ts';
import type { Picture } from '../../engine/src/types.ts';

/** Returns the ids of the scenes prepared in a folder. */
export function preparedScenes(folder: string): string[] {
  return readdirSync(folder)
    .flatMap((name) => /^(.+)\.left\.png$/.exec(name)?.slice(1) ?? [])
    .sort();
}

export interface Scene {
  readonly left: Picture;
  /** In pixels: a pixel of the left view appears at `x − disparity` in the right one. */
  readonly disparity: Float32Array;
}

/**
 * Reads a scene.
 * @throws {Error} if a file is missing or the two files differ in size
 */
export async function readScene(folder: string, id: string): Promise<Scene> {
  const colour = await sharp(join(folder, `${id}.left.png`))
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = colour.info;
  const { data, info } = await sharp(join(folder, `${id}.disparity.png`))
    .toColourspace('grey16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true });
  if (info.width !== width || info.height !== height) throw new Error(`the two files of ${id} differ in size`);
  const steps = new Uint16Array(data.buffer, data.byteOffset, width * height);
  return { left: { data: colour.data, width, height }, disparity: Float32Array.from(steps, (value) => value / 64) };
}

export async function writePicture({ data, width, height }: Picture, file: string): Promise<void> {
  await sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toFile(file);
}
