/** Command line of the built-in depth estimator: `npm run -s depth -- --batch IN OUT`. */
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { createBasicDepth } from './depth/index.ts';
import type { DepthMap, Picture } from './types.ts';

const USAGE = `usage: npm run -s depth -- --batch IN OUT [--matte 512|640]

Estimates the depth of every picture in the folder IN and writes it to the folder OUT
as a 16-bit grey PNG with the picture's name; 65535 is near.`;
const PICTURE_NAME = /\.(jpe?g|png|webp|avif|tiff?|gif)$/i;

class UsageError extends Error {}

async function main(args: string[]): Promise<void> {
  const { inDir, outDir, matteSize } = readArguments(args);
  const names = (await readdir(inDir)).filter((name) => PICTURE_NAME.test(name)).sort();
  if (names.length === 0) throw new UsageError(`${inDir} holds no pictures`);
  const outputs = names.map((name) => `${path.parse(name).name}.png`);
  const twice = outputs.find((name, i) => outputs.indexOf(name) !== i);
  if (twice) throw new UsageError(`two pictures in ${inDir} would both become ${twice}`);
  await mkdir(outDir, { recursive: true });

  const estimator = await createBasicDepth({ matteSize });
  for (const warning of estimator.warnings) console.error(`warning: ${warning}`);
  let failures = 0;
  for (const [i, name] of names.entries()) {
    const started = performance.now();
    try {
      const picture = await readPicture(path.join(inDir, name));
      await writeDepth(await estimator.estimate(picture), path.join(outDir, outputs[i] as string));
      console.log(`${name}: ${Math.round(performance.now() - started)} ms`);
    } catch (error) {
      failures++;
      console.error(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  await estimator.close();
  if (failures > 0) throw new Error(`${failures} of ${names.length} pictures failed`);
}

function readArguments(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { batch: { type: 'boolean' }, matte: { type: 'string', default: '640' } },
    });
    const [inDir, outDir, ...rest] = positionals;
    if (!values.batch || !inDir || !outDir || rest.length > 0) throw new UsageError(USAGE);
    if (values.matte !== '512' && values.matte !== '640') throw new UsageError('--matte takes 512 or 640');
    return { inDir, outDir, matteSize: values.matte === '512' ? (512 as const) : (640 as const) };
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(USAGE, { cause: error });
  }
}

async function readPicture(file: string): Promise<Picture> {
  const { data, info } = await sharp(file)
    .rotate()
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

async function writeDepth(depth: DepthMap, file: string): Promise<void> {
  const grey = Uint16Array.from(depth.data, (value) => Math.round(value * 65535));
  await sharp(grey, { raw: { width: depth.width, height: depth.height, channels: 1 } })
    .toColourspace('grey16')
    .png()
    .toFile(file);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
