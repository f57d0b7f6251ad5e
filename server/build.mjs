import { cpSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles the server: our own workspaces into one file, what npm installed stays outside. */
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const dependenciesOf = (folder) =>
  Object.keys(JSON.parse(readFileSync(here(`${folder}/package.json`), 'utf8')).dependencies);

rmSync(here('dist'), { recursive: true, force: true });
await build({
  entryPoints: [here('src/main.ts')],
  outfile: here('dist/main.mjs'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: true,
  // Stack traces name the source's lines by --enable-source-maps alone; the sources need not be in the map.
  sourcesContent: false,
  external: [...dependenciesOf('.'), ...dependenciesOf('../engine'), ...dependenciesOf('../contract')].filter(
    (name) => !name.startsWith('@framelift/'),
  ),
  logLevel: 'warning',
});
cpSync(here('src/db/migrations'), here('dist/migrations'), { recursive: true });
