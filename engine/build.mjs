// Builds engine/dist: the command lines, the forked process, the drawing threads, the compiled kernels and the models.
//   node engine/build.mjs
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { dependencies } = JSON.parse(readFileSync(here('./package.json'), 'utf8'));

const DAY_MS = 24 * 60 * 60_000;

const PROGRAMS = {
  cli: 'src/cli.ts',
  'depth-cli': 'src/depth-cli.ts',
  'model-cli': 'src/model-cli.ts',
  bench: 'src/bench/bench.ts',
  'bench-quality': 'src/bench/quality/bench-quality.ts',
  synthesise: 'src/bench/quality/synthesise.ts',
  fuzz: 'src/fuzz/fuzz-cli.ts',
  'convert-process': 'src/process/convert-process.ts',
  'view-worker': 'src/views/worker.ts',
};

await Promise.all([
  buildPrograms(),
  buildWasm('warp', './src/views/warp.as'),
  buildWasm('match', './src/stereo/match.as'),
  buildWasm('scale', './src/video/scale.as'),
]);
prepareModels();

async function buildPrograms() {
  const { outputFiles } = await build({
    entryPoints: Object.fromEntries(Object.entries(PROGRAMS).map(([name, source]) => [name, here(source)])),
    outdir: here('./dist'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What only videos need is loaded with the first video.
    splitting: true,
    chunkNames: 'chunk-[hash]',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    // Packages from npm stay outside; workspace packages are TypeScript and come in.
    external: Object.keys(dependencies).filter((name) => !name.startsWith('@framelift/')),
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
  });
  // Shared parts first: a program that starts at this moment finds what it names.
  const shared = ({ path }) => path.includes('chunk-');
  for (const { path, contents } of outputFiles.filter(shared)) writeWhenChanged(path, contents);
  for (const file of outputFiles) if (!shared(file)) writeWhenChanged(file.path, file.contents);
  removeOldParts(new Set(outputFiles.map(({ path }) => basename(path))));
}

/** Shared parts of earlier builds. A process of theirs may still load one, but none lives for a day: see `VIDEO_LIMITS`. */
function removeOldParts(current) {
  const folder = here('./dist');
  for (const name of readdirSync(folder)) {
    if (!name.startsWith('chunk-') || current.has(name)) continue;
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > DAY_MS) rmSync(path, { force: true });
  }
}

async function buildWasm(name, source) {
  const target = here(`./dist/${name}.wasm`);
  const sources = [source, './scripts/compile-wasm.mjs'].map(here);
  if (existsSync(target) && sources.every((path) => statSync(path).mtimeMs <= statSync(target).mtimeMs)) return;
  const { compileWasm } = await import('./scripts/compile-wasm.mjs');
  await compileWasm(here(source), target);
}

function prepareModels() {
  const script = here('./scripts/prepare-models.ts');
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', script], { cwd: here('.'), stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** A process may be reading the old file at this moment: it keeps it, and nobody ever sees half a file. */
function writeWhenChanged(path, contents) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.${process.pid}.part`;
  writeFileSync(part, contents);
  renameSync(part, path);
}
