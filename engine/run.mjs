// Runs a program of engine/dist, which is built first where it is missing.
//   node engine/run.mjs cli --help
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [name, ...args] = process.argv.slice(2);
const program = new URL(`./dist/${name}.mjs`, import.meta.url);

if (!existsSync(program)) {
  process.stderr.write('The engine is being built, once …\n');
  // Its output goes to standard error: that of the program may be JSON.
  const built = spawnSync(process.execPath, [fileURLToPath(new URL('./build.mjs', import.meta.url))], {
    stdio: ['ignore', process.stderr, process.stderr],
  });
  if (built.status !== 0) {
    process.stderr.write('The engine could not be built. Run `npm ci` in the project, then try again.\n');
    process.exit(1);
  }
}
process.argv = [process.execPath, fileURLToPath(program), ...args];
await import(program);
