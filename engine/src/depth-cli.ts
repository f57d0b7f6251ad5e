/** Command line of the built-in depth estimator: `npm run -s depth -- --batch IN OUT`. */
import { mkdir, readdir } from 'node:fs/promises';
import { join, parse, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openPicture } from './decode/open.ts';
import { createBasicDepth } from './depth/index.ts';
import { MATTE_SIZES } from './depth/model-files.ts';
import { writeDepth } from './process/depth-file.ts';

const USAGE = `Estimates the depth of every picture in a folder.

usage: npm run -s depth -- --batch IN OUT [options]

  --batch IN OUT   the pictures of the folder IN; the folder OUT gets a 16-bit grey PNG of each, 65535 near,
                   with the name of the picture
  --matte SIZE     input side of the matting network, ${MATTE_SIZES.join(' or ')} (default 640)
  --help           prints this

The exit code is 0 when every picture was estimated, 1 when one was not, 2 for wrong arguments.
`;
const PICTURE_NAME = /\.(jpe?g|png|webp|avif|heic|heif)$/i;

/** Invalid command-line arguments. */
class UsageError extends Error {}

async function main(args: string[]): Promise<void> {
  if (args.includes('--help')) {
    process.stdout.write(USAGE);
    return;
  }
  const { inDir, outDir, matteSize } = readArguments(args);
  const files = await planFiles(inDir, outDir);
  await mkdir(outDir, { recursive: true });

  const estimator = await createBasicDepth({ matteSize });
  for (const warning of estimator.warnings) process.stderr.write(`${warning}\n`);
  let failed = 0;
  for (const { picture, depth } of files) {
    const started = performance.now();
    try {
      const open = await openPicture(picture);
      const colour = await open.cut({ x: 0, y: 0, ...open.size });
      await writeDepth(await estimator.estimate(colour), depth);
      process.stdout.write(`${depth} ${Math.round(performance.now() - started)} ms\n`);
    } catch (error) {
      failed++;
      process.stderr.write(`${picture}: ${(error as Error).message}\n`);
    }
  }
  await estimator.close();
  if (failed > 0) throw new Error(`${failed} of ${files.length} pictures failed.`);
}

function readArguments(args: string[]) {
  const { values, positionals } = parseOptions(args);
  const [inDir, outDir] = positionals;
  if (!values.batch || inDir === undefined || outDir === undefined || positionals.length > 2)
    throw new UsageError('Name two folders after --batch, or --help.');
  const matteSize = MATTE_SIZES.find((size) => String(size) === values.matte);
  if (!matteSize) throw new UsageError(`--matte takes ${MATTE_SIZES.join(' or ')}, not ${values.matte}.`);
  return { inDir: resolve(callersFolder(), inDir), outDir: resolve(callersFolder(), outDir), matteSize };
}

function parseOptions(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { batch: { type: 'boolean', default: false }, matte: { type: 'string', default: '640' } },
    });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}; --help lists the options.`, { cause: error });
  }
}

/** Folder in which the user typed the command: npm runs scripts in the project root. */
function callersFolder(): string {
  const typedIn = process.env.npm_lifecycle_event === 'depth' ? process.env.INIT_CWD : undefined;
  return typedIn ?? process.cwd();
}

async function planFiles(inDir: string, outDir: string): Promise<{ picture: string; depth: string }[]> {
  const entries = await readdir(inDir).catch(() => {
    throw new UsageError(`There is no folder ${inDir}.`);
  });
  const files = entries
    .filter((name) => PICTURE_NAME.test(name))
    .sort()
    .map((name) => ({ picture: join(inDir, name), depth: join(outDir, `${parse(name).name}.png`) }));
  if (files.length === 0) throw new UsageError(`${inDir} holds no pictures.`);
  const twice = files.find(({ depth }, i) => files.slice(0, i).some((earlier) => earlier.depth === depth));
  if (twice) throw new UsageError(`Two pictures of ${inDir} would both become ${twice.depth}.`);
  return files;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
