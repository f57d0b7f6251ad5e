/**
 * Puts the models of the built-in depth estimator into engine/dist/models: the graphs of the matting network and our
 * scene network from engine/models, and the matting network's weights, joined from the chunks of its npm package and
 * widened to single precision. Takes about two seconds, or a tenth when nothing changed.
 *
 *   node engine/scripts/prepare-models.ts
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { MODEL_FILES } from '../src/depth/model-files.ts';

const ENGINE = path.join(import.meta.dirname, '..');
const MODELS = path.join(ENGINE, 'models');
const ISNET_PACKAGE = '@imgly/background-removal-data';
const ISNET_ENTRY = '/models/medium';
const ISNET_SHA256 = 'b6e8497ba978a6f5fbb647e419d2696cd80df5a23cb6a8ea532021911bd76acb';
const SCENE_SHA256 = 'd9f0325525d6a8492681cadf04a76ce471ec02ef3c300f6cf5c9a3919a8d1c3b';
/** In engine/models, made by lab/matting/make-graphs.ts. */
export const WEIGHTS_PLAN = 'isnet-weights.json';
/** Lists the files written, with their sizes, and what they were made from. Written last: its presence means complete. */
const MANIFEST = 'manifest.json';

/** Where the weights of the graphs come from. All numbers are bytes. */
export interface WeightsPlan {
  /** Length of the weights' file; what no piece covers is padding. */
  readonly bytes: number;
  /** Half-precision numbers of the published file, and where they go in single precision. */
  readonly pieces: readonly (readonly [from: number, bytes: number, to: number])[];
}

interface Manifest {
  readonly recipe: string;
  readonly files: Readonly<Record<string, number>>;
}

/**
 * Writes the model files unless they are there already, made by this very code from the same sources.
 * Safe to run twice at a time: every file appears complete.
 * @param outDir Folder to write to, `engine/dist/models` by default.
 * @returns Whether anything had to be written.
 * @throws Error when a source is missing or is not the expected file.
 */
export async function prepareModels(outDir = path.join(ENGINE, 'dist', 'models')): Promise<boolean> {
  const recipe = await recipeHash();
  if (await isComplete(outDir, recipe)) return false;

  const scene = await readFile(path.join(MODELS, MODEL_FILES.scene));
  verify(scene, SCENE_SHA256, MODEL_FILES.scene);
  const plan = JSON.parse(await readFile(path.join(MODELS, WEIGHTS_PLAN), 'utf8')) as WeightsPlan;
  const files = new Map<string, Uint8Array>([
    [MODEL_FILES.matteWeights, widenWeights(await readIsnet(), plan)],
    [MODEL_FILES.scene, scene],
  ]);
  for (const graph of Object.values(MODEL_FILES.matte)) files.set(graph, await readFile(path.join(MODELS, graph)));
  await mkdir(outDir, { recursive: true });
  await rm(path.join(outDir, MANIFEST), { force: true });
  for (const [name, bytes] of files) await writeWhole(path.join(outDir, name), bytes);
  const manifest: Manifest = {
    recipe,
    files: Object.fromEntries([...files].map(([name, bytes]) => [name, bytes.length])),
  };
  await writeWhole(path.join(outDir, MANIFEST), Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  return true;
}

/** Changes when the sources of the models change, or the code that makes them. */
async function recipeHash(): Promise<string> {
  const hash = createHash('sha256').update(ISNET_SHA256).update(SCENE_SHA256);
  const sources = [...Object.values(MODEL_FILES.matte), WEIGHTS_PLAN].map((name) => path.join(MODELS, name));
  for (const file of [fileURLToPath(import.meta.url), ...sources]) hash.update(await readFile(file));
  return hash.digest('hex');
}

async function isComplete(dir: string, recipe: string): Promise<boolean> {
  try {
    const manifest = JSON.parse(await readFile(path.join(dir, MANIFEST), 'utf8')) as Manifest;
    if (manifest.recipe !== recipe) return false;
    const sizes = await Promise.all(
      Object.entries(manifest.files).map(async ([name, bytes]) => (await stat(path.join(dir, name))).size === bytes),
    );
    return sizes.every(Boolean);
  } catch {
    return false;
  }
}

/** The weights' file: half-precision numbers widened to single precision, which is exact for every value. */
export function widenWeights(published: Uint8Array, { bytes, pieces }: WeightsPlan): Uint8Array {
  const weights = new Uint8Array(bytes);
  for (const [from, length, to] of pieces) {
    // Copied, since numbers may begin at odd bytes of the published file.
    const halves = new Float16Array(length / 2);
    new Uint8Array(halves.buffer).set(published.subarray(from, from + length));
    new Float32Array(weights.buffer, to, halves.length).set(halves);
  }
  return weights;
}

/** Bytes of the published matting network, from the chunks of its npm package. */
export async function readIsnet(): Promise<Uint8Array> {
  const folder = path.join(
    path.dirname(createRequire(import.meta.url).resolve(`${ISNET_PACKAGE}/package.json`)),
    'dist',
  );
  const resources = JSON.parse(await readFile(path.join(folder, 'resources.json'), 'utf8')) as Record<
    string,
    { chunks: { hash: string; offsets: [number, number] }[] }
  >;
  const chunks = resources[ISNET_ENTRY]?.chunks;
  if (!chunks) throw new Error(`${ISNET_PACKAGE} has no entry ${ISNET_ENTRY}`);
  const parts = chunks
    .toSorted((a, b) => a.offsets[0] - b.offsets[0])
    .map((chunk) => readFile(path.join(folder, chunk.hash)));
  const model = Buffer.concat(await Promise.all(parts));
  verify(model, ISNET_SHA256, `${ISNET_PACKAGE} ${ISNET_ENTRY}`);
  return model;
}

function verify(bytes: Uint8Array, sha256: string, name: string): void {
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256) throw new Error(`${name}: SHA-256 is ${found} instead of ${sha256}`);
}

async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  const partial = `${file}.${process.pid}.partial`;
  await writeFile(partial, bytes);
  await rename(partial, file);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const written = await prepareModels();
  console.log(written ? 'models prepared' : 'models are up to date');
}
