// Builds the parts that are older than their sources: the engine's kernels and models, the web app, the frame page.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { linkLibraries } from '../server/src/platform/db/embedded/binaries.ts';
import { bin, pooled, run, seconds } from './lib/processes.mjs';
import { ROOT, whenMain } from './lib/root.mjs';

const node = (script) => () => run([process.execPath, script]);
const vite = (workspace) => () => bin('vite/bin/vite.js', ['build'], { cwd: `${ROOT}${workspace}` });

/** `from` lists the source folders of a part. The server and the engine's programs run from source. */
const PARTS = [
  { name: 'engine', from: ['engine'], build: node('engine/build.mjs') },
  { name: 'web', from: ['web', 'contract', 'texts', 'engine/src'], build: vite('web') },
  { name: 'frame', from: ['frame', 'contract', 'texts', 'engine/src'], build: vite('frame') },
];

const IGNORED = /^(node_modules|dist|README\.md|.*\.test\.tsx?)$/;

function* filesUnder(path) {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (IGNORED.test(entry.name) || entry.name.startsWith('.')) continue;
    const below = `${path}/${entry.name}`;
    if (entry.isDirectory()) yield* filesUnder(below);
    else yield below;
  }
}

/** Returns a hash of the sizes and times of the part's sources, the lockfile and the compiler settings. */
function fingerprint(part) {
  const hash = createHash('sha256');
  const shared = ['package-lock.json', 'tsconfig.base.json'].map((file) => `${ROOT}${file}`);
  for (const file of [...shared, ...part.from.flatMap((folder) => [...filesUnder(`${ROOT}${folder}`)])]) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

const stampOf = (part) => `${ROOT}${part.name}/dist/.built`;

/**
 * Builds the parts whose sources changed since their last build, two at a time.
 *
 * @param {string[]} [names] only these parts
 * @throws with the output of the failed build
 */
export async function build(names = PARTS.map((part) => part.name)) {
  linkLibraries();
  const stale = PARTS.filter((part) => names.includes(part.name))
    .map((part) => ({ ...part, print: fingerprint(part) }))
    .filter((part) => !existsSync(stampOf(part)) || readFileSync(stampOf(part), 'utf8') !== part.print);
  if (stale.length === 0) return;
  console.log(`Building ${stale.map((part) => part.name).join(', ')} …`);
  await pooled(
    stale.map((part) => async () => {
      rmSync(stampOf(part), { force: true });
      const result = await part.build();
      if (!result.ok) throw new Error(`${result.output}\nBuilding ${part.name} failed.`);
      // The fingerprint was taken before the build: if a file was saved meanwhile, the next start builds again.
      writeFileSync(stampOf(part), part.print);
      console.log(`Built ${part.name} in ${seconds(result.ms)}.`);
    }),
    2,
  );
}

await whenMain(import.meta.url, () => build());
