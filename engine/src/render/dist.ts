import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Returns the path of a built file of the engine; works from source and from a bundle. */
export function distFile(name: string): string {
  const root = createRequire(import.meta.url).resolve('@framelift/engine/package.json');
  return join(root, '..', 'dist', name);
}
