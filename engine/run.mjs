// Runs a program of the engine from its source. What it needs from engine/dist is made first where it is missing.
//   node engine/run.mjs src/cli.ts --help
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const [source, ...args] = process.argv.slice(2);

// The last thing that the build writes.
if (!existsSync(here('dist/models/manifest.json'))) {
  process.stderr.write('The engine is being built, once …\n');
  // Its output goes to standard error: that of the program may be JSON.
  const built = spawnSync(process.execPath, [here('build.mjs')], { stdio: ['ignore', process.stderr, process.stderr] });
  if (built.status !== 0) {
    process.stderr.write('The engine could not be built. Run `npm ci` in the project, then try again.\n');
    process.exit(1);
  }
}
process.argv = [process.execPath, here(source), ...args];
await import(new URL(source, import.meta.url).href);
