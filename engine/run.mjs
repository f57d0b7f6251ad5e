// Runs a program of the engine or the lab from its source. Builds engine/dist first if it is missing.
//   node engine/run.mjs engine/src/cli.ts --help
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
/** `source` is relative to the project root. */
const [source, ...args] = process.argv.slice(2);

// The last file that the build writes.
if (!existsSync(here('dist/models/manifest.json'))) {
  process.stderr.write('The engine is being built, once …\n');
  // The build output goes to standard error: standard output of the program may be JSON.
  const built = spawnSync(process.execPath, [here('build.mjs')], { stdio: ['ignore', process.stderr, process.stderr] });
  if (built.status !== 0) {
    process.stderr.write('The engine could not be built. Run `npm ci` in the project, then try again.\n');
    process.exit(1);
  }
}
const program = new URL(`../${source}`, import.meta.url);
process.argv = [process.execPath, fileURLToPath(program), ...args];
await import(program.href);
