import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Where the migrations lie, from source and from the bundle alike: the package's own folder, found by its name so that
 * the working directory does not matter. The build puts a copy beside the bundle, which wins.
 */
export function migrationsFolder(): string {
  const packageFolder = dirname(createRequire(import.meta.url).resolve('@framelift/server/package.json'));
  const built = join(packageFolder, 'dist/migrations');
  const fromSource = !import.meta.url.endsWith('.mjs');
  return !fromSource && existsSync(built) ? built : join(packageFolder, 'src/db/migrations');
}
