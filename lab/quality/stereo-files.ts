/** Input and output files of the stereo scoring tool next to the checkout. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sharp } from '../../engine/src/decode/decoder.ts';
import type { Plane } from '../../engine/src/depth/plane.ts';
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
  const left = await readPicture(join(folder, `${id}.left.png`));
  const { data, width, height } = await readSamples(join(folder, `${id}.disparity.png`));
  if (left.width !== width || left.height !== height) throw new Error(`the two files of ${id} differ in size`);
  return { left, disparity: data.map((value) => value / 64) };
}

export async function readPicture(file: string): Promise<Picture> {
  const { data, info } = await sharp(file)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Reads a grey picture of 16 bits as it is stored. */
export async function readSamples(file: string): Promise<Plane> {
  const { data, info } = await sharp(file)
    .toColourspace('grey16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return { data: Float32Array.from(new Uint16Array(data.buffer, data.byteOffset, width * height)), width, height };
}

export async function writePicture({ data, width, height }: Picture, file: string): Promise<void> {
  await sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toFile(file);
}
