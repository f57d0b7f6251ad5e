// Builds what the engine needs besides its sources into engine/dist: the compiled kernels and the models.
//   node engine/build.mjs
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileWasm } from './scripts/compile-wasm.mjs';
import { prepareModels } from './scripts/prepare-models.ts';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

await Promise.all([
  buildWasm('warp', './src/render/warp.as'),
  buildWasm('match', './src/decode/stereo/match.as'),
  buildWasm('scale', './src/video/scale.as'),
]);
await prepareModels();

async function buildWasm(name, source) {
  const target = here(`./dist/${name}.wasm`);
  const sources = [source, './scripts/compile-wasm.mjs'].map(here);
  if (existsSync(target) && sources.every((path) => statSync(path).mtimeMs <= statSync(target).mtimeMs)) return;
  await compileWasm(here(source), target);
}
