import { join } from 'node:path';
import { LIMITS } from '@framelift/contract/limits';
import sharp, { type Sharp } from 'sharp';
import { type Layer, NEAREST } from '../depth/layers/layers.ts';
import type { Stack } from '../depth/layers/stack.ts';
import { safeStem } from '../formats/index.ts';
import type { PreviewFiles } from '../types.ts';
import { writeGreyPng } from './encode.ts';
import { writeAtomically } from './write-atomically.ts';

/** JPEG quality. */
const QUALITY = 85;

/** Writes the files of the browser preview; each is complete or absent. */
export async function writePreview(stack: Stack, dir: string, name: string): Promise<PreviewFiles> {
  const stem = safeStem(name);
  const files = {
    colour: join(dir, `${stem}_preview.jpg`),
    depth: join(dir, `${stem}_preview_depth.png`),
    background: join(dir, `${stem}_preview_background.jpg`),
    backgroundDepth: join(dir, `${stem}_preview_background_depth.png`),
    cover: join(dir, `${stem}_cover.jpg`),
  };
  const layer = await stack.layer(stack.baseSize);
  const background = await stack.background(stack.baseSize);
  const jpeg = (path: string, picture: Sharp) =>
    writeAtomically(path, async (part) => {
      await picture.jpeg({ quality: QUALITY }).toFile(part);
    });
  const png = (path: string, { depth, width, height }: Layer) =>
    writeAtomically(path, (part) => writeGreyPng(bytes(depth), { width, height }, part));
  await Promise.all([
    jpeg(files.colour, colourOf(layer)),
    jpeg(files.background, colourOf(background)),
    png(files.depth, layer),
    png(files.backgroundDepth, background),
    jpeg(files.cover, colourOf(layer).resize(LIMITS.coverWidthPx)),
  ]);
  return files;
}

function colourOf({ colour, width, height }: Layer): Sharp {
  return sharp(colour, { raw: { width, height, channels: 3 } });
}

function bytes(depth: Uint16Array): Uint8Array {
  return Uint8Array.from(depth, (value) => Math.round((value / NEAREST) * 255));
}
