import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { safeStem } from '../formats/index.ts';
import { type Layer, NEAREST } from '../layers/layers.ts';
import type { Stack } from '../layers/stack.ts';
import type { PreviewFiles } from '../types.ts';
import { writeGreyPng } from './encode.ts';

/** Width of the picture that lists show, in pixels. */
const COVER_WIDTH = 500;
const QUALITY = 85;

/** Writes the files of the browser preview; each appears complete, since the folder is handed over only afterwards. */
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
  await Promise.all([
    jpeg(layer).toFile(files.colour),
    jpeg(background).toFile(files.background),
    writeGreyPng(bytes(layer.depth), layer, files.depth),
    writeGreyPng(bytes(background.depth), background, files.backgroundDepth),
    jpeg(layer).resize(COVER_WIDTH).toFile(files.cover),
  ]);
  return files;
}

function jpeg({ colour, width, height }: Layer): Sharp {
  return sharp(colour, { raw: { width, height, channels: 3 } }).jpeg({ quality: QUALITY });
}

function bytes(depth: Uint16Array): Uint8Array {
  return Uint8Array.from(depth, (value) => Math.round((value / NEAREST) * 255));
}
